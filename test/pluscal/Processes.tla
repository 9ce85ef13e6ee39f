------------------------------ MODULE Processes ------------------------------
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Clients, Servers, Nobody

(***************************************************************************
--fair algorithm Processes
variables network = {}, answered = [c \in Clients |-> FALSE];

process Client \in Clients
variables number = 0; wanted \in SUBSET 1..3; partner = Nobody, k = number + 1
begin
Send:
  while number < 2 do
    with s \in Servers do
      partner := s;
      network := network \union {[from |-> self, to |-> partner, number |-> number]};
    end with;
  Wait:
    await \E m \in network : /\ m.to = self
                             /\ m.number = number;
    number := number + 1;
    answered[self] := TRUE;
  end while;
end process;

fair+ process Server \in Servers \union
                         {Nobody}
variable handled = {}
begin
Serve:
  while TRUE do
    with m \in {x \in network : x.to = self} do
      handled := handled \cup {m.number};
      network := (network \ {m}) \cup {[from |-> self, to |-> m.from, number |-> m.number]};
    end with;
  end while;
end process;

process Observer = 0
variables seen \in {0}, count = Cardinality(seen)
begin
Look: seen := network || count := count + 1;
end process
end algorithm
***************************************************************************)
=============================================================================
