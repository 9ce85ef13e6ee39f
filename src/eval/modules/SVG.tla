--------------------------------- MODULE SVG --------------------------------
(* Drawings. An element is a record [name, attrs, children, innerText]; attrs is a function from strings to strings
   (<< >> for none), children a sequence of elements. *)

LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC
LOCAL INSTANCE FiniteSets

SVGElem(_name, _attrs, _children, _innerText) ==
  [name |-> _name, attrs |-> _attrs, children |-> _children, innerText |-> _innerText]

(* An element without children; own attributes win over those that are passed in. *)
LOCAL Shape(kind, own, attrs, text) == SVGElem(kind, own @@ attrs, << >>, text)
LOCAL T(n) == ToString(n)

Line(x1, y1, x2, y2, attrs) ==
  Shape("line", [x1 |-> T(x1), y1 |-> T(y1), x2 |-> T(x2), y2 |-> T(y2)], attrs, "")
Circle(cx, cy, r, attrs) ==
  Shape("circle", [cx |-> T(cx), cy |-> T(cy), r |-> T(r)], attrs, "")
Rect(x, y, w, h, attrs) ==
  Shape("rect", [x |-> T(x), y |-> T(y), width |-> T(w), height |-> T(h)], attrs, "")
Text(x, y, text, attrs) ==
  Shape("text", [x |-> T(x), y |-> T(y)], attrs, text)
Image(x, y, width, height, href, attrs) ==
  Shape("image",
        [x |-> T(x), y |-> T(y), width |-> T(width), height |-> T(height)] @@ ("xlink:href" :> href),
        attrs, "")

(* Containers. *)
Group(children, attrs) == SVGElem("g", attrs, children, "")
Svg(children, attrs)   == SVGElem("svg", attrs, children, "")

(* A whole document with its view box. *)
SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
  LET box == T(vbX) \o " " \o T(vbY) \o " " \o T(vbW) \o " " \o T(vbH)
      own == [viewBox |-> box, xmlns |-> "http://www.w3.org/2000/svg"]
               @@ ("xmlns:xlink" :> "http://www.w3.org/1999/xlink")
  IN  SVGElem("svg", own @@ attrs, <<children>>, "")

(* The text of an element with all that is in it. *)
SVGElemToString(elem) == CHOOSE text \in STRING : TRUE

-----------------------------------------------------------------------------
(* Where the n-th of m nodes stands on a circle; where nodes of a graph stand; a point on a line. *)
NodeOfRingNetwork(cx, cy, r, n, m) ==
  CHOOSE point \in [x : Int, y : Int] : TRUE
NodesOfDirectedMultiGraph(nodes, edges, options) ==
  CHOOSE place \in [nodes -> [x : Int, y : Int]] : TRUE
PointOnLine(from, to, segment) ==
  [x |-> from.x + (to.x - from.x) \div segment, y |-> from.y + (to.y - from.y) \div segment]

(* Writes the drawing to the file <prefix><number>.svg, the number with at least three digits. *)
SVGSerialize(svg, frameNamePrefix, frameNumber) ==
  LET IO   == INSTANCE IOUtils
      file == frameNamePrefix \o IO!zeroPadN(frameNumber, 3) \o ".svg"
  IN  IO!Serialize(SVGElemToString(svg), file,
                   [format |-> "TXT", charset |-> "UTF-8",
                    openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
=============================================================================
