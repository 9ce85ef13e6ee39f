--------------------------------- MODULE SVG --------------------------------
(* Drawings. An element is a record [name, attrs, children, innerText]; attrs is a function from strings to strings
   (<< >> for none), children a sequence of elements. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(Merge, r1, r2, D1, D2, k, _name, _attrs, _children, _innerText, name, attrs, children, innerText, x1,
                y1, x2, y2, svgAttrs, cx, cy, r, x, y, w, h, width, height, text, href, vbX, vbY, vbW, vbH, elem, n, m,
                nodes, edges, options, f, from, to, segment, svg, frameNamePrefix, frameNumber, IO, format, charset,
                openOptions) ==
  <<Merge, r1, r2, D1, D2, k, _name, _attrs, _children, _innerText, name, attrs, children, innerText, x1, y1, x2,
    y2, svgAttrs, cx, cy, r, x, y, w, h, width, height, text, href, vbX, vbY, vbW, vbH, elem, n, m, nodes, edges,
    options, f, from, to, segment, svg, frameNamePrefix, frameNumber, IO, format, charset, openOptions>>

LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC
LOCAL INSTANCE FiniteSets

SVGElem(_name, _attrs, _children, _innerText) ==
  [name |-> _name, attrs |-> _attrs, children |-> _children, innerText |-> _innerText]

(* An element without children; own attributes win over those that are passed in. *)
LOCAL Shape_(kind_, own_, attrs, text) == SVGElem(kind_, own_ @@ attrs, << >>, text)
LOCAL T_(n) == ToString(n)

Line(x1, y1, x2, y2, attrs) ==
  Shape_("line", [x1 |-> T_(x1), y1 |-> T_(y1), x2 |-> T_(x2), y2 |-> T_(y2)], attrs, "")
Circle(cx, cy, r, attrs) ==
  Shape_("circle", [cx |-> T_(cx), cy |-> T_(cy), r |-> T_(r)], attrs, "")
Rect(x, y, w, h, attrs) ==
  Shape_("rect", [x |-> T_(x), y |-> T_(y), width |-> T_(w), height |-> T_(h)], attrs, "")
Text(x, y, text, attrs) ==
  Shape_("text", [x |-> T_(x), y |-> T_(y)], attrs, text)
Image(x, y, width, height, href, attrs) ==
  Shape_("image",
        [x |-> T_(x), y |-> T_(y), width |-> T_(width), height |-> T_(height)] @@ ("xlink:href" :> href),
        attrs, "")

(* Containers. *)
Group(children, attrs) == SVGElem("g", attrs, children, "")
Svg(children, attrs)   == SVGElem("svg", attrs, children, "")

(* A whole document with its view box. *)
SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
  LET box_ == T_(vbX) \o " " \o T_(vbY) \o " " \o T_(vbW) \o " " \o T_(vbH)
      own_ == [viewBox |-> box_, xmlns |-> "http://www.w3.org/2000/svg"]
               @@ ("xmlns:xlink" :> "http://www.w3.org/1999/xlink")
  IN  SVGElem("svg", own_ @@ attrs, <<children>>, "")

(* The text of an element with all that is in it. *)
SVGElemToString(elem) == CHOOSE text \in STRING : elem = elem

-----------------------------------------------------------------------------
(* Where the n-th of m nodes stands on a circle; where nodes of a graph stand; a point on a line. *)
NodeOfRingNetwork(cx, cy, r, n, m) ==
  CHOOSE point_ \in [x : cx - r .. cx + r, y : cy - r .. cy + r] : <<n, m>> = <<n, m>>
NodesOfDirectedMultiGraph(nodes, edges, options) ==
  CHOOSE place_ \in [nodes -> [x : Int, y : Int]] : <<edges, options>> = <<edges, options>>
PointOnLine(from, to, segment) ==
  [x |-> from.x + (to.x - from.x) \div segment, y |-> from.y + (to.y - from.y) \div segment]

(* Writes the drawing to the file <prefix><number>.svg, the number with at least three digits. *)
SVGSerialize(svg, frameNamePrefix, frameNumber) ==
  LET IO   == INSTANCE IOUtils
      file_ == frameNamePrefix \o IO!zeroPadN(frameNumber, 3) \o ".svg"
  IN  IO!Serialize(SVGElemToString(svg), file_,
                   [format |-> "TXT", charset |-> "UTF-8",
                    openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
=============================================================================
