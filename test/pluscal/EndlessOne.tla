------------------------------ MODULE EndlessOne ------------------------------
EXTENDS Integers
(*--algorithm EndlessOne
variable bit = 0
begin while TRUE do bit := 1 - bit end while end algorithm*)
=============================================================================
