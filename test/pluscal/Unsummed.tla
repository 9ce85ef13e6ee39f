------------------------------- MODULE Unsummed -------------------------------
(* PlusCal options: version and so on are not read here, but
   PlusCal options (wf, label labelRoot L_)
   are. *)
(* --algorithm Unsummed
variables x
begin
  x := 1;
  x := 2;
A: x := 3;
end algorithm *)

\** BEGIN   TRANSLATION
 gone
\* END TRANSLATION   
=============================================================================
