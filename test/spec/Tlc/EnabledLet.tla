---- MODULE EnabledLet ----
\* A primed variable behind a LET; errors of modules keep their own exit status.
EXTENDS Naturals, Sequences
VARIABLE a
Init == a = 0
Next == UNCHANGED a
Reached == ENABLED ((LET y == a' IN y) = 0)
NextHead == a' = Head(<<>>)
NextPlus == a' = "a" + 1
NextApply == a' = <<1>>[2]
====
