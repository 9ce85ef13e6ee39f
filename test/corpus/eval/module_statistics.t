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

# On both sides of the probability, which has a closed form for these numbers of degrees of freedom

ChiSquare(<<10, 10>>, <<12, 8>>, "0.370351182784")
TRUE

ChiSquare(<<10, 10>>, <<12, 8>>, "0.371835556262")
FALSE

ChiSquare(<<10, 10>>, <<13, 7>>, "0.179353069889")
TRUE

ChiSquare(<<10, 10>>, <<13, 7>>, "0.180071919869")
FALSE

ChiSquare(<<1, 1>>, <<12, 8>>, "0.370351182784")
TRUE

ChiSquare(<<1, 1>>, <<12, 8>>, "0.371835556262")
FALSE

ChiSquare(<<10, 10>>, <<15, 5>>, "0.025296624040")
TRUE

ChiSquare(<<10, 10>>, <<15, 5>>, "0.025398013315")
FALSE

ChiSquare(<<3, 1>>, <<20, 20>>, "0.000260208174")
TRUE

ChiSquare(<<3, 1>>, <<20, 20>>, "0.000261251092")
FALSE

ChiSquare(<<10, 10, 10>>, <<13, 9, 8>>, "0.495592133184")
TRUE

ChiSquare(<<10, 10, 10>>, <<13, 9, 8>>, "0.497578474399")
FALSE

ChiSquare(<<10, 10, 10>>, <<18, 6, 6>>, "0.008213287555")
TRUE

ChiSquare(<<10, 10, 10>>, <<18, 6, 6>>, "0.008246206543")
FALSE

ChiSquare(<<10, 10, 10, 10>>, <<12, 8, 13, 7>>, "0.456574567784")
TRUE

ChiSquare(<<10, 10, 10, 10>>, <<12, 8, 13, 7>>, "0.458404525972")
FALSE

ChiSquare(<<10, 10, 10, 10>>, <<15, 5, 12, 8>>, "0.121513106472")
TRUE

ChiSquare(<<10, 10, 10, 10>>, <<15, 5, 12, 8>>, "0.122000132951")
FALSE

ChiSquare(<<10, 10, 10, 10>>, <<20, 5, 5, 10>>, "0.001813015669")
TRUE

ChiSquare(<<10, 10, 10, 10>>, <<20, 5, 5, 10>>, "0.001820282265")
FALSE

ChiSquare(<<10, 10, 10, 10, 10>>, <<14, 6, 13, 7, 10>>, "0.286722900193")
TRUE

ChiSquare(<<10, 10, 10, 10, 10>>, <<14, 6, 13, 7, 10>>, "0.287872090174")
FALSE

ChiSquare(<<10, 10, 10, 10, 10>>, <<16, 4, 14, 6, 10>>, "0.034134294010")
TRUE

ChiSquare(<<10, 10, 10, 10, 10>>, <<16, 4, 14, 6, 10>>, "0.034271104808")
FALSE

ChiSquare(<<5, 10, 15, 20, 10>>, <<9, 6, 20, 15, 10>>, "0.102321046665")
TRUE

ChiSquare(<<5, 10, 15, 20, 10>>, <<9, 6, 20, 15, 10>>, "0.102731151060")
FALSE

ChiSquare(<<10, 10, 10, 10, 10, 10, 10>>, <<14, 6, 15, 5, 13, 7, 10>>, "0.124402715444")
TRUE

ChiSquare(<<10, 10, 10, 10, 10, 10, 10>>, <<14, 6, 15, 5, 13, 7, 10>>, "0.124901323522")
FALSE

ChiSquare(<<10, 10, 10, 10, 10, 10, 10>>, <<18, 2, 16, 4, 15, 5, 10>>, "0.000340771688")
TRUE

ChiSquare(<<10, 10, 10, 10, 10, 10, 10>>, <<18, 2, 16, 4, 15, 5, 10>>, "0.000342137506")
FALSE

ChiSquare(<<2, 3>>, <<0, 5>>, "0.067753376552")
TRUE

ChiSquare(<<2, 3>>, <<0, 5>>, "0.068024933172")
FALSE

ChiSquare(<<10, 20>>, <<12, 18>>, "0.5")
FALSE

ChiSquare(<<10, 20>>, <<12, 18>>, "0.51")
%%FAIL

ChiSquare(<<10, 20>>, <<12, 18>>, "0")
%%FAIL

ChiSquare(<<10, 20>>, <<12, 18>>, "0.05x")
%%FAIL

ChiSquare(<<10, 20>>, <<12, 18>>, "")
%%FAIL

ChiSquare(<<10>>, <<10>>, "0.05")
%%FAIL

ChiSquare(<<10, 20, 30>>, <<10, 20>>, "0.05")
%%FAIL
