---- MODULE Updates ----
\* Ways of a network module to hand changes around: records that are put together by :> and @@, tuples whose parts have nothing in common,
\* recursive functions and operators that make such tuples, and operators that are handed on.
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Node, Nil

VARIABLES man, msgs, cmd, log

Init ==
    /\ man = [extra |-> {7}] @@ [sent |-> 0, recv |-> 0, conn |-> <<Node>>]
    /\ msgs = [a \in Node |-> [b \in Node \ {a} |-> <<>>]]
    /\ cmd = <<"init", 2>>
    /\ log = [a \in Node |-> <<>>]

\* ---- changes of man: records of some of its fields ----
Inc(field) == field :> man[field] + 1
IncBy(field, n) == field :> man[field] + n

Connected(a, b) == Len(SelectSeq(man.conn, LAMBDA part : {a, b} \subseteq part)) # 0

\* A field that is there or not: in one of the branches it never is.
Numbered(m, n) == IF "seq" \in DOMAIN m THEN [m EXCEPT !["seq"] = n] ELSE m @@ ("seq" :> n)

Put(m, all) ==
    IF Connected(m.src, m.dst) THEN <<1, [all EXCEPT ![m.src][m.dst] = Append(@, m)]>> ELSE <<0, all>>

\* <<how many, the messages, what happened>>
PutAll(ms) ==
    LET F[i \in 0..Len(ms)] ==
        IF i = 0
        THEN <<0, msgs, <<"put">>>>
        ELSE LET m == ms[i]
                 done == Put(Numbered(m, i), F[i - 1][2])
             IN <<done[1] + F[i - 1][1], done[2], Append(F[i - 1][3], IF done[1] = 1 THEN <<"ok", m.src>> ELSE <<"lost", m.src>>)>>
    IN F[Len(ms)]

Sending(ms) == LET all == PutAll(ms) IN [all EXCEPT ![1] = IncBy("sent", all[1])]
Counting(field, change) == <<Inc(field) @@ change[1]>> @@ change

Update(change, what) ==
    /\ man' = change[1] @@ man
    /\ msgs' = change[2]
    /\ IF Len(change) = 3 THEN cmd' = <<what, change[3]>> ELSE cmd' = <<what>>

ToOthers(n) ==
    LET others == Node \ {n}
        F[i \in 0..Cardinality(others)] ==
            IF i = 0
            THEN <<<<>>, others>>
            ELSE LET to == CHOOSE b \in F[i - 1][2] : TRUE
                     m == [src |-> n, dst |-> to] @@ [type |-> "entry", data |-> [len |-> Len(log[n]), last |-> log[n]]]
                 IN <<Append(F[i - 1][1], m), F[i - 1][2] \ {to}>>
    IN F[Cardinality(others)][1]

\* ---- operators that are handed on ----
RECURSIVE Reduce(_, _, _, _)
Reduce(Op(_, _, _), nodes, res, all) ==
    IF nodes = {} THEN res ELSE LET n == CHOOSE x \in nodes : TRUE IN Reduce(Op, nodes \ {n}, Op(n, res, all), all)

Clear(n, res, all) == (n :> ([b \in DOMAIN all[n] |-> <<>>] @@ all[n])) @@ res
CountTo(b, res, of) == res + Len(of[b])
CountFrom(a, res, all) == res + Reduce(CountTo, DOMAIN all[a], 0, all[a])
Waiting == Reduce(CountFrom, DOMAIN msgs, 0, msgs)

Send(n) ==
    /\ man.sent < 3 /\ Len(log[n]) < 2
    /\ log' = [log EXCEPT ![n] = Append(@, man.sent)]
    /\ Update(Counting("recv", Sending(ToOthers(n))), <<"Send", n>>)

Head1(a, b) ==
    LET q == msgs[a][b] IN IF Len(q) > 0 THEN q[1] ELSE Nil

Receive(a, b) ==
    /\ a # b
    /\ LET m == Head1(a, b)
       IN /\ m # Nil
          /\ log' = [log EXCEPT ![b] = IF Len(m.data.last) > Len(@) THEN m.data.last ELSE @]
          /\ Update(<<Inc("recv"), [msgs EXCEPT ![a][b] = Tail(@)], <<"got", b, a>>>>, <<"Receive", b>>)

Cut ==
    /\ man.conn = <<Node>>
    /\ Update(<<[conn |-> <<{}>>] @@ [recv |-> 0], Reduce(Clear, DOMAIN msgs, msgs, msgs)>>, <<"Cut">>)
    /\ UNCHANGED log

Next == Cut \/ (\E n \in Node : Send(n)) \/ (\E a, b \in Node : Receive(a, b))

\* Values that hold values of their own kind, in the case that never comes.
Matching ==
    \A a, b \in Node :
        LET n == IF Len(log[a]) < Len(log[b]) THEN Len(log[a]) ELSE Len(log[b])
            F[k \in 0..n] ==
                IF k = 0
                THEN <<>>
                ELSE LET key == <<k, 0>>
                     IN IF key \in DOMAIN F[k - 1] THEN F[k - 1] @@ (<<0, 0>> :> <<key, F[k - 1][key]>>) ELSE F[k - 1] @@ (key :> "entry")
        IN <<0, 0>> \notin DOMAIN F[n]

\* Definitions that only a function uses which is defined beside them.
Sorted ==
    \A a \in Node :
        LET size == Cardinality(Node)
            own == log[a]
            F[i \in 0..size] ==
                IF i = 0
                THEN <<<<>>, Node>>
                ELSE LET n == CHOOSE x \in F[i - 1][2] : TRUE
                     IN <<Append(F[i - 1][1], Len(log[n]) - Len(own)), F[i - 1][2] \ {n}>>
            lengths == SortSeq(F[size][1], LAMBDA x, y : x > y)
        IN \A i \in 1..(size - 1) : lengths[i] >= lengths[i + 1]

Types ==
    /\ man.sent \in 0..6 /\ man.extra = {7}
    /\ Waiting <= 6
====
