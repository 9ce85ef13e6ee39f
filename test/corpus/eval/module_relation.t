# Operators of Relation. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Relation, TLC

IsReflexiveUnder(=, {1, 2, 3})
TRUE

IsReflexiveUnder(<, {1, 2, 3})
FALSE

IsReflexiveUnder(<, {})
TRUE

IsIrreflexiveUnder(<, {1, 2, 3})
TRUE

IsIrreflexiveUnder(<=, {1, 2, 3})
FALSE

IsSymmetricUnder(=, {1, 2, 3})
TRUE

IsSymmetricUnder(<, {1, 2, 3})
FALSE

IsAntiSymmetricUnder(<=, {1, 2, 3})
TRUE

IsAntiSymmetricUnder(#, {1, 2})
FALSE

IsAsymmetricUnder(<, {1, 2, 3})
TRUE

IsAsymmetricUnder(<=, {1, 2, 3})
FALSE

IsTransitiveUnder(<, {1, 2, 3})
TRUE

IsTransitiveUnder(#, {1, 2})
FALSE

IsStrictlyPartiallyOrderedUnder(<, {1, 2, 3})
TRUE

IsStrictlyPartiallyOrderedUnder(<=, {1, 2, 3})
FALSE

IsPartiallyOrderedUnder(<=, {1, 2, 3})
TRUE

IsPartiallyOrderedUnder(<, {1, 2, 3})
FALSE

IsStrictlyTotallyOrderedUnder(<, {1, 2, 3})
TRUE

IsTotallyOrderedUnder(<=, {1, 2, 3})
TRUE

IsTotallyOrderedUnder(\subseteq, SUBSET {1, 2})
FALSE

IsPartiallyOrderedUnder(\subseteq, SUBSET {1, 2})
TRUE

IsReflexive([p \in {1, 2} \X {1, 2} |-> p[1] = p[2]], {1, 2})
TRUE

IsSymmetric([p \in {1, 2} \X {1, 2} |-> p[1] <= p[2]], {1, 2})
FALSE

TransitiveClosure([p \in {1, 2, 3} \X {1, 2, 3} |-> p[2] = p[1] + 1], {1, 2, 3})
(<<1, 1>> :> FALSE @@ <<1, 2>> :> TRUE @@ <<1, 3>> :> TRUE @@ <<2, 1>> :> FALSE @@ <<2, 2>> :> FALSE @@ <<2, 3>> :> TRUE @@ <<3, 1>> :> FALSE @@ <<3, 2>> :> FALSE @@ <<3, 3>> :> FALSE)

TransitiveClosure([p \in {1, 2} \X {1, 2} |-> FALSE], {1, 2})
(<<1, 1>> :> FALSE @@ <<1, 2>> :> FALSE @@ <<2, 1>> :> FALSE @@ <<2, 2>> :> FALSE)

ReflexiveTransitiveClosure([p \in {1, 2} \X {1, 2} |-> FALSE], {1, 2})
(<<1, 1>> :> TRUE @@ <<1, 2>> :> FALSE @@ <<2, 1>> :> FALSE @@ <<2, 2>> :> TRUE)

TransitiveClosure([p \in {1, 2} \X {1, 2} |-> TRUE], {})
<<>>

IsConnected([p \in {1, 2} \X {1, 2} |-> p[1] # p[2]], {1, 2})
TRUE

IsConnected([p \in {1, 2} \X {1, 2} |-> p[1] < p[2]], {1, 2})
FALSE

IsConnected([p \in {1, 2, 3} \X {1, 2, 3} |-> p[2] = (p[1] % 3) + 1], {1, 2, 3})
TRUE
