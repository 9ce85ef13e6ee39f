# Operators of VectorClocks. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Sequences, VectorClocks

IsCausalOrder(<<>>, LAMBDA e : e)
TRUE

IsCausalOrder(<<<<1, 0>>, <<1, 1>>>>, LAMBDA e : e)
TRUE

IsCausalOrder(<<<<1, 1>>, <<1, 0>>>>, LAMBDA e : e)
FALSE

IsCausalOrder(<<<<1, 0>>, <<0, 1>>>>, LAMBDA e : e)
TRUE

IsCausalOrder(<<<<1, 0>>, <<1, 0>>>>, LAMBDA e : e)
FALSE

CausalOrder(<<[n |-> 1, c |-> <<1, 0>>], [n |-> 2, c |-> <<1, 1>>]>>, LAMBDA e : e.c, LAMBDA e : e.n, LAMBDA c : DOMAIN c)
<<[n |-> 1, c |-> <<1, 0>>], [n |-> 2, c |-> <<1, 1>>]>>

CausalOrder(<<[n |-> 2, c |-> <<1, 1>>], [n |-> 1, c |-> <<1, 0>>]>>, LAMBDA e : e.c, LAMBDA e : e.n, LAMBDA c : DOMAIN c)
<<[n |-> 1, c |-> <<1, 0>>], [n |-> 2, c |-> <<1, 1>>]>>

CausalOrder(<<[n |-> 1, c |-> <<2, 0>>], [n |-> 2, c |-> <<1, 1>>], [n |-> 1, c |-> <<1, 0>>]>>, LAMBDA e : e.c, LAMBDA e : e.n, LAMBDA c : DOMAIN c)
<<[n |-> 1, c |-> <<1, 0>>], [n |-> 2, c |-> <<1, 1>>], [n |-> 1, c |-> <<2, 0>>]>>

# TLC with the community modules puts them into the same order.
CausalOrder(<<[n |-> 2, c |-> <<2, 2>>], [n |-> 1, c |-> <<2, 0>>], [n |-> 1, c |-> <<1, 0>>], [n |-> 2, c |-> <<0, 1>>]>>, LAMBDA e : e.c, LAMBDA e : e.n, LAMBDA c : DOMAIN c)
<<[n |-> 1, c |-> <<1, 0>>], [n |-> 2, c |-> <<0, 1>>], [n |-> 1, c |-> <<2, 0>>], [n |-> 2, c |-> <<2, 2>>]>>

CausalOrder(<<[n |-> 1, c |-> <<1, 0>>], [n |-> 1, c |-> <<2, 2>>], [n |-> 2, c |-> <<0, 1>>], [n |-> 2, c |-> <<0, 2>>]>>, LAMBDA e : e.c, LAMBDA e : e.n, LAMBDA c : DOMAIN c)
<<[n |-> 1, c |-> <<1, 0>>], [n |-> 2, c |-> <<0, 1>>], [n |-> 2, c |-> <<0, 2>>], [n |-> 1, c |-> <<2, 2>>]>>

# TLC begins with the third node: any causal order will do.
LET log == <<<<1, <<3, 2, 1>>>>, <<1, <<2, 2, 0>>>>, <<1, <<1, 0, 0>>>>, <<2, <<1, 2, 0>>>>, <<2, <<0, 1, 0>>>>, <<3, <<0, 0, 1>>>>, <<3, <<3, 2, 2>>>>>> sorted == CausalOrder(log, LAMBDA e : e[2], LAMBDA e : e[1], LAMBDA c : DOMAIN c) IN <<Len(sorted), Range(sorted) = Range(log), IsCausalOrder(sorted, LAMBDA e : e[2])>>
<<7, TRUE, TRUE>>
