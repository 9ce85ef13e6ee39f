---- MODULE Transfers ----
\* In the style of a PlusCal translation: processes that call procedures with a stack.
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS Proc, Account, Start, defaultInitValue
VARIABLES balance, lock, pc, stack, from, to, amount, acc, done, count
vars == <<balance, lock, pc, stack, from, to, amount, acc, done, count>>
ProcSet == Proc
Init ==
    /\ balance = [a \in Account |-> Start]
    /\ lock = [a \in Account |-> FALSE]
    /\ from = [self \in ProcSet |-> defaultInitValue]
    /\ to = [self \in ProcSet |-> defaultInitValue]
    /\ amount = [self \in ProcSet |-> defaultInitValue]
    /\ acc = [self \in ProcSet |-> defaultInitValue]
    /\ done = [self \in ProcSet |-> 0]
    /\ count = 0
    /\ stack = [self \in ProcSet |-> <<>>]
    /\ pc = [self \in ProcSet |-> "loop"]
acquire(self) ==
    /\ pc[self] = "acquire"
    /\ ~lock[acc[self]]
    /\ lock' = [lock EXCEPT ![acc[self]] = TRUE]
    /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
    /\ acc' = [acc EXCEPT ![self] = Head(stack[self]).acc]
    /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
    /\ UNCHANGED <<balance, from, to, amount, done, count>>
t1(self) ==
    /\ pc[self] = "t1"
    /\ /\ acc' = [acc EXCEPT ![self] = from[self]]
       /\ stack' = [stack EXCEPT ![self] = <<[procedure |-> "lockit", pc |-> "t2", acc |-> acc[self]]>> \o stack[self]]
    /\ pc' = [pc EXCEPT ![self] = "acquire"]
    /\ UNCHANGED <<balance, lock, from, to, amount, done, count>>
t2(self) ==
    /\ pc[self] = "t2"
    /\ IF balance[from[self]] >= amount[self]
       THEN /\ balance' = [balance EXCEPT ![from[self]] = @ - amount[self]]
            /\ pc' = [pc EXCEPT ![self] = "t3"]
       ELSE /\ pc' = [pc EXCEPT ![self] = "t5"] /\ balance' = balance
    /\ UNCHANGED <<lock, stack, from, to, amount, acc, done, count>>
t3(self) ==
    /\ pc[self] = "t3"
    /\ lock' = [lock EXCEPT ![from[self]] = FALSE]
    /\ /\ acc' = [acc EXCEPT ![self] = to[self]]
       /\ stack' = [stack EXCEPT ![self] = <<[procedure |-> "lockit", pc |-> "t4", acc |-> acc[self]]>> \o stack[self]]
    /\ pc' = [pc EXCEPT ![self] = "acquire"]
    /\ UNCHANGED <<balance, from, to, amount, done, count>>
t4(self) ==
    /\ pc[self] = "t4"
    /\ balance' = [balance EXCEPT ![to[self]] = @ + amount[self]]
    /\ lock' = [lock EXCEPT ![to[self]] = FALSE]
    /\ pc' = [pc EXCEPT ![self] = "t6"]
    /\ UNCHANGED <<stack, from, to, amount, acc, done, count>>
t5(self) ==
    /\ pc[self] = "t5"
    /\ lock' = [lock EXCEPT ![from[self]] = FALSE]
    /\ pc' = [pc EXCEPT ![self] = "t6"]
    /\ UNCHANGED <<balance, stack, from, to, amount, acc, done, count>>
t6(self) ==
    /\ pc[self] = "t6"
    /\ pc' = [pc EXCEPT ![self] = Head(stack[self]).pc]
    /\ from' = [from EXCEPT ![self] = Head(stack[self]).from]
    /\ to' = [to EXCEPT ![self] = Head(stack[self]).to]
    /\ amount' = [amount EXCEPT ![self] = Head(stack[self]).amount]
    /\ stack' = [stack EXCEPT ![self] = Tail(stack[self])]
    /\ UNCHANGED <<balance, lock, acc, done, count>>
loop(self) ==
    /\ pc[self] = "loop"
    /\ IF done[self] < 2
       THEN \E f \in Account : \E t \in Account \ {f} : \E k \in 1..2 :
              /\ /\ from' = [from EXCEPT ![self] = f]
                 /\ to' = [to EXCEPT ![self] = t]
                 /\ amount' = [amount EXCEPT ![self] = k]
                 /\ stack' = [stack EXCEPT ![self] = <<[procedure |-> "transfer", pc |-> "after", from |-> from[self], to |-> to[self], amount |-> amount[self]]>> \o stack[self]]
              /\ pc' = [pc EXCEPT ![self] = "t1"]
       ELSE /\ pc' = [pc EXCEPT ![self] = "Done"]
            /\ UNCHANGED <<stack, from, to, amount>>
    /\ UNCHANGED <<balance, lock, acc, done, count>>
after(self) ==
    /\ pc[self] = "after"
    /\ done' = [done EXCEPT ![self] = @ + 1]
    /\ count' = count + 1
    /\ Assert(count' <= 100, "Failure of assertion at line 30, column 9.")
    /\ pc' = [pc EXCEPT ![self] = "loop"]
    /\ UNCHANGED <<balance, lock, stack, from, to, amount, acc>>
lockit(self) == acquire(self)
transfer(self) == t1(self) \/ t2(self) \/ t3(self) \/ t4(self) \/ t5(self) \/ t6(self)
worker(self) == loop(self) \/ after(self)
Terminating == /\ \A self \in ProcSet : pc[self] = "Done"
               /\ UNCHANGED vars
Next == (\E self \in ProcSet : lockit(self) \/ transfer(self)) \/ (\E self \in Proc : worker(self)) \/ Terminating
Spec == Init /\ [][Next]_vars
NonNegative == \A a \in Account : balance[a] >= 0
RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})
Total == (\A self \in ProcSet : pc[self] \in {"loop", "after", "Done"}) => Sum(balance, Account) = Start * Cardinality(Account)
====
