# Small specifications, one for each verdict. Read by the golden tests *-matrix.
make_specs() { # directory
    local name body config
    while IFS=@ read -r name body config; do
        printf -- '---- MODULE %s ----\nEXTENDS Integers, Sequences, TLC\nVARIABLES x, y\nvars == <<x, y>>\n%b\n====\n' "$name" "$body" >"$1/$name.tla"
        printf '%b\n' "$config" >"$1/$name.cfg"
    done <<'END'
Fine@Init == x = 0 /\\ y = "a"\nStep(n) == x < 3 /\\ x' = x + n /\\ y' = y\nNext == \\/ \\E n \\in {1, 2} : Step(n)\n        \\/ x >= 3 /\\ x' = 0 /\\ UNCHANGED y\nInv == x < 9@INIT Init\nNEXT Next\nINVARIANT Inv
Inv@Init == x \\in {0, 1} /\\ y = <<>>\nGrow == x < 4 /\\ x' = x + 1 /\\ y' = Append(y, x)\nStay == x > 0 /\\ UNCHANGED vars\nNext == Grow \\/ Stay\nInv == /\\ x >= 0\n       /\\ Len(y) < 2\nSmall == x < 4@INIT Init\nNEXT Next\nINVARIANTS Inv Small\nCHECK_DEADLOCK FALSE
Dead@Init == x = 0 /\\ y = [a |-> 1]\nNext == x < 2 /\\ x' = x + 1 /\\ y' = [y EXCEPT !.a = x]@INIT Init\nNEXT Next
Fails@Init == x = 0 /\\ y = <<1, 2>>\nNext == x' = x + y[x + 1] /\\ y' = y@INIT Init\nNEXT Next
Lasso@Init == x = 0 /\\ y = 0\nUp == x' = (x + 1) % 3 /\\ y' = y\nOut == x = 2 /\\ y' = 1 /\\ x' = x\nNext == Up \\/ Out\nSpec == Init /\\ [][Next]_vars /\\ WF_vars(Next)\nProp == <>(y = 1)@SPECIFICATION Spec\nPROPERTY Prop
Stutter@Init == x = 0 /\\ y = 0\nNext == x' = (x + 1) % 3 /\\ y' = y\nSpec == Init /\\ [][Next]_vars\nProp == (x = 1) ~> (x = 2)@SPECIFICATION Spec\nPROPERTY Prop
Act@Init == x = 0 /\\ y = {}\nNext == x' = (x + 1) % 4 /\\ y' = y \\cup {x}\nProp == [][x' > x]_vars@INIT Init\nNEXT Next\nPROPERTY Prop
Init@Init == x \\in 1..3 /\\ y = x\nNext == UNCHANGED vars\nInv == x < 3@INIT Init\nNEXT Next\nINVARIANT Inv
None@Init == x = 0 /\\ y = 1 /\\ x = y\nNext == UNCHANGED vars@INIT Init\nNEXT Next
END
}
# Fingerprints by order of first appearance.
number() {
    awk '{ while (match($0, /-?[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]+/)) {
        fp = substr($0, RSTART, RLENGTH); if (!(fp in name)) name[fp] = "s" ++n
        $0 = substr($0, 1, RSTART - 1) name[fp] substr($0, RSTART + RLENGTH) } print }'
}
