---- MODULE E2008_proof ----
THEOREM T
<1>1. HAVE P
  BY Q
<1>2. QED
====
