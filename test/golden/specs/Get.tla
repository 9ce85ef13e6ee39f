---- MODULE Get ----
EXTENDS TLC, TLCExt, Naturals
VARIABLES x, y
CONSTANT S
Init == x = 0 /\ y \in {1, 2}
A(i) == x < 3 /\ x' = x + i /\ y' = y
B == x' = 0 /\ UNCHANGED y
Next == (\E i \in S : A(i)) \/ B
vars == <<x, y>>
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Inv == x < 10
Cons == x < 10
ACons == x' < 10
P1 == [][x' < 10]_vars
P2 == []<>(x = 0)
P3 == x = 0
P4 == x = 0 /\ [][x' < 20]_vars /\ <>(x=0)
PI == [](x<30)
Post == /\ PrintT(<<"spec", TLCGet("spec")>>)
        /\ PrintT(<<"config", [TLCGet("config") EXCEPT !.install = "", !.seed = 0, !.fingerprint = 0]>>)
        /\ PrintT(<<"stats", [TLCGet("stats") EXCEPT !.duration = 0]>>)
        /\ PrintT(<<"action", TLCGet("action")>>)
        /\ PrintT(<<"level", TLCGet("level")>>)
        /\ PrintT(<<"all", TLCGet("all")>>)
        /\ PrintT(<<"named", TLCGet("all:named")>>)
        /\ PrintT(<<"-D", TLCSet("-Dfoo", "bar"), TLCGet("-Dfoo")>>)
        /\ PrintT(<<"-D", TLCSet("-Dfoo", 12), TLCGet("-Dfoo")>>)
        /\ PrintT(<<"diam", TLCGet("diameter")>>)
        /\ PrintT(<<"gen", TLCGet("generated"), TLCGet("distinct"), TLCGet("queue")>>)
A1 == TLCSet(1, 5) /\ TLCSet(3, <<7>>) /\ TLCSet("s:foo", 9) /\ TLCSet("pause", FALSE) /\ TLCSet("exit", FALSE)
ASSUME A1
ASSUME PrintT(TLCGet(1))
====
