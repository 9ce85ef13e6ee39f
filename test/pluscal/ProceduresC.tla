----------------------------- MODULE ProceduresC -----------------------------
EXTENDS Integers, Sequences, TLC
CONSTANT Nodes

(* --algorithm ProceduresC {
variables lock = FALSE, owner;

macro Acquire() { await ~lock; lock := TRUE; owner := self }

procedure Enter(who, times = 1)
  variables seen = << who, times >>, left = times;
{ E1:+ Acquire();
  E2:  while (left > 0) { left := left - 1; seen[1] := left || seen[2] := who };
  E3:- call Leave(who); return }

procedure Leave(who)
{ V1: lock := FALSE;
      return }

fair process (Node \in Nodes)
  variables local = 0, got \in {0, 1};
{ P1:- call Enter(self, local);
  P2:+ local := local + 1 || got := 1 - got;
  P3:  either call Leave(self) or goto P1;
  P4:- local := IF /\ local > 3
                   /\ got = 1
                   /\ \/ lock
                      \/ owner = self THEN 0 ELSE local;
}

fair+ process (Boss = "boss")
  variable state = [name |-> "boss", who |-> owner];
{ Q1: call Enter("boss", 2); }

process (Late = [kind |-> "late",
                 number |-> 7])
{ R1: await lock;
      with (n \in Nodes) { assert n # owner } }
} *)
=============================================================================
