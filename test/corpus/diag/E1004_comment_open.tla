---- MODULE E1004_comment_open ----
(* one (* two *)
A == 1
====
