-------------------------------- MODULE Plain --------------------------------
EXTENDS Integers
(* --algorithm Plain
variable total = 0;
begin
  A: while total < 3 do
    total := total + 1;
    B: if total = 2 then total := total + 1; end if;
    C: either total := total; or skip; end either;
  end while;
  total := 0;
  goto Away;
  Away: skip;
end algorithm *)
=============================================================================
