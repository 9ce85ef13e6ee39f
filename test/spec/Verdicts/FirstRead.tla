---- MODULE FirstRead ----
(* CHOOSE takes the string that was read first: modules that are needed before those that need them. *)
EXTENDS Naturals, Sequences, Words
VARIABLE seen
All == {"root", "second"} \cup Dep
Init == seen = <<>>
Next == /\ Len(seen) < 4
        /\ seen' = Append(seen, CHOOSE s \in All : \A i \in 1..Len(seen) : seen[i] # s)
Few == Len(seen) < 4
====
