---- MODULE Same ----
EXTENDS Naturals
(* --algorithm Same
process P \in {1, 2}
variables v = 0;
begin
A: while v < 3 do
     v := v + 1;
B:   if v = 2 then
C:     v := 5;
       goto D;
     else
D:     v := v + 1;
E:     either
F:       v := 6;
       or
         skip;
       end either;
     end if;
   end while;
end process
process Q = 3
variables v = 1;
begin
A: while v < 3 do
     v := v + 1;
B:   if v = 2 then
C:     v := 5;
       goto D;
     elsif v = 7 then
G:     v := 8;
     else
D:     v := v + 1;
E:     either
F:       v := 6;
       or
H:       v := 9;
       end either;
     end if;
   end while;
end process
end algorithm; *)
====
