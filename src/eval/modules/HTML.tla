--------------------------------- MODULE HTML -------------------------------
(* Pages of HTML as strings. *)

(* Names in the order of their first sight in other tools: strings and model values of the same text are ordered by it. *)
LOCAL FirstSeen(string, args, f, str, x, StringSeqToString, string_seq, separator, str1, str2, header, body,
                list_of_scripts, classname, attribute_list, name, value, class_list, children, type, title,
                list_of_links, id, size, text, viewBox, svgString, width, height, fromID, destID, color, events, key,
                file) ==
  <<string, args, f, str, x, StringSeqToString, string_seq, separator, str1, str2, header, body, list_of_scripts,
    classname, attribute_list, name, value, class_list, children, type, title, list_of_links, id, size, text,
    viewBox, svgString, width, height, fromID, destID, color, events, key, file>>

LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

(* Each pair <<old, new>> of args replaces the first `old` in the string. *)
HTMLFill(string, args) ==
  FoldLeft(LAMBDA text, pair_ : ReplaceFirstSubSeq(pair_[2], pair_[1], text), string, args)

(* The strings with the separator between them; empty ones at the start vanish. *)
LOCAL Join_(strings_, separator) ==
  FoldLeft(LAMBDA text, next_ : IF text = "" THEN next_ ELSE text \o separator \o next_, "", strings_)
LOCAL Lines_(strings_)     == Join_(strings_, "\n")
LOCAL Put_(name, value)   == <<"%" \o name \o "%", value>>

HTMLDocument(header, body, list_of_scripts) ==
  Lines_(<<"<!DOCTYPE html>", "<html>", header, body, Lines_(list_of_scripts), "</html>">>)

(* Style sheets. *)
HTMLAttribute(name, value) == HTMLFill("%name%: %value%;", <<Put_("name", name), Put_("value", value)>>)
HTMLClass(classname, attribute_list) ==
  Lines_(<<HTMLFill("%classname% {", <<Put_("classname", classname)>>), Lines_(attribute_list), "}">>)
HTMLDefaultStyle ==
  Lines_(<<HTMLClass(".default_grid", <<HTMLAttribute("display", "grid")>>),
          HTMLClass(".default_box", <<HTMLAttribute("border", "1px solid black")>>),
          HTMLClass(".default_circle", <<HTMLAttribute("border-radius", "50%")>>)>>)
HTMLStyleSheet(class_list) ==
  Lines_(<<"<style type=\"text/css\">", HTMLDefaultStyle, Lines_(class_list), "</style>">>)

(* Scripts, links, head. *)
HTMLScriptFile(name)  == HTMLFill("<script src=\"%name%\"></script>", <<Put_("name", name)>>)
HTMLScript(children)  == Lines_(<<"<script>", Lines_(children), "</script>">>)
HTMLLink(name, type)  ==
  HTMLFill("<link href=\"%name%\" rel=\"%type%\"/>", <<Put_("name", name), Put_("type", type)>>)
HTMLHeader(title, list_of_links, class_list) ==
  Lines_(<<"<head>", "<meta charset=\"UTF-8\">",
          HTMLFill("<title>%title%</title>", <<Put_("title", title)>>),
          Lines_(list_of_links), HTMLStyleSheet(class_list), "</head>">>)

(* The body and what stands in it. *)
HTMLBody(body) == Lines_(<<"<body>", body, "</body>">>)
HTMLFrame(id, children) ==
  Lines_(<<HTMLFill("<div id=\"%id%\">", <<Put_("id", id)>>), Lines_(children), "</div>">>)
HTMLGridContainer(id, class_list, children) ==
  Lines_(<<HTMLFill("<div id=\"%id%\" class=\"default_grid %class_list%\">",
                   <<Put_("id", id), Put_("class_list", Join_(class_list, " "))>>),
          Lines_(children), "</div>">>)
HTMLBox(id, class_list, size, children) ==
  Lines_(<<HTMLFill("<div id=\"%id%\" class=\"default_box %class_list%\" style=\"%size%\">",
                   <<Put_("id", id), Put_("class_list", Join_(class_list, " ")), Put_("size", size)>>),
          Lines_(children), "</div>">>)
HTMLCircle(id, class_list, size, children) ==
  HTMLBox(id, <<"default_circle">> \o class_list, size, children)
HTMLText(id, text) ==
  Lines_(<<HTMLFill("<span id=\"%id%\">", <<Put_("id", id)>>), text, "</span>">>)
HTMLSVG(id, viewBox, size, svgString) ==
  Lines_(<<HTMLFill("<svg id=\"%id%\" viewBox=\"%viewBox%\" style=\"%size%\">",
                   <<Put_("id", id), Put_("viewBox", viewBox), Put_("size", size)>>),
          svgString, "</svg>">>)

(* Ready-made pieces. *)
HTMLSize(width, height) == Join_(<<HTMLAttribute("width", width), HTMLAttribute("height", height)>>, " ")
HTMLNewLine == "<br>"
HTMLFlexCenterAttributes ==
  Lines_(<<HTMLAttribute("display", "flex"), HTMLAttribute("align-items", "center"),
          HTMLAttribute("justify-content", "center")>>)

(* Lines between elements, and keys, in JavaScript. *)
HTMLJSLineElems(fromID, destID) ==
  HTMLFill("document.getElementById(\"%id1%\"), document.getElementById(\"%id2%\")",
           <<Put_("id1", fromID), Put_("id2", destID)>>)
LOCAL Leader_(pattern_, fromID, destID, color, size) ==
  HTMLFill(pattern_, <<Put_("elems", HTMLJSLineElems(fromID, destID)), Put_("color", color), Put_("size", size)>>)
HTMLJSLine(fromID, destID, color, size) ==
  Leader_("new LeaderLine(%elems%, {color: '%color%', size: %size%})", fromID, destID, color, size)
HTMLJSLineDash(fromID, destID, color, size) ==
  Leader_("new LeaderLine(%elems%,  {color: '%color%', size: %size%, dash: true})", fromID, destID, color, size)
HTMLJSKeyListener(events) ==
  Lines_(<<"window.onkeyup = function(event) {", "let key = event.key.toUpperCase();", Lines_(events), "}">>)
HTMLJSNavigationKey(key, file) ==
  Lines_(<<HTMLFill("if(key == '%key%'){", <<Put_("key", key)>>),
          HTMLFill("window.location.replace(\"%file%\");", <<Put_("file", file)>>), "}">>)
=============================================================================
