# Operators of Graphs. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Graphs

EmptyGraph
[node |-> {}, edge |-> {}]

IsDirectedGraph([node |-> {1, 2}, edge |-> {<<1, 2>>}])
TRUE

IsDirectedGraph([node |-> {1, 2}, edge |-> {<<1, 3>>}])
FALSE

IsDirectedGraph(EmptyGraph)
TRUE

Transpose([node |-> {1, 2}, edge |-> {<<1, 2>>}])
[node |-> {1, 2}, edge |-> {<<2, 1>>}]

IsUndirectedGraph([node |-> {1, 2}, edge |-> {<<1, 2>>, <<2, 1>>}])
TRUE

IsUndirectedGraph([node |-> {1, 2}, edge |-> {<<1, 2>>}])
FALSE

Cardinality(DirectedSubgraph([node |-> {1, 2}, edge |-> {<<1, 2>>}]))
5

Cardinality(UndirectedSubgraph([node |-> {1, 2}, edge |-> {<<1, 2>>}]))
4

SimplePath([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<2, 3>>}])
{<<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 3>>, <<1, 2, 3>>}

SimplePath([node |-> {1, 2}, edge |-> {<<1, 2>>, <<2, 1>>, <<1, 1>>}])
{<<1>>, <<2>>, <<1, 2>>, <<2, 1>>}

SimplePath(EmptyGraph)
{}

SimplePath([node |-> {1}, edge |-> {<<1, 2>>, <<1>>, 5}])
%%FAIL Attempted to compare integer 5 with non-integer: <<1, 2>>

SimplePath(3)
%%FAIL The first argument of SimplePath should be a graph record with a node and an edge field, but instead it is: 3

SimplePath([node |-> {1}])
%%FAIL The first argument of SimplePath should be a graph record whose edge field is a set, but instead it is: [node |-> {1}]

SimplePath([node |-> 1, edge |-> {}])
%%FAIL The first argument of SimplePath should be a graph record whose node field is a set, but instead it is: [node |-> 1, edge |-> {}]

AreConnectedIn(1, 3, [node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<2, 3>>}])
TRUE

AreConnectedIn(3, 1, [node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<2, 3>>}])
FALSE

AreConnectedIn(1, 1, [node |-> {1, 2, 3}, edge |-> {}])
TRUE

AreConnectedIn(4, 4, [node |-> {1, 2, 3}, edge |-> {}])
FALSE

AreConnectedIn(1, 2, 3)
%%FAIL The third argument of AreConnectedIn should be a graph record with a node and an edge field, but instead it is: 3

IsStronglyConnected([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<2, 3>>, <<3, 1>>}])
TRUE

IsStronglyConnected([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<2, 3>>}])
FALSE

IsStronglyConnected(EmptyGraph)
TRUE

IsStronglyConnected([node |-> {1}, edge |-> {}])
TRUE

ConnectionsIn([node |-> {1, 2}, edge |-> {<<1, 2>>}])
(<<1, 1>> :> TRUE @@ <<1, 2>> :> TRUE @@ <<2, 1>> :> FALSE @@ <<2, 2>> :> TRUE)

ConnectionsIn(EmptyGraph)
<<>>

IsTreeWithRoot([node |-> {1, 2, 3}, edge |-> {<<2, 1>>, <<3, 1>>}], 1)
TRUE

IsTreeWithRoot([node |-> {1, 2, 3}, edge |-> {<<2, 1>>, <<3, 1>>}], 2)
FALSE

IsTreeWithRoot([node |-> {1, 2, 3}, edge |-> {<<2, 1>>}], 1)
FALSE

GraphUnion([node |-> {1, 2}, edge |-> {<<1, 2>>}], [node |-> {2, 3}, edge |-> {<<2, 3>>}])
[node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<2, 3>>}]

IsBipartiteWithPartitions([node |-> {1, 2, 3, 4}, edge |-> {<<1, 2>>, <<2, 3>>, <<3, 4>>}], {1, 3}, {2, 4})
TRUE

IsBipartiteWithPartitions([node |-> {1, 2}, edge |-> {<<1, 2>>}], {1, 2}, {})
FALSE

HasCycle([node |-> {1, 2}, edge |-> {<<1, 2>>}])
FALSE

HasCycle([node |-> {1, 2}, edge |-> {<<1, 2>>, <<2, 1>>}])
TRUE

HasCycle([node |-> {1, 2}, edge |-> {<<1, 1>>}])
TRUE

IsDag([node |-> {1, 2}, edge |-> {<<1, 2>>}])
TRUE

IsDag([node |-> {1, 2}, edge |-> {<<1, 1>>}])
FALSE

Successors([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<1, 3>>}], 1)
{2, 3}

AllSuccessors([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<1, 3>>}], {1, 2})
{2, 3}

Predecessors([node |-> {1, 2, 3}, edge |-> {<<2, 1>>, <<3, 1>>}], 1)
{2, 3}

AllPredecessors([node |-> {1, 2, 3}, edge |-> {<<2, 1>>, <<3, 1>>}], {1, 2})
{2, 3}

Ancestors([node |-> {1, 2, 3, 4}, edge |-> {<<4, 2>>, <<2, 1>>, <<3, 1>>}], 1)
{2, 3, 4}

Descendants([node |-> {1, 2, 3, 4}, edge |-> {<<4, 2>>, <<2, 1>>, <<3, 1>>}], 4)
{1, 2}

InDegree([node |-> {1, 2, 3}, edge |-> {<<2, 1>>, <<3, 1>>}], 1)
2

OutDegree([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<1, 3>>}], 1)
2

Roots([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<1, 3>>}])
{1}

Leaves([node |-> {1, 2, 3}, edge |-> {<<1, 2>>, <<1, 3>>}])
{2, 3}

Graphs({1})
{[node |-> {1}, edge |-> {}], [node |-> {1}, edge |-> {<<1, 1>>}]}

Cardinality(Graphs({1, 2}))
16
