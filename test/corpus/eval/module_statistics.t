# Operators of Statistics. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Statistics

ChiSquare(<<10, 10>>, <<10, 10>>, "0.2")
TRUE

ChiSquare(<<10, 10>>, <<1, 19>>, "0.2")
FALSE

ChiSquare(<<10, 10, 10>>, <<9, 11, 10>>, "0.05")
TRUE

ChiSquare(<<100, 100, 100>>, <<60, 140, 100>>, "0.05")
FALSE

ChiSquare(<<1, 1>>, <<52, 48>>, "0.05")
TRUE

ChiSquare(<<1, 1>>, <<70, 30>>, "0.05")
FALSE

ChiSquare([x \in 1 .. 6 |-> 10], [x \in 1 .. 6 |-> x * 3], "0.5")
FALSE

ChiSquare([x \in 1 .. 6 |-> 10], [x \in 1 .. 6 |-> 9 + (x % 2)], "0.5")
TRUE

ChiSquare(<<1, 1>>, <<70, 30>>, 3)
%%FAIL The third argument of ChiSquare should be a StringValue representing a double in (0, .5], but instead it is: 3

ChiSquare(3, <<70, 30>>, "0.05")
%%FAIL

ChiSquare(<<1, 1>>, <<70, 30, 5>>, "0.05")
%%FAIL

ChiSquare(<<1, 1>>, <<70, 30>>, "0.9")
%%FAIL

# 4 of 4 degrees of freedom: 0.40601
ChiSquare(<<10, 10, 10, 10, 10>>, <<14, 6, 12, 8, 10>>, "0.405")
TRUE

ChiSquare(<<10, 10, 10, 10, 10>>, <<14, 6, 12, 8, 10>>, "0.407")
FALSE

# 10 of 4: 0.04043
ChiSquare(<<10, 10, 10, 10, 10>>, <<15, 5, 15, 5, 10>>, "0.04")
TRUE

ChiSquare(<<10, 10, 10, 10, 10>>, <<15, 5, 15, 5, 10>>, "0.041")
FALSE

# 1.6 of 1: 0.20590
ChiSquare(<<10, 10>>, <<8, 12>>, "0.371")
TRUE

ChiSquare(<<20, 20>>, <<16, 24>>, "0.205")
TRUE

ChiSquare(<<20, 20>>, <<16, 24>>, "0.207")
FALSE
