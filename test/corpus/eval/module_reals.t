# Reals: the module can be extended; there are no numbers but integers.

%EXTENDS Reals

Real = Real
TRUE

7 - 3
4
