---- MODULE Again ----
EXTENDS Naturals
(* --algorithm Again
variables x = 0, y = 0;
begin
  x := 1;
  with i \in {1, 2} do
    y := i;
  end with;
  with i \in {1, 2} do
    x := x + i;
  end with;
  with i \in {1, 2}, j = i do
    with k \in {j} do
      y := k;
    end with;
    x := 3;
  end with;
end algorithm; *)
====
