----------------------------- MODULE Procedures -----------------------------
EXTENDS Integers, Sequences, TLC

(* --algorithm Procedures
variables total = 0, depth = 0;

procedure Sum(n, acc = 0)
  variable half = n \div 2, rest;
begin
S1: if n = 0 then
      total := acc;
      return;
    else
      rest := n - half;
    end if;
S2: call Sum(half, acc + 1);
S3: call Other(rest);
    return;
end procedure;

procedure Other(m)
begin
O1: depth := depth + m;
    either
      call Other(m - 1);
      return;
    or
      call Sum(1, 2);
      goto O3;
    or
      skip;
    end either;
O2: total := total + m;
O3: if depth > 3 then return; end if;
O4: return;
end procedure;

procedure Nothing()
begin
N1: skip;
N2: return
end procedure

begin
B1: call Sum(3, 0);
B2: call Nothing();
B3: while total < 10 do
      call Other(total);
B4:   total := total + 1;
    end while;
end algorithm; *)
=============================================================================
