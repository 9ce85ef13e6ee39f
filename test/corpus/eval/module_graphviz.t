# The operator of GraphViz. TLC names nodes by their fingerprints, which are others.
%EXTENDS Integers, GraphViz

DotDiGraph([node |-> {}, edge |-> {}], LAMBDA n : n, LAMBDA e : e)
"digraph MyGraph {}"

DotDiGraph([node |-> {1, 2}, edge |-> {<<1, 2>>, <<2, 2>>}], LAMBDA n : n, LAMBDA e : e)
"digraph MyGraph {4283623004155673272[label=1];-2034961223135199441[label=2];4283623004155673272->-2034961223135199441[label=<<1, 2>>];-2034961223135199441->-2034961223135199441[label=<<2, 2>>];}"

DotDiGraph([node |-> {1}, edge |-> {<<1>>}], LAMBDA n : n, LAMBDA e : e)
%%FAIL graph whose edges are pairs

DotDiGraph([node |-> {1}, edge |-> {<<1, 1>>}], LAMBDA n : n + 100, LAMBDA e : e[1] + 200)
"digraph MyGraph {4283623004155673272[label=101];4283623004155673272->4283623004155673272[label=201];}"

DotDiGraph([node |-> {1, 2}, edge |-> {<<1, 2>>, <<2, 2>>}], LAMBDA n : n + 10, LAMBDA e : e[1] + 20)
"digraph MyGraph {4283623004155673272[label=11];-2034961223135199441[label=12];4283623004155673272->-2034961223135199441[label=21];-2034961223135199441->-2034961223135199441[label=22];}"
