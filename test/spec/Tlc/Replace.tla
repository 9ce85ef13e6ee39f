---- MODULE Replace ----
\* Replacements in the configuration: mutual recursion through one, and mistakes.
EXTENDS Naturals
CONSTANTS Limit, Odd(_)
VARIABLE n
Even(i) == IF i = 0 THEN TRUE ELSE Odd(i - 1)
OddToo(i) == IF i = 0 THEN FALSE ELSE Even(i - 1)
Five == 5
Now == n
Loop(i) == Odd(i)
Init == n = 0
Next == n < Limit /\ n' = n + 1
Right == Even(n) = (n % 2 = 0)
====
