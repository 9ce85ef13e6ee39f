# Operators of DyadicRationals. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, DyadicRationals

Zero
[num |-> 0, den |-> 1]

One
[num |-> 1, den |-> 1]

Half(One)
[num |-> 1, den |-> 2]

Half(Half(One))
[num |-> 1, den |-> 4]

Half(Zero)
[num |-> 0, den |-> 1]

Add(One, One)
[num |-> 2, den |-> 1]

Add(Half(One), Half(One))
[num |-> 1, den |-> 1]

Add(Half(One), Half(Half(One)))
[num |-> 3, den |-> 4]

Add(Zero, Half(One))
[num |-> 1, den |-> 2]

Add(Half(One), Zero)
[num |-> 1, den |-> 2]

Add(Half(Half(One)), Half(Half(One)))
[num |-> 1, den |-> 2]

Add([num |-> 3, den |-> 4], [num |-> 1, den |-> 8])
[num |-> 7, den |-> 8]

IsDyadicRational(One)
TRUE

IsDyadicRational([num |-> 1, den |-> 3])
FALSE

IsDyadicRational([num |-> 5, den |-> 8])
TRUE

PrettyPrint(Zero)
"0"

PrettyPrint(One)
"1"

PrettyPrint(Half(One))
"1/2"

PrettyPrint([num |-> 3, den |-> 4])
"3/4"
