--------------------------------- MODULE HTML -------------------------------
(* Pages of HTML as strings. *)

LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

(* Each pair <<old, new>> of args replaces the first `old` in the string. *)
HTMLFill(string, args) ==
  FoldLeft(LAMBDA text, pair : ReplaceFirstSubSeq(pair[2], pair[1], text), string, args)

(* The strings with the separator between them; empty ones at the start vanish. *)
LOCAL Join(strings, separator) ==
  FoldLeft(LAMBDA text, next : IF text = "" THEN next ELSE text \o separator \o next, "", strings)
LOCAL Lines(strings)     == Join(strings, "\n")
LOCAL Put(name, value)   == <<"%" \o name \o "%", value>>

HTMLDocument(header, body, list_of_scripts) ==
  Lines(<<"<!DOCTYPE html>", "<html>", header, body, Lines(list_of_scripts), "</html>">>)

(* Style sheets. *)
HTMLAttribute(name, value) == HTMLFill("%name%: %value%;", <<Put("name", name), Put("value", value)>>)
HTMLClass(classname, attribute_list) ==
  Lines(<<HTMLFill("%classname% {", <<Put("classname", classname)>>), Lines(attribute_list), "}">>)
HTMLDefaultStyle ==
  Lines(<<HTMLClass(".default_grid", <<HTMLAttribute("display", "grid")>>),
          HTMLClass(".default_box", <<HTMLAttribute("border", "1px solid black")>>),
          HTMLClass(".default_circle", <<HTMLAttribute("border-radius", "50%")>>)>>)
HTMLStyleSheet(class_list) ==
  Lines(<<"<style type=\"text/css\">", HTMLDefaultStyle, Lines(class_list), "</style>">>)

(* Scripts, links, head. *)
HTMLScriptFile(name)  == HTMLFill("<script src=\"%name%\"></script>", <<Put("name", name)>>)
HTMLScript(children)  == Lines(<<"<script>", Lines(children), "</script>">>)
HTMLLink(name, type)  ==
  HTMLFill("<link href=\"%name%\" rel=\"%type%\"/>", <<Put("name", name), Put("type", type)>>)
HTMLHeader(title, list_of_links, class_list) ==
  Lines(<<"<head>", "<meta charset=\"UTF-8\">",
          HTMLFill("<title>%title%</title>", <<Put("title", title)>>),
          Lines(list_of_links), HTMLStyleSheet(class_list), "</head>">>)

(* The body and what stands in it. *)
HTMLBody(body) == Lines(<<"<body>", body, "</body>">>)
HTMLFrame(id, children) ==
  Lines(<<HTMLFill("<div id=\"%id%\">", <<Put("id", id)>>), Lines(children), "</div>">>)
HTMLGridContainer(id, class_list, children) ==
  Lines(<<HTMLFill("<div id=\"%id%\" class=\"default_grid %class_list%\">",
                   <<Put("id", id), Put("class_list", Join(class_list, " "))>>),
          Lines(children), "</div>">>)
HTMLBox(id, class_list, size, children) ==
  Lines(<<HTMLFill("<div id=\"%id%\" class=\"default_box %class_list%\" style=\"%size%\">",
                   <<Put("id", id), Put("class_list", Join(class_list, " ")), Put("size", size)>>),
          Lines(children), "</div>">>)
HTMLCircle(id, class_list, size, children) ==
  HTMLBox(id, <<"default_circle">> \o class_list, size, children)
HTMLText(id, text) ==
  Lines(<<HTMLFill("<span id=\"%id%\">", <<Put("id", id)>>), text, "</span>">>)
HTMLSVG(id, viewBox, size, svgString) ==
  Lines(<<HTMLFill("<svg id=\"%id%\" viewBox=\"%viewBox%\" style=\"%size%\">",
                   <<Put("id", id), Put("viewBox", viewBox), Put("size", size)>>),
          svgString, "</svg>">>)

(* Ready-made pieces. *)
HTMLSize(width, height) == Join(<<HTMLAttribute("width", width), HTMLAttribute("height", height)>>, " ")
HTMLNewLine == "<br>"
HTMLFlexCenterAttributes ==
  Lines(<<HTMLAttribute("display", "flex"), HTMLAttribute("align-items", "center"),
          HTMLAttribute("justify-content", "center")>>)

(* Lines between elements, and keys, in JavaScript. *)
HTMLJSLineElems(fromID, destID) ==
  HTMLFill("document.getElementById(\"%id1%\"), document.getElementById(\"%id2%\")",
           <<Put("id1", fromID), Put("id2", destID)>>)
LOCAL Leader(pattern, fromID, destID, color, size) ==
  HTMLFill(pattern, <<Put("elems", HTMLJSLineElems(fromID, destID)), Put("color", color), Put("size", size)>>)
HTMLJSLine(fromID, destID, color, size) ==
  Leader("new LeaderLine(%elems%, {color: '%color%', size: %size%})", fromID, destID, color, size)
HTMLJSLineDash(fromID, destID, color, size) ==
  Leader("new LeaderLine(%elems%,  {color: '%color%', size: %size%, dash: true})", fromID, destID, color, size)
HTMLJSKeyListener(events) ==
  Lines(<<"window.onkeyup = function(event) {", "let key = event.key.toUpperCase();", Lines(events), "}">>)
HTMLJSNavigationKey(key, file) ==
  Lines(<<HTMLFill("if(key == '%key%'){", <<Put("key", key)>>),
          HTMLFill("window.location.replace(\"%file%\");", <<Put("file", file)>>), "}">>)
=============================================================================
