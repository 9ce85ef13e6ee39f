# Operators of SVG. Values and messages were computed by TLC (tlaplus/tlaplus cc6b616, CommunityModules a8068a4); what is blank after
# %%FAIL has a message of the Java machine there.
%EXTENDS Integers, Sequences, SVG

Line(1, 2, 3, 4, <<>>)
[name |-> "line", attrs |-> [x1 |-> "1", y1 |-> "2", x2 |-> "3", y2 |-> "4"], children |-> <<>>, innerText |-> ""]

SVGElemToString(Line(1, 2, 3, 4, <<>>))
"<line x1='1' y1='2' x2='3' y2='4'></line>"

SVGElemToString(Circle(1, 2, 3, [fill |-> "red"]))
"<circle cx='1' cy='2' r='3' fill='red'></circle>"

SVGElemToString(Rect(1, 2, 3, 4, [stroke_width |-> "2"]))
"<rect x='1' y='2' width='3' height='4' stroke-width='2'></rect>"

SVGElemToString(Text(1, 2, "hi <<1, 2>>", <<>>))
"<text x='1' y='2'>hi &lt;&lt;1, 2&gt;&gt;</text>"

SVGElemToString(Group(<<Circle(1, 2, 3, <<>>), Text(4, 5, "t1", <<>>)>>, <<>>))
"<g><circle cx='1' cy='2' r='3'></circle><text x='4' y='5'>t1</text></g>"

SVGElemToString(Group(<<>>, [class |-> "g1"]))
"<g class='g1'></g>"

SVGElemToString(Svg(<<>>, <<>>))
"<svg></svg>"

SVGElemToString(SVGElem("p", <<>>, <<>>, ""))
"<p></p>"

SVGElemToString(SVGElem("p", [aa |-> 3], <<>>, ""))
%%FAIL

SVGElemToString(3)
%%FAIL

NodeOfRingNetwork(10, 10, 5, 1, 4)
[x |-> 10, y |-> 15]

NodeOfRingNetwork(10, 10, 5, 2, 4)
[x |-> 5, y |-> 10]

NodeOfRingNetwork(0, 0, 100, 1, 3)
[x |-> -49, y |-> 86]

NodeOfRingNetwork(10, 10, 5, 0, 1)
[x |-> 15, y |-> 10]

PointOnLine([x |-> 0, y |-> 0], [x |-> 10, y |-> 20], 2)
[x |-> 5, y |-> 10]

PointOnLine([x |-> 5, y |-> 5], [x |-> 0, y |-> 0], 3)
[x |-> 3, y |-> 3]

PointOnLine([x |-> -5, y |-> -5], [x |-> 0, y |-> 0], 2)
[x |-> -2, y |-> -2]

DOMAIN NodesOfDirectedMultiGraph({1, 2}, {<<1, 2>>}, [algo |-> "Sugiyama", layering |-> "LONGEST_PATH", view_width |-> 100, view_height |-> 100, node_width |-> 10, node_height |-> 10]) = {1, 2}
TRUE

NodesOfDirectedMultiGraph({1, 2, 3, 4}, {<<1, 2>>, <<1, 3>>, <<2, 4>>, <<4, 4>>, <<9, 1>>}, [view_width |-> 100, view_height |-> 90])
<<[x |-> 50, y |-> 15], [x |-> 25, y |-> 45], [x |-> 75, y |-> 45], [x |-> 50, y |-> 75]>>

NodesOfDirectedMultiGraph({1, 2}, {<<1, 2>>, <<2, 1>>}, [view_width |-> 100, view_height |-> 100])
<<[x |-> 50, y |-> 25], [x |-> 50, y |-> 75]>>

NodesOfDirectedMultiGraph({1, 2}, {<<1>>}, [view_width |-> 100, view_height |-> 100])
%%FAIL The second argument of NodesOfDirectedMultiGraph should be a set of pairs

NodesOfDirectedMultiGraph({1, 2}, {}, [view_height |-> 100])
%%FAIL The third argument of NodesOfDirectedMultiGraph should be a record with view_width

PointOnLine([x |-> 5], [x |-> 0, y |-> 0], 3)
%%FAIL The first argument of PointOnLine should be a record with x and y

NodeOfRingNetwork(0, 0, 2147483647, 7, 8)
[x |-> 1518500249, y |-> -1518500249]

PointOnLine([x |-> 2147483647, y |-> -2147483647], [x |-> 0, y |-> 0], 0)
[x |-> -2147483648, y |-> 2147483647]
