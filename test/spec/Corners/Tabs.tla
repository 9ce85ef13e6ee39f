---- MODULE Tabs ----
\* A tab ends at the next multiple of eight: the bullets stand below each other.
EXTENDS Naturals
VARIABLE x
Init == x = 0
Low ==
	/\ x < 3 \/ x = 9
  	/\ x' = x + 1
High ==
		\/ x = 3 /\ x' = 8
       	 	\/ x = 4 /\ x' = 9
                \/ x = 8
		   /\ x' = 0
Next == Low \/ High
====
