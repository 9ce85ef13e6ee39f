# Operators of UndirectedGraphs. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, UndirectedGraphs, FiniteSets

IsUndirectedGraph([node |-> {1, 2}, edge |-> {{1, 2}}])
TRUE

IsUndirectedGraph([node |-> {1, 2}, edge |-> {{1, 3}}])
FALSE

IsLoopFreeUndirectedGraph([node |-> {1, 2}, edge |-> {{1}}])
FALSE

IsLoopFreeUndirectedGraph([node |-> {1, 2}, edge |-> {{1, 2}}])
TRUE

Cardinality(UndirectedSubgraph([node |-> {1, 2}, edge |-> {{1, 2}}]))
5

SimplePath([node |-> {1, 2, 3}, edge |-> {{1, 2}, {2, 3}}])
{<<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 1>>, <<2, 3>>, <<3, 2>>, <<1, 2, 3>>, <<3, 2, 1>>}

SimplePath([node |-> {1}, edge |-> {{1}}])
{<<1>>}

SimplePath([node |-> {}, edge |-> {}])
{}

SimplePath(3)
%%FAIL The first argument of SimplePath should be a record of an undirected graph with a node and an edge field, but instead it is: 3

AreConnectedIn(1, 3, [node |-> {1, 2, 3}, edge |-> {{1, 2}, {2, 3}}])
TRUE

AreConnectedIn(3, 1, [node |-> {1, 2, 3}, edge |-> {{1, 2}, {2, 3}}])
TRUE

AreConnectedIn(1, 3, [node |-> {1, 2, 3}, edge |-> {{1, 2}}])
FALSE

AreConnectedIn(5, 5, [node |-> {1, 2, 3}, edge |-> {{1, 2}}])
FALSE

ConnectedComponents([node |-> {1, 2, 3}, edge |-> {{1, 2}}])
{{3}, {1, 2}}

ConnectedComponents([node |-> {1, 2, 3}, edge |-> {}])
{{1}, {2}, {3}}

ConnectedComponents([node |-> {1, 2, 3, 4}, edge |-> {{1, 4}, {2, 3}, {3}}])
{{1, 4}, {2, 3}}

ConnectedComponents([node |-> {}, edge |-> {}])
{}

ConnectedComponents([node |-> {1}, edge |-> {{1, 2}}])
{{1}}

IsStronglyConnected([node |-> {1, 2, 3}, edge |-> {{1, 2}, {2, 3}}])
TRUE

IsStronglyConnected([node |-> {1, 2, 3}, edge |-> {{1, 2}}])
FALSE

IsStronglyConnected([node |-> {}, edge |-> {}])
FALSE

UndirectedGraphs({1})
{[node |-> {1}, edge |-> {}], [node |-> {1}, edge |-> {{1}}]}

Cardinality(UndirectedGraphs({1, 2, 3}))
64
