---- MODULE E4011_argument_is_primed ----
VARIABLE x
Later(e) == e'
Next == Later(x') = 1
====
