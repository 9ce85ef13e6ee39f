-------------------------------- MODULE Unlabeled --------------------------------
EXTENDS Integers
(* --algorithm Unlabeled
variable total = 0;
begin
  while total < 3 do
    total := total + 1;
    if total = 2 then total := total + 1; end if;
    either total := total; or skip; end either;
  end while;
  total := 0;
  goto Away;
  Away: skip;
end algorithm *)
=============================================================================
