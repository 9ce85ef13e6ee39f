---- MODULE Within ----
EXTENDS Naturals
(* --algorithm Within
variables x = 0, y = 0, z = 0;
begin
  x := 1;
  if y = 0 then
    with i \in {1, 2} do
      x := i;
    end with;
    z := 1;
  else
    with i \in {1, 2} do
      y := i;
    end with;
  end if;
  y := 3;
  either
    with i \in {1, 2}, j = i do
      with k \in {j} do
        y := k;
      end with;
    end with;
  or
    with i = 5 do z := i; end with;
  end either;
end algorithm; *)
====
