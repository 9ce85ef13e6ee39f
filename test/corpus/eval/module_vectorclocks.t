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
