# Operators of Combinatorics. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Combinatorics

choose(5, 2)
10

choose(5, 0)
1

choose(5, 5)
1

choose(0, 0)
1

choose(10, 3)
120

choose(30, 15)
155117520

choose(-1, 2)
%%FAIL The first argument of choose should be a natural number, but instead it is: -1

choose(5, -1)
%%FAIL The second argument of choose should be a natural number, but instead it is: -1

choose("aa", 1)
%%FAIL The first argument of choose should be a natural number, but instead it is: "aa"

factorial[0]
1

factorial[5]
120

factorial[10]
3628800
