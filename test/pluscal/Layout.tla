------------------------------- MODULE Layout -------------------------------
EXTENDS Integers, Sequences, TLC
CONSTANT Proc
(* How lines move when what they hang on becomes longer.  --algorithm comes later *)
(* --algorithm Layout
variables
  x = [p \in Proc |-> 0],
  longer_name = /\ TRUE
                /\ FALSE,
  s = "a string with ( and [ and -> in it",
	tabbed = << 1,
	            2 >>;
macro Both(v, e) begin
  v := e;
  await /\ v > 0
        /\ e < 3
        /\ \/ e = v
           \/ TRUE;
end macro;
process p \in Proc
variables i = 0, j = << self,
                        self >>;
begin
L1: Both(i, IF x[self] > 0
               THEN i
               ELSE self);
L2: Both(x[i], /\ i > 0
               /\ i < 3);
L3: x[i] := CASE i = 0 -> << i,
                             j >>
              [] i = 1 -> [a |-> i, i |-> i,
                           b |-> j[i]]
              [] OTHER -> {i,
                              j};
    i := x[i] + (IF /\ i > 0
                    /\ x[i] = 0 THEN 1
                                ELSE 2);
    j := [k \in 1..2 |-> IF k = i THEN j[k]
                                  ELSE i];
L4: either await x[self] = i /\ (\A k \in 1..2 : j[k] # i)
    or x[self] := @ + 1 end either;
    print << "x", x[self], i, j, "a very long line so that there is not much room left for anything else", i >>;
    assert i > 0;
L5: assert i + j[1] + j[2] + x[self] + Len(s) + Len(tabbed) > 100 => longer_name;
    with y = << i, j >>; z \in {i, j} do
      i := y[1];
      j := z;
      x := [x EXCEPT ![self] = << i, j,
                                  y, z >>];
    end with
end process
end algorithm *)
=============================================================================
