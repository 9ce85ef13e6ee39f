# Operators of TLCExt. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Sequences, TLC, TLCExt

AssertEq(1, 1)
TRUE

AssertError("Attempted to apply Head to the empty sequence.", Head(<<>>))
TRUE

AssertError("something else", Head(<<>>))
FALSE

AssertError("no error", 3)
FALSE

TLCNoOp(5)
5

TLCModelValue("mv1")
mv1

TLCModelValue(3)
%%FAIL The argument of ModelValue should be a string, but instead it is: 3

{TLCModelValue("mv1"), TLCModelValue("mv1")}
{mv1}

TLCModelValue("mv1") = 3
FALSE

ToTrace(3)
%%FAIL The argument of ToTrace should be a CounterExample, but instead it is: 3
