------------------------------- MODULE Steps -------------------------------
(***************************************************************************)
(* Small programs for two or three processes that an unsound partial-order *)
(* reduction gets wrong. A program is a set of labels; Program says which  *)
(* one runs. x and y belong to the processes, g is shared.                 *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS N, Program

VARIABLES pc, x, y, g
vars == <<pc, x, y, g>>

Proc == 1 .. N

Init ==
    /\ pc = [p \in Proc |-> "start"]
    /\ x = [p \in Proc |-> 0]
    /\ y = [p \in Proc |-> 0]
    /\ g = 0

At(p, label) == pc[p] = label
Go(p, label) == pc' = [pc EXCEPT ![p] = label]
Is(name) == Program = name

-----------------------------------------------------------------------------
(* Much local work, then a shared step: the reduction that one hopes for.  *)
Work(p) ==
    /\ Is("work") /\ At(p, "start") /\ x[p] < 4
    /\ x' = [x EXCEPT ![p] = @ + 1]
    /\ UNCHANGED <<pc, y, g>>

WorkDone(p) ==
    /\ Is("work") /\ At(p, "start") /\ x[p] = 4
    /\ y' = [y EXCEPT ![p] = x[p] * 2]
    /\ Go(p, "add")
    /\ UNCHANGED <<x, g>>

Add(p) ==
    /\ Is("work") /\ At(p, "add")
    /\ g' = g + y[p]
    /\ Go(p, "done")
    /\ UNCHANGED <<x, y>>

(* A loop of local steps, and beside it a process that must not be put off *)
(* forever.                                                                *)
Spin(p) ==
    /\ Is("spin") /\ p # N
    /\ x' = [x EXCEPT ![p] = 1 - @]
    /\ UNCHANGED <<pc, y, g>>

Move(p) ==
    /\ Is("spin") /\ p = N /\ g < 3
    /\ g' = g + 1
    /\ UNCHANGED <<pc, x, y>>

(* A local step, or one that waits for another process: leaving the state  *)
(* by the local step alone misses what waits.                              *)
Either(p) ==
    /\ Is("wait") /\ At(p, "start") /\ p = 1
    /\ Go(p, "idle")
    /\ UNCHANGED <<x, y, g>>

Await(p) ==
    /\ Is("wait") /\ At(p, "start") /\ p = 1
    /\ g = 1
    /\ Go(p, "bad")
    /\ UNCHANGED <<x, y, g>>

Signal(p) ==
    /\ Is("wait") /\ At(p, "start") /\ p # 1
    /\ g' = 1
    /\ Go(p, "idle")
    /\ UNCHANGED <<x, y>>

(* What looks local is read by another process.                            *)
Hide(p) ==
    /\ Is("peek") /\ At(p, "start") /\ p = 1
    /\ y' = [y EXCEPT ![p] = 1]
    /\ Go(p, "idle")
    /\ UNCHANGED <<x, g>>

Peek(p) ==
    /\ Is("peek") /\ At(p, "start") /\ p # 1
    /\ \E q \in Proc \ {p} : g' = 1 - y[q]
    /\ Go(p, "idle")
    /\ UNCHANGED <<x, y>>

(* What looks local is written by another process.                         *)
Double(p) ==
    /\ Is("poke") /\ At(p, "start") /\ p = 1
    /\ y' = [y EXCEPT ![p] = 2 * @]
    /\ Go(p, "idle")
    /\ UNCHANGED <<x, g>>

Poke(p) ==
    /\ Is("poke") /\ At(p, "start") /\ p # 1
    /\ y' = [y EXCEPT ![1] = 1]
    /\ Go(p, "idle")
    /\ UNCHANGED <<x, g>>

(* The local step changes what the invariant reads: the state in between   *)
(* counts.                                                                 *)
Blink(p) ==
    /\ Is("blink") /\ x[p] < 2
    /\ x' = [x EXCEPT ![p] = @ + 1]
    /\ UNCHANGED <<pc, y, g>>

(* Only the state before the local step of the first process is wrong.     *)
Raise(p) ==
    /\ Is("raise") /\ At(p, "start")
    /\ Go(p, "up")
    /\ UNCHANGED <<x, y, g>>

(* Both take what they need, in different order: they may wait for each    *)
(* other forever, behind some local work.                                  *)
Prepare(p) ==
    /\ Is("lock") /\ At(p, "start")
    /\ x' = [x EXCEPT ![p] = p]
    /\ Go(p, "first")
    /\ UNCHANGED <<y, g>>

Free(n) == IF n = 1 THEN g % 2 = 0 ELSE g \div 2 = 0
Weight(n) == IF n = 1 THEN 1 ELSE 2

First(p) ==
    /\ Is("lock") /\ At(p, "first") /\ p <= 2
    /\ Free(x[p])
    /\ g' = g + Weight(x[p])
    /\ Go(p, "second")
    /\ UNCHANGED <<x, y>>

Second(p) ==
    /\ Is("lock") /\ At(p, "second")
    /\ Free(3 - x[p])
    /\ g' = 0
    /\ Go(p, "start")
    /\ UNCHANGED <<x, y>>

(* A choice whose branches are local or not, by what is the process's own. *)
Branch(p) ==
    /\ Is("branch") /\ At(p, "start")
    /\ IF x[p] < 2
          THEN x' = [x EXCEPT ![p] = @ + 1] /\ UNCHANGED <<pc, y, g>>
          ELSE /\ g' = IF g = 0 THEN p ELSE g
               /\ Go(p, "done")
               /\ UNCHANGED <<x, y>>

-----------------------------------------------------------------------------
Step(p) ==
    \/ Work(p) \/ WorkDone(p) \/ Add(p)
    \/ Spin(p) \/ Move(p)
    \/ Either(p) \/ Await(p) \/ Signal(p)
    \/ Hide(p) \/ Peek(p)
    \/ Double(p) \/ Poke(p)
    \/ Blink(p) \/ Raise(p)
    \/ Prepare(p) \/ First(p) \/ Second(p)
    \/ Branch(p)

Done == (\A p \in Proc : pc[p] = "done") /\ UNCHANGED vars

Next == (\E p \in Proc : Step(p)) \/ Done

-----------------------------------------------------------------------------
TypeOK ==
    /\ pc \in [Proc -> {"start", "add", "first", "second", "idle", "up", "done", "bad"}]
    /\ \A p \in Proc : x[p] \in 0 .. 4

SumSmall == g <= 8 * N
SumSmaller == g < 8 * N
NeverThree == g # 3
NeverBad == pc[1] # "bad"
Seen == g # 1
NeverTwo == y[1] # 2
NotBetween == ~(x[1] = 1 /\ x[2] = 2)
NotLast == g # N
InTurn == pc[2] = "up" => pc[1] = "up"
=============================================================================
