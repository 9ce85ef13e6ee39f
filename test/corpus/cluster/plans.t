#### plan
[faults]
kills = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
kills: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 7303765944 kill m
seed 1: 8419152696 restart m
seed 1: 16805227931 kill n1
seed 1: 18045711657 restart n1
seed 2: 3117097488 kill n3
seed 2: 5936238968 kill a
seed 2: 6748091908 restart n3
seed 2: 7047444149 restart a
seed 3: 15445295744 kill m
seed 3: 16249595357 kill n2
seed 3: 18045896880 restart m
seed 3: 20102539998 restart n2
#### plan
[faults]
crashes = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
crashes: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 7303765944 crash m random
seed 1: 8419152696 restart m
seed 1: 16805227931 crash n1 random
seed 1: 18045711657 restart n1
seed 2: 3117097488 crash n3 random
seed 2: 5936238968 crash a random
seed 2: 6748091908 restart n3
seed 2: 7047444149 restart a
seed 3: 15445295744 crash m random
seed 3: 16249595357 crash n2 random
seed 3: 18045896880 restart m
seed 3: 20102539998 restart n2
#### plan
[faults]
pauses = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
pauses: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 7303765944 pause m
seed 1: 8419152696 resume m
seed 1: 16805227931 pause n1
seed 1: 18045711657 resume n1
seed 2: 3117097488 pause n3
seed 2: 5936238968 pause a
seed 2: 6748091908 resume n3
seed 2: 7047444149 resume a
seed 3: 15445295744 pause m
seed 3: 16249595357 pause n2
seed 3: 18045896880 resume m
seed 3: 20102539998 resume n2
#### plan
[faults]
partitions = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
partitions: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 6852896686 cut n1 n2
seed 1: 6852896686 cut n1 n3
seed 1: 6852896686 cut n2 n1
seed 1: 6852896686 cut n2 c
seed 1: 6852896686 cut n2 m
seed 1: 6852896686 cut n2 a
seed 1: 6852896686 cut n3 n1
seed 1: 6852896686 cut n3 c
seed 1: 6852896686 cut n3 m
seed 1: 6852896686 cut n3 a
seed 1: 6852896686 cut c n2
seed 1: 6852896686 cut c n3
seed 1: 6852896686 cut m n2
seed 1: 6852896686 cut m n3
seed 1: 6852896686 cut a n2
seed 1: 6852896686 cut a n3
seed 1: 8816661010 heal n1 n2
seed 1: 8816661010 heal n1 n3
seed 1: 8816661010 heal n2 n1
seed 1: 8816661010 heal n2 c
seed 1: 8816661010 heal n2 m
seed 1: 8816661010 heal n2 a
seed 1: 8816661010 heal n3 n1
seed 1: 8816661010 heal n3 c
seed 1: 8816661010 heal n3 m
seed 1: 8816661010 heal n3 a
seed 1: 8816661010 heal c n2
seed 1: 8816661010 heal c n3
seed 1: 8816661010 heal m n2
seed 1: 8816661010 heal m n3
seed 1: 8816661010 heal a n2
seed 1: 8816661010 heal a n3
seed 1: 15902302302 cut n1 n3
seed 1: 15902302302 cut n1 c
seed 1: 15902302302 cut n2 n3
seed 1: 15902302302 cut n2 c
seed 1: 15902302302 cut n3 n1
seed 1: 15902302302 cut n3 n2
seed 1: 15902302302 cut n3 m
seed 1: 15902302302 cut n3 a
seed 1: 15902302302 cut c n1
seed 1: 15902302302 cut c n2
seed 1: 15902302302 cut c m
seed 1: 15902302302 cut c a
seed 1: 15902302302 cut m n3
seed 1: 15902302302 cut m c
seed 1: 15902302302 cut a n3
seed 1: 15902302302 cut a c
seed 1: 17728243788 heal n1 n3
seed 1: 17728243788 heal n1 c
seed 1: 17728243788 heal n2 n3
seed 1: 17728243788 heal n2 c
seed 1: 17728243788 heal n3 n1
seed 1: 17728243788 heal n3 n2
seed 1: 17728243788 heal n3 m
seed 1: 17728243788 heal n3 a
seed 1: 17728243788 heal c n1
seed 1: 17728243788 heal c n2
seed 1: 17728243788 heal c m
seed 1: 17728243788 heal c a
seed 1: 17728243788 heal m n3
seed 1: 17728243788 heal m c
seed 1: 17728243788 heal a n3
seed 1: 17728243788 heal a c
seed 2: 7949641056 cut n1 c
seed 2: 7949641056 cut n1 a
seed 2: 7949641056 cut n2 c
seed 2: 7949641056 cut n2 a
seed 2: 7949641056 cut n3 c
seed 2: 7949641056 cut n3 a
seed 2: 7949641056 cut c n1
seed 2: 7949641056 cut c n2
seed 2: 7949641056 cut c n3
seed 2: 7949641056 cut c m
seed 2: 7949641056 cut m c
seed 2: 7949641056 cut m a
seed 2: 7949641056 cut a n1
seed 2: 7949641056 cut a n2
seed 2: 7949641056 cut a n3
seed 2: 7949641056 cut a m
seed 2: 9386416764 heal n1 c
seed 2: 9386416764 heal n1 a
seed 2: 9386416764 heal n2 c
seed 2: 9386416764 heal n2 a
seed 2: 9386416764 heal n3 c
seed 2: 9386416764 heal n3 a
seed 2: 9386416764 heal c n1
seed 2: 9386416764 heal c n2
seed 2: 9386416764 heal c n3
seed 2: 9386416764 heal c m
seed 2: 9386416764 heal m c
seed 2: 9386416764 heal m a
seed 2: 9386416764 heal a n1
seed 2: 9386416764 heal a n2
seed 2: 9386416764 heal a n3
seed 2: 9386416764 heal a m
seed 2: 10822507793 cut n1 n2
seed 2: 10822507793 cut n1 n3
seed 2: 10822507793 cut n1 m
seed 2: 10822507793 cut n1 a
seed 2: 10822507793 cut n2 n1
seed 2: 10822507793 cut n2 c
seed 2: 10822507793 cut n3 n1
seed 2: 10822507793 cut n3 c
seed 2: 10822507793 cut c n2
seed 2: 10822507793 cut c n3
seed 2: 10822507793 cut c m
seed 2: 10822507793 cut c a
seed 2: 10822507793 cut m n1
seed 2: 10822507793 cut m c
seed 2: 10822507793 cut a n1
seed 2: 10822507793 cut a c
seed 2: 11601782165 heal n1 n2
seed 2: 11601782165 heal n1 n3
seed 2: 11601782165 heal n1 m
seed 2: 11601782165 heal n1 a
seed 2: 11601782165 heal n2 n1
seed 2: 11601782165 heal n2 c
seed 2: 11601782165 heal n3 n1
seed 2: 11601782165 heal n3 c
seed 2: 11601782165 heal c n2
seed 2: 11601782165 heal c n3
seed 2: 11601782165 heal c m
seed 2: 11601782165 heal c a
seed 2: 11601782165 heal m n1
seed 2: 11601782165 heal m c
seed 2: 11601782165 heal a n1
seed 2: 11601782165 heal a c
seed 3: 14319664151 cut n1 n2
seed 3: 14319664151 cut n1 c
seed 3: 14319664151 cut n1 m
seed 3: 14319664151 cut n1 a
seed 3: 14319664151 cut n2 n1
seed 3: 14319664151 cut n2 n3
seed 3: 14319664151 cut n3 n2
seed 3: 14319664151 cut n3 c
seed 3: 14319664151 cut n3 m
seed 3: 14319664151 cut n3 a
seed 3: 14319664151 cut c n1
seed 3: 14319664151 cut c n3
seed 3: 14319664151 cut m n1
seed 3: 14319664151 cut m n3
seed 3: 14319664151 cut a n1
seed 3: 14319664151 cut a n3
seed 3: 18180988087 heal n1 n2
seed 3: 18180988087 heal n1 c
seed 3: 18180988087 heal n1 m
seed 3: 18180988087 heal n1 a
seed 3: 18180988087 heal n2 n1
seed 3: 18180988087 heal n2 n3
seed 3: 18180988087 heal n3 n2
seed 3: 18180988087 heal n3 c
seed 3: 18180988087 heal n3 m
seed 3: 18180988087 heal n3 a
seed 3: 18180988087 heal c n1
seed 3: 18180988087 heal c n3
seed 3: 18180988087 heal m n1
seed 3: 18180988087 heal m n3
seed 3: 18180988087 heal a n1
seed 3: 18180988087 heal a n3
seed 3: 19309322487 cut n1 n3
seed 3: 19309322487 cut n1 a
seed 3: 19309322487 cut n2 n3
seed 3: 19309322487 cut n2 a
seed 3: 19309322487 cut n3 n1
seed 3: 19309322487 cut n3 n2
seed 3: 19309322487 cut n3 c
seed 3: 19309322487 cut n3 m
seed 3: 19309322487 cut c n3
seed 3: 19309322487 cut c a
seed 3: 19309322487 cut m n3
seed 3: 19309322487 cut m a
seed 3: 19309322487 cut a n1
seed 3: 19309322487 cut a n2
seed 3: 19309322487 cut a c
seed 3: 19309322487 cut a m
seed 3: 22871739394 heal n1 n3
seed 3: 22871739394 heal n1 a
seed 3: 22871739394 heal n2 n3
seed 3: 22871739394 heal n2 a
seed 3: 22871739394 heal n3 n1
seed 3: 22871739394 heal n3 n2
seed 3: 22871739394 heal n3 c
seed 3: 22871739394 heal n3 m
seed 3: 22871739394 heal c n3
seed 3: 22871739394 heal c a
seed 3: 22871739394 heal m n3
seed 3: 22871739394 heal m a
seed 3: 22871739394 heal a n1
seed 3: 22871739394 heal a n2
seed 3: 22871739394 heal a c
seed 3: 22871739394 heal a m
#### plan
[faults]
cuts = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
cuts: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 4461547010 cut m n2
seed 1: 4790201933 cut a n1
seed 1: 5067778586 heal m n2
seed 1: 6503426104 heal a n1
seed 2: 6579456995 cut n2 n1
seed 2: 8566867259 heal n2 n1
seed 2: 14523977679 cut n3 n1
seed 2: 18940852147 heal n3 n1
seed 3: 10402404543 cut m a
seed 3: 12006969946 heal m a
seed 3: 19476848554 cut m a
seed 3: 24304179176 heal m a
#### plan
[faults]
jumps = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
jumps: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 4461547010 jump m -4106926730ns
seed 1: 4961934905 jump n1 6450253256ns
seed 2: 4444820724 jump a -5626401147ns
seed 2: 14523977679 jump n3 -8758780568ns
seed 3: 10402404543 jump m 4939217493ns
seed 3: 15411778564 jump n2 5832883729ns
#### plan
[faults]
disk = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
disk: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 4461547010 disk m eio-sync
seed 1: 4961934905 disk n1 short-read
seed 2: 4444820724 disk a eio-write
seed 2: 14523977679 disk n3 eio-read
seed 3: 10402404543 disk m corrupt
seed 3: 15411778564 disk n2 short-read
#### plan
[faults]
drops = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
drops: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 2424926307 drop 0
seed 1: 7303765944 drop 0
seed 2: 3117097488 drop 0
seed 2: 17667497869 drop 0
seed 3: 6418261614 drop 0
seed 3: 15445295744 drop 0
#### plan
[faults]
duplicates = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
duplicates: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 2424926307 duplicate 0
seed 1: 7303765944 duplicate 0
seed 2: 3117097488 duplicate 0
seed 2: 17667497869 duplicate 0
seed 3: 6418261614 duplicate 0
seed 3: 15445295744 duplicate 0
#### plan
[faults]
splits = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
splits: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 6852896686 cut n1 n2
seed 1: 6852896686 cut n1 n3
seed 1: 6852896686 cut n2 n1
seed 1: 6852896686 cut n2 m
seed 1: 6852896686 cut n2 a
seed 1: 6852896686 cut n3 n1
seed 1: 6852896686 cut n3 m
seed 1: 6852896686 cut n3 a
seed 1: 6852896686 cut m n2
seed 1: 6852896686 cut m n3
seed 1: 6852896686 cut a n2
seed 1: 6852896686 cut a n3
seed 1: 8816661010 heal n1 n2
seed 1: 8816661010 heal n1 n3
seed 1: 8816661010 heal n2 n1
seed 1: 8816661010 heal n2 m
seed 1: 8816661010 heal n2 a
seed 1: 8816661010 heal n3 n1
seed 1: 8816661010 heal n3 m
seed 1: 8816661010 heal n3 a
seed 1: 8816661010 heal m n2
seed 1: 8816661010 heal m n3
seed 1: 8816661010 heal a n2
seed 1: 8816661010 heal a n3
seed 1: 15902302302 cut n1 n3
seed 1: 15902302302 cut n1 m
seed 1: 15902302302 cut n1 a
seed 1: 15902302302 cut n2 n3
seed 1: 15902302302 cut n2 m
seed 1: 15902302302 cut n2 a
seed 1: 15902302302 cut n3 n1
seed 1: 15902302302 cut n3 n2
seed 1: 15902302302 cut m n1
seed 1: 15902302302 cut m n2
seed 1: 15902302302 cut a n1
seed 1: 15902302302 cut a n2
seed 1: 17728243788 heal n1 n3
seed 1: 17728243788 heal n1 m
seed 1: 17728243788 heal n1 a
seed 1: 17728243788 heal n2 n3
seed 1: 17728243788 heal n2 m
seed 1: 17728243788 heal n2 a
seed 1: 17728243788 heal n3 n1
seed 1: 17728243788 heal n3 n2
seed 1: 17728243788 heal m n1
seed 1: 17728243788 heal m n2
seed 1: 17728243788 heal a n1
seed 1: 17728243788 heal a n2
seed 2: 7949641056 cut n1 n3
seed 2: 7949641056 cut n1 m
seed 2: 7949641056 cut n1 a
seed 2: 7949641056 cut n2 n3
seed 2: 7949641056 cut n2 m
seed 2: 7949641056 cut n2 a
seed 2: 7949641056 cut n3 n1
seed 2: 7949641056 cut n3 n2
seed 2: 7949641056 cut m n1
seed 2: 7949641056 cut m n2
seed 2: 7949641056 cut a n1
seed 2: 7949641056 cut a n2
seed 2: 9386416764 heal n1 n3
seed 2: 9386416764 heal n1 m
seed 2: 9386416764 heal n1 a
seed 2: 9386416764 heal n2 n3
seed 2: 9386416764 heal n2 m
seed 2: 9386416764 heal n2 a
seed 2: 9386416764 heal n3 n1
seed 2: 9386416764 heal n3 n2
seed 2: 9386416764 heal m n1
seed 2: 9386416764 heal m n2
seed 2: 9386416764 heal a n1
seed 2: 9386416764 heal a n2
seed 2: 10822507793 cut n1 n2
seed 2: 10822507793 cut n1 m
seed 2: 10822507793 cut n2 n1
seed 2: 10822507793 cut n2 n3
seed 2: 10822507793 cut n2 a
seed 2: 10822507793 cut n3 n2
seed 2: 10822507793 cut n3 m
seed 2: 10822507793 cut m n1
seed 2: 10822507793 cut m n3
seed 2: 10822507793 cut m a
seed 2: 10822507793 cut a n2
seed 2: 10822507793 cut a m
seed 2: 11601782165 heal n1 n2
seed 2: 11601782165 heal n1 m
seed 2: 11601782165 heal n2 n1
seed 2: 11601782165 heal n2 n3
seed 2: 11601782165 heal n2 a
seed 2: 11601782165 heal n3 n2
seed 2: 11601782165 heal n3 m
seed 2: 11601782165 heal m n1
seed 2: 11601782165 heal m n3
seed 2: 11601782165 heal m a
seed 2: 11601782165 heal a n2
seed 2: 11601782165 heal a m
seed 3: 14319664151 cut n1 n2
seed 3: 14319664151 cut n1 m
seed 3: 14319664151 cut n1 a
seed 3: 14319664151 cut n2 n1
seed 3: 14319664151 cut n2 n3
seed 3: 14319664151 cut n3 n2
seed 3: 14319664151 cut n3 m
seed 3: 14319664151 cut n3 a
seed 3: 14319664151 cut m n1
seed 3: 14319664151 cut m n3
seed 3: 14319664151 cut a n1
seed 3: 14319664151 cut a n3
seed 3: 18180988087 heal n1 n2
seed 3: 18180988087 heal n1 m
seed 3: 18180988087 heal n1 a
seed 3: 18180988087 heal n2 n1
seed 3: 18180988087 heal n2 n3
seed 3: 18180988087 heal n3 n2
seed 3: 18180988087 heal n3 m
seed 3: 18180988087 heal n3 a
seed 3: 18180988087 heal m n1
seed 3: 18180988087 heal m n3
seed 3: 18180988087 heal a n1
seed 3: 18180988087 heal a n3
seed 3: 19309322487 cut n1 n3
seed 3: 19309322487 cut n1 a
seed 3: 19309322487 cut n2 n3
seed 3: 19309322487 cut n2 a
seed 3: 19309322487 cut n3 n1
seed 3: 19309322487 cut n3 n2
seed 3: 19309322487 cut n3 m
seed 3: 19309322487 cut m n3
seed 3: 19309322487 cut m a
seed 3: 19309322487 cut a n1
seed 3: 19309322487 cut a n2
seed 3: 19309322487 cut a m
seed 3: 22871739394 heal n1 n3
seed 3: 22871739394 heal n1 a
seed 3: 22871739394 heal n2 n3
seed 3: 22871739394 heal n2 a
seed 3: 22871739394 heal n3 n1
seed 3: 22871739394 heal n3 n2
seed 3: 22871739394 heal n3 m
seed 3: 22871739394 heal m n3
seed 3: 22871739394 heal m a
seed 3: 22871739394 heal a n1
seed 3: 22871739394 heal a n2
seed 3: 22871739394 heal a m
#### plan
[faults]
bridges = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
bridges: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 2424926307 cut n2 m
seed 1: 2424926307 cut n2 a
seed 1: 2424926307 cut n3 m
seed 1: 2424926307 cut n3 a
seed 1: 2424926307 cut m n2
seed 1: 2424926307 cut m n3
seed 1: 2424926307 cut a n2
seed 1: 2424926307 cut a n3
seed 1: 6626233290 heal n2 m
seed 1: 6626233290 heal n2 a
seed 1: 6626233290 heal n3 m
seed 1: 6626233290 heal n3 a
seed 1: 6626233290 heal m n2
seed 1: 6626233290 heal m n3
seed 1: 6626233290 heal a n2
seed 1: 6626233290 heal a n3
seed 1: 15902302302 cut n2 m
seed 1: 15902302302 cut n2 a
seed 1: 15902302302 cut n3 m
seed 1: 15902302302 cut n3 a
seed 1: 15902302302 cut m n2
seed 1: 15902302302 cut m n3
seed 1: 15902302302 cut a n2
seed 1: 15902302302 cut a n3
seed 1: 17728243788 heal n2 m
seed 1: 17728243788 heal n2 a
seed 1: 17728243788 heal n3 m
seed 1: 17728243788 heal n3 a
seed 1: 17728243788 heal m n2
seed 1: 17728243788 heal m n3
seed 1: 17728243788 heal a n2
seed 1: 17728243788 heal a n3
seed 2: 10822507793 cut n1 n3
seed 2: 10822507793 cut n1 a
seed 2: 10822507793 cut n2 n3
seed 2: 10822507793 cut n2 a
seed 2: 10822507793 cut n3 n1
seed 2: 10822507793 cut n3 n2
seed 2: 10822507793 cut a n1
seed 2: 10822507793 cut a n2
seed 2: 11601782165 heal n1 n3
seed 2: 11601782165 heal n1 a
seed 2: 11601782165 heal n2 n3
seed 2: 11601782165 heal n2 a
seed 2: 11601782165 heal n3 n1
seed 2: 11601782165 heal n3 n2
seed 2: 11601782165 heal a n1
seed 2: 11601782165 heal a n2
seed 2: 17667497869 cut n2 m
seed 2: 17667497869 cut n2 a
seed 2: 17667497869 cut n3 m
seed 2: 17667497869 cut n3 a
seed 2: 17667497869 cut m n2
seed 2: 17667497869 cut m n3
seed 2: 17667497869 cut a n2
seed 2: 17667497869 cut a n3
seed 2: 19151557611 heal n2 m
seed 2: 19151557611 heal n2 a
seed 2: 19151557611 heal n3 m
seed 2: 19151557611 heal n3 a
seed 2: 19151557611 heal m n2
seed 2: 19151557611 heal m n3
seed 2: 19151557611 heal a n2
seed 2: 19151557611 heal a n3
seed 3: 6418261614 cut n1 n3
seed 3: 6418261614 cut n1 a
seed 3: 6418261614 cut n2 n3
seed 3: 6418261614 cut n2 a
seed 3: 6418261614 cut n3 n1
seed 3: 6418261614 cut n3 n2
seed 3: 6418261614 cut a n1
seed 3: 6418261614 cut a n2
seed 3: 10480660453 heal n1 n3
seed 3: 10480660453 heal n1 a
seed 3: 10480660453 heal n2 n3
seed 3: 10480660453 heal n2 a
seed 3: 10480660453 heal n3 n1
seed 3: 10480660453 heal n3 n2
seed 3: 10480660453 heal a n1
seed 3: 10480660453 heal a n2
seed 3: 14319664151 cut n1 m
seed 3: 14319664151 cut n1 a
seed 3: 14319664151 cut n2 m
seed 3: 14319664151 cut n2 a
seed 3: 14319664151 cut m n1
seed 3: 14319664151 cut m n2
seed 3: 14319664151 cut a n1
seed 3: 14319664151 cut a n2
seed 3: 18180988087 heal n1 m
seed 3: 18180988087 heal n1 a
seed 3: 18180988087 heal n2 m
seed 3: 18180988087 heal n2 a
seed 3: 18180988087 heal m n1
seed 3: 18180988087 heal m n2
seed 3: 18180988087 heal a n1
seed 3: 18180988087 heal a n2
#### plan
[faults]
slow_links = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
slow_links: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 2424926307 slow n2 n1 774626627ns
seed 1: 2424926307 slow n1 n2 774626627ns
seed 1: 6626233290 slow n2 n1 0ns
seed 1: 6626233290 slow n1 n2 0ns
seed 1: 7855057297 slow n1 n2 172906419ns
seed 1: 7855057297 slow n2 n1 172906419ns
seed 1: 9855699880 slow n1 n2 0ns
seed 1: 9855699880 slow n2 n1 0ns
seed 2: 5747102833 slow n2 n3 144465139ns
seed 2: 5747102833 slow n3 n2 144465139ns
seed 2: 7573079447 slow n2 n3 0ns
seed 2: 7573079447 slow n3 n2 0ns
seed 2: 17667497869 slow n1 m 495237929ns
seed 2: 17667497869 slow m n1 495237929ns
seed 2: 19151557611 slow n1 m 0ns
seed 2: 19151557611 slow m n1 0ns
seed 3: 6418261614 slow m n3 687581528ns
seed 3: 6418261614 slow n3 m 687581528ns
seed 3: 10480660453 slow m n3 0ns
seed 3: 10480660453 slow n3 m 0ns
seed 3: 14249667626 slow a n1 747647821ns
seed 3: 14249667626 slow n1 a 747647821ns
seed 3: 17120122990 slow a n1 0ns
seed 3: 17120122990 slow n1 a 0ns
#### plan
[faults]
lossy_links = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
lossy_links: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 2424926307 lossy n2 n1 0.397558
seed 1: 2424926307 lossy n1 n2 0.397558
seed 1: 6626233290 lossy n2 n1 0.000000
seed 1: 6626233290 lossy n1 n2 0.000000
seed 1: 7855057297 lossy n1 n2 0.124048
seed 1: 7855057297 lossy n2 n1 0.124048
seed 1: 9855699880 lossy n1 n2 0.000000
seed 1: 9855699880 lossy n2 n1 0.000000
seed 2: 5747102833 lossy n2 n3 0.111120
seed 2: 5747102833 lossy n3 n2 0.111120
seed 2: 7573079447 lossy n2 n3 0.000000
seed 2: 7573079447 lossy n3 n2 0.000000
seed 2: 17667497869 lossy n1 m 0.270563
seed 2: 17667497869 lossy m n1 0.270563
seed 2: 19151557611 lossy n1 m 0.000000
seed 2: 19151557611 lossy m n1 0.000000
seed 3: 6418261614 lossy m n3 0.357992
seed 3: 6418261614 lossy n3 m 0.357992
seed 3: 10480660453 lossy m n3 0.000000
seed 3: 10480660453 lossy n3 m 0.000000
seed 3: 14249667626 lossy a n1 0.385295
seed 3: 14249667626 lossy n1 a 0.385295
seed 3: 17120122990 lossy a n1 0.000000
seed 3: 17120122990 lossy n1 a 0.000000
#### plan
[faults]
narrow_links = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
narrow_links: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 2424926307 narrow n2 n1 77463B
seed 1: 2424926307 narrow n1 n2 77463B
seed 1: 6626233290 narrow n2 n1 0B
seed 1: 6626233290 narrow n1 n2 0B
seed 1: 7855057297 narrow n1 n2 17290B
seed 1: 7855057297 narrow n2 n1 17290B
seed 1: 9855699880 narrow n1 n2 0B
seed 1: 9855699880 narrow n2 n1 0B
seed 2: 5747102833 narrow n2 n3 14446B
seed 2: 5747102833 narrow n3 n2 14446B
seed 2: 7573079447 narrow n2 n3 0B
seed 2: 7573079447 narrow n3 n2 0B
seed 2: 17667497869 narrow n1 m 49524B
seed 2: 17667497869 narrow m n1 49524B
seed 2: 19151557611 narrow n1 m 0B
seed 2: 19151557611 narrow m n1 0B
seed 3: 6418261614 narrow m n3 68758B
seed 3: 6418261614 narrow n3 m 68758B
seed 3: 10480660453 narrow m n3 0B
seed 3: 10480660453 narrow n3 m 0B
seed 3: 14249667626 narrow a n1 74765B
seed 3: 14249667626 narrow n1 a 74765B
seed 3: 17120122990 narrow a n1 0B
seed 3: 17120122990 narrow n1 a 0B
#### plan
[faults]
slow_disks = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
slow_disks: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 2424926307 slow-disk n2 386402714ns
seed 1: 6626233290 slow-disk n2 0ns
seed 1: 7855057297 slow-disk n1 83111417ns
seed 1: 9855699880 slow-disk n1 0ns
seed 2: 5747102833 slow-disk n2 68775863ns
seed 2: 7573079447 slow-disk n2 0ns
seed 2: 17667497869 slow-disk n1 245579522ns
seed 2: 19151557611 slow-disk n1 0ns
seed 3: 6418261614 slow-disk m 342528467ns
seed 3: 10480660453 slow-disk m 0ns
seed 3: 14249667626 slow-disk a 372804306ns
seed 3: 17120122990 slow-disk a 0ns
#### plan
[faults]
memory = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
memory: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 4461547010 memory m full
seed 1: 4790201933 memory a full
seed 1: 5067778586 memory m free
seed 1: 6503426104 memory a free
seed 2: 6579456995 memory n2 full
seed 2: 8566867259 memory n2 free
seed 2: 14523977679 memory n3 full
seed 2: 18940852147 memory n3 free
seed 3: 10402404543 memory m full
seed 3: 12006969946 memory m free
seed 3: 19476848554 memory m full
seed 3: 24304179176 memory m free
#### plan
[faults]
process_kills = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
process_kills: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 4461547010 kill-one m 308966
seed 1: 4961934905 kill-one n1 862467
seed 2: 4444820724 kill-one a 229302
seed 2: 14523977679 kill-one n3 65075
seed 3: 10402404543 kill-one m 783245
seed 3: 15411778564 kill-one n2 830099
#### plan
[faults]
rolling_restarts = 2
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
rolling: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 4961934905 kill a
seed 1: 6159485388 restart a
seed 1: 7303765944 kill a
seed 1: 7872709559 kill n1
seed 1: 8419152696 restart a
seed 1: 9025384272 kill n1
seed 1: 9070260042 restart n1
seed 1: 10140771024 restart n1
seed 1: 10747002600 kill n2
seed 1: 10783484213 kill n2
seed 1: 11862389352 restart n2
seed 1: 11981034696 restart n2
seed 1: 12468620928 kill n3
seed 1: 13584007680 restart n3
seed 1: 13694258867 kill n3
seed 1: 14891809350 restart n3
seed 2: 3117097488 kill n3
seed 2: 4444820724 kill n2
seed 2: 6089684973 restart n2
seed 2: 6748091908 restart n3
seed 2: 8077095237 kill n3
seed 2: 9721959486 restart n3
seed 2: 11164966376 kill a
seed 2: 11709369750 kill a
seed 2: 13354233999 restart a
seed 2: 14795960796 restart a
seed 2: 15341644263 kill n1
seed 2: 16986508512 restart n1
seed 2: 19212835264 kill n1
seed 2: 22843829684 restart n1
seed 2: 27260704152 kill n2
seed 2: 30891698572 restart n2
seed 3: 15411778564 kill a
seed 3: 15445295744 kill a
seed 3: 18045896880 restart a
seed 3: 19650462283 kill n1
seed 3: 20280990703 restart a
seed 3: 22251063419 restart n1
seed 3: 23855628822 kill n2
seed 3: 25108321325 kill n1
seed 3: 26456229958 restart n2
seed 3: 28060795361 kill n3
seed 3: 29977533464 restart n1
seed 3: 30661396497 restart n3
seed 3: 34804864086 kill n2
seed 3: 39674076225 restart n2
seed 3: 44501406847 kill n3
seed 3: 49370618986 restart n3
#### plan
[faults]
strobes = 1
last = ["50ms", "400ms"]
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
strobes: 1
min_ns: 50000000
max_ns: 400000000
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 7303765944 jump m 8234000996ns
seed 1: 7335432703 jump m -8234000996ns
seed 2: 3117097488 jump n3 2225865429ns
seed 2: 3257773913 jump n3 -2225865429ns
seed 3: 15445295744 jump m 7926859656ns
seed 3: 15541321793 jump m -7926859656ns
#### plan
[faults]
kills = 1
between = "1s"
last = "2s"
[[event]]
at = "1s"
do = "heal"
[[event]]
at = "3s"
do = "heal"
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
events: 2
kills: 1
from_ns: 1000000000
to_ns: 1000000000
min_ns: 2000000000
max_ns: 2000000000
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
without faults 1: 1000000000 heal
without faults 1: 3000000000 heal
seed 1: 1000000000 heal
seed 1: 1000000000 kill m
seed 1: 3000000000 heal
seed 1: 3000000000 restart m
seed 2: 1000000000 heal
seed 2: 1000000000 kill n3
seed 2: 3000000000 heal
seed 2: 3000000000 restart n3
seed 3: 1000000000 heal
seed 3: 1000000000 kill m
seed 3: 3000000000 heal
seed 3: 3000000000 restart m
#### plan
[[fault]]
name = "f"
run = "do {node} {nod {node}"
undo = "undo {node}"
times = 2
[[fault]]
name = "g"
run = "x"
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 8
scripts: 2
node f 10.0.0.1 client manual may fail skew 0 drift 0 start 0
 argv: </bin/true>
node g 10.0.0.2 client manual may fail skew 0 drift 0 start 0
 argv: </bin/true>
node n1 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.4 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.5 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.6 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.7 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.8 skew 0 drift 0 start 0
fault on 0, 2 times
 run: do {node} {nod {node}
 undo: undo {node}
fault on 1, 1 times
 run: x
 undo: none
seed 1: 6852896686 exec g x
seed 1: 7303765944 exec f do m {nod m
seed 1: 8419152696 exec f undo m
seed 1: 16805227931 exec f do n1 {nod n1
seed 1: 18045711657 exec f undo n1
seed 2: 3117097488 exec f do n3 {nod n3
seed 2: 5936238968 exec f do a {nod a
seed 2: 6748091908 exec f undo n3
seed 2: 7047444149 exec f undo a
seed 2: 7949641056 exec g x
seed 3: 15445295744 exec f do m {nod m
seed 3: 16249595357 exec f do n2 {nod n2
seed 3: 18045896880 exec f undo m
seed 3: 19309322487 exec g x
seed 3: 20102539998 exec f undo n2
#### plan: one node
[faults]
partitions = 1
#----
partitions: 1
#### plan: two nodes
[faults]
partitions = 1
[[node]]
name = "b"
run = "y"
#----
nodes: 2
partitions: 1
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 15902302302 cut b a
seed 1: 15902302302 cut a b
seed 1: 17728243788 heal b a
seed 1: 17728243788 heal a b
seed 2: 10822507793 cut b a
seed 2: 10822507793 cut a b
seed 2: 11601782165 heal b a
seed 2: 11601782165 heal a b
seed 3: 14319664151 cut b a
seed 3: 14319664151 cut a b
seed 3: 18180988087 heal b a
seed 3: 18180988087 heal a b
#### plan: five nodes
[faults]
partitions = 3
[[node]]
name = "b"
run = "y"
#----
nodes: 2
partitions: 3
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 7855057297 cut b a
seed 1: 7855057297 cut a b
seed 1: 9855699880 heal b a
seed 1: 9855699880 heal a b
seed 1: 15902302302 cut b a
seed 1: 15902302302 cut a b
seed 1: 16805227931 cut b a
seed 1: 16805227931 cut a b
seed 1: 17728243788 heal b a
seed 1: 17728243788 heal a b
seed 1: 18045711657 heal b a
seed 1: 18045711657 heal a b
seed 2: 5747102833 cut b a
seed 2: 5747102833 cut a b
seed 2: 5936238968 cut b a
seed 2: 5936238968 cut a b
seed 2: 7047444149 heal b a
seed 2: 7047444149 heal a b
seed 2: 7573079447 heal b a
seed 2: 7573079447 heal a b
seed 2: 10822507793 cut b a
seed 2: 10822507793 cut a b
seed 2: 11601782165 heal b a
seed 2: 11601782165 heal a b
seed 3: 14249667626 cut b a
seed 3: 14249667626 cut a b
seed 3: 14319664151 cut b a
seed 3: 14319664151 cut a b
seed 3: 16249595357 cut b a
seed 3: 16249595357 cut a b
seed 3: 17120122990 heal b a
seed 3: 17120122990 heal a b
seed 3: 18180988087 heal b a
seed 3: 18180988087 heal a b
seed 3: 20102539998 heal b a
seed 3: 20102539998 heal a b
#### plan: one node
[faults]
cuts = 1
#----
cuts: 1
#### plan: two nodes
[faults]
cuts = 1
[[node]]
name = "b"
run = "y"
#----
nodes: 2
cuts: 1
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 4461547010 cut a b
seed 1: 5067778586 heal a b
seed 2: 14523977679 cut b a
seed 2: 18940852147 heal b a
seed 3: 10402404543 cut a b
seed 3: 12006969946 heal a b
#### plan: five nodes
[faults]
cuts = 3
[[node]]
name = "b"
run = "y"
#----
nodes: 2
cuts: 3
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 4461547010 cut a b
seed 1: 4790201933 cut a b
seed 1: 5067778586 heal a b
seed 1: 6503426104 heal a b
seed 1: 10175756920 cut b a
seed 1: 11083549090 heal b a
seed 2: 3679732775 cut b a
seed 2: 4583097001 heal b a
seed 2: 6579456995 cut b a
seed 2: 8566867259 heal b a
seed 2: 14523977679 cut b a
seed 2: 18940852147 heal b a
seed 3: 10402404543 cut a b
seed 3: 10929482414 cut a b
seed 3: 12006969946 heal a b
seed 3: 13553839836 heal a b
seed 3: 19476848554 cut a b
seed 3: 24304179176 heal a b
#### plan: one node
[faults]
splits = 1
#----
splits: 1
#### plan: two nodes
[faults]
splits = 1
[[node]]
name = "b"
run = "y"
#----
nodes: 2
splits: 1
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 15902302302 cut b a
seed 1: 15902302302 cut a b
seed 1: 17728243788 heal b a
seed 1: 17728243788 heal a b
seed 2: 10822507793 cut b a
seed 2: 10822507793 cut a b
seed 2: 11601782165 heal b a
seed 2: 11601782165 heal a b
seed 3: 14319664151 cut b a
seed 3: 14319664151 cut a b
seed 3: 18180988087 heal b a
seed 3: 18180988087 heal a b
#### plan: five nodes
[faults]
splits = 2
[[node]]
name = "n{i}"
count = 4
run = "y"
#----
nodes: 5
splits: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node n4 10.0.0.4 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.5 skew 0 drift 0 start 0
seed 1: 6852896686 cut n1 n2
seed 1: 6852896686 cut n1 n3
seed 1: 6852896686 cut n2 n1
seed 1: 6852896686 cut n2 n4
seed 1: 6852896686 cut n2 a
seed 1: 6852896686 cut n3 n1
seed 1: 6852896686 cut n3 n4
seed 1: 6852896686 cut n3 a
seed 1: 6852896686 cut n4 n2
seed 1: 6852896686 cut n4 n3
seed 1: 6852896686 cut a n2
seed 1: 6852896686 cut a n3
seed 1: 8816661010 heal n1 n2
seed 1: 8816661010 heal n1 n3
seed 1: 8816661010 heal n2 n1
seed 1: 8816661010 heal n2 n4
seed 1: 8816661010 heal n2 a
seed 1: 8816661010 heal n3 n1
seed 1: 8816661010 heal n3 n4
seed 1: 8816661010 heal n3 a
seed 1: 8816661010 heal n4 n2
seed 1: 8816661010 heal n4 n3
seed 1: 8816661010 heal a n2
seed 1: 8816661010 heal a n3
seed 1: 15902302302 cut n1 n3
seed 1: 15902302302 cut n1 n4
seed 1: 15902302302 cut n1 a
seed 1: 15902302302 cut n2 n3
seed 1: 15902302302 cut n2 n4
seed 1: 15902302302 cut n2 a
seed 1: 15902302302 cut n3 n1
seed 1: 15902302302 cut n3 n2
seed 1: 15902302302 cut n4 n1
seed 1: 15902302302 cut n4 n2
seed 1: 15902302302 cut a n1
seed 1: 15902302302 cut a n2
seed 1: 17728243788 heal n1 n3
seed 1: 17728243788 heal n1 n4
seed 1: 17728243788 heal n1 a
seed 1: 17728243788 heal n2 n3
seed 1: 17728243788 heal n2 n4
seed 1: 17728243788 heal n2 a
seed 1: 17728243788 heal n3 n1
seed 1: 17728243788 heal n3 n2
seed 1: 17728243788 heal n4 n1
seed 1: 17728243788 heal n4 n2
seed 1: 17728243788 heal a n1
seed 1: 17728243788 heal a n2
seed 2: 7949641056 cut n1 n3
seed 2: 7949641056 cut n1 n4
seed 2: 7949641056 cut n1 a
seed 2: 7949641056 cut n2 n3
seed 2: 7949641056 cut n2 n4
seed 2: 7949641056 cut n2 a
seed 2: 7949641056 cut n3 n1
seed 2: 7949641056 cut n3 n2
seed 2: 7949641056 cut n4 n1
seed 2: 7949641056 cut n4 n2
seed 2: 7949641056 cut a n1
seed 2: 7949641056 cut a n2
seed 2: 9386416764 heal n1 n3
seed 2: 9386416764 heal n1 n4
seed 2: 9386416764 heal n1 a
seed 2: 9386416764 heal n2 n3
seed 2: 9386416764 heal n2 n4
seed 2: 9386416764 heal n2 a
seed 2: 9386416764 heal n3 n1
seed 2: 9386416764 heal n3 n2
seed 2: 9386416764 heal n4 n1
seed 2: 9386416764 heal n4 n2
seed 2: 9386416764 heal a n1
seed 2: 9386416764 heal a n2
seed 2: 10822507793 cut n1 n2
seed 2: 10822507793 cut n1 n4
seed 2: 10822507793 cut n2 n1
seed 2: 10822507793 cut n2 n3
seed 2: 10822507793 cut n2 a
seed 2: 10822507793 cut n3 n2
seed 2: 10822507793 cut n3 n4
seed 2: 10822507793 cut n4 n1
seed 2: 10822507793 cut n4 n3
seed 2: 10822507793 cut n4 a
seed 2: 10822507793 cut a n2
seed 2: 10822507793 cut a n4
seed 2: 11601782165 heal n1 n2
seed 2: 11601782165 heal n1 n4
seed 2: 11601782165 heal n2 n1
seed 2: 11601782165 heal n2 n3
seed 2: 11601782165 heal n2 a
seed 2: 11601782165 heal n3 n2
seed 2: 11601782165 heal n3 n4
seed 2: 11601782165 heal n4 n1
seed 2: 11601782165 heal n4 n3
seed 2: 11601782165 heal n4 a
seed 2: 11601782165 heal a n2
seed 2: 11601782165 heal a n4
seed 3: 14319664151 cut n1 n2
seed 3: 14319664151 cut n1 n4
seed 3: 14319664151 cut n1 a
seed 3: 14319664151 cut n2 n1
seed 3: 14319664151 cut n2 n3
seed 3: 14319664151 cut n3 n2
seed 3: 14319664151 cut n3 n4
seed 3: 14319664151 cut n3 a
seed 3: 14319664151 cut n4 n1
seed 3: 14319664151 cut n4 n3
seed 3: 14319664151 cut a n1
seed 3: 14319664151 cut a n3
seed 3: 18180988087 heal n1 n2
seed 3: 18180988087 heal n1 n4
seed 3: 18180988087 heal n1 a
seed 3: 18180988087 heal n2 n1
seed 3: 18180988087 heal n2 n3
seed 3: 18180988087 heal n3 n2
seed 3: 18180988087 heal n3 n4
seed 3: 18180988087 heal n3 a
seed 3: 18180988087 heal n4 n1
seed 3: 18180988087 heal n4 n3
seed 3: 18180988087 heal a n1
seed 3: 18180988087 heal a n3
seed 3: 19309322487 cut n1 n3
seed 3: 19309322487 cut n1 a
seed 3: 19309322487 cut n2 n3
seed 3: 19309322487 cut n2 a
seed 3: 19309322487 cut n3 n1
seed 3: 19309322487 cut n3 n2
seed 3: 19309322487 cut n3 n4
seed 3: 19309322487 cut n4 n3
seed 3: 19309322487 cut n4 a
seed 3: 19309322487 cut a n1
seed 3: 19309322487 cut a n2
seed 3: 19309322487 cut a n4
seed 3: 22871739394 heal n1 n3
seed 3: 22871739394 heal n1 a
seed 3: 22871739394 heal n2 n3
seed 3: 22871739394 heal n2 a
seed 3: 22871739394 heal n3 n1
seed 3: 22871739394 heal n3 n2
seed 3: 22871739394 heal n3 n4
seed 3: 22871739394 heal n4 n3
seed 3: 22871739394 heal n4 a
seed 3: 22871739394 heal a n1
seed 3: 22871739394 heal a n2
seed 3: 22871739394 heal a n4
#### plan: one node
[faults]
bridges = 1
#----
bridges: 1
#### plan: two nodes
[faults]
bridges = 1
[[node]]
name = "b"
run = "y"
#----
nodes: 2
bridges: 1
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
#### plan: five nodes
[faults]
bridges = 2
[[node]]
name = "n{i}"
count = 4
run = "y"
#----
nodes: 5
bridges: 2
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node n4 10.0.0.4 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.5 skew 0 drift 0 start 0
seed 1: 2424926307 cut n2 n4
seed 1: 2424926307 cut n2 a
seed 1: 2424926307 cut n3 n4
seed 1: 2424926307 cut n3 a
seed 1: 2424926307 cut n4 n2
seed 1: 2424926307 cut n4 n3
seed 1: 2424926307 cut a n2
seed 1: 2424926307 cut a n3
seed 1: 6626233290 heal n2 n4
seed 1: 6626233290 heal n2 a
seed 1: 6626233290 heal n3 n4
seed 1: 6626233290 heal n3 a
seed 1: 6626233290 heal n4 n2
seed 1: 6626233290 heal n4 n3
seed 1: 6626233290 heal a n2
seed 1: 6626233290 heal a n3
seed 1: 15902302302 cut n2 n4
seed 1: 15902302302 cut n2 a
seed 1: 15902302302 cut n3 n4
seed 1: 15902302302 cut n3 a
seed 1: 15902302302 cut n4 n2
seed 1: 15902302302 cut n4 n3
seed 1: 15902302302 cut a n2
seed 1: 15902302302 cut a n3
seed 1: 17728243788 heal n2 n4
seed 1: 17728243788 heal n2 a
seed 1: 17728243788 heal n3 n4
seed 1: 17728243788 heal n3 a
seed 1: 17728243788 heal n4 n2
seed 1: 17728243788 heal n4 n3
seed 1: 17728243788 heal a n2
seed 1: 17728243788 heal a n3
seed 2: 10822507793 cut n1 n3
seed 2: 10822507793 cut n1 a
seed 2: 10822507793 cut n2 n3
seed 2: 10822507793 cut n2 a
seed 2: 10822507793 cut n3 n1
seed 2: 10822507793 cut n3 n2
seed 2: 10822507793 cut a n1
seed 2: 10822507793 cut a n2
seed 2: 11601782165 heal n1 n3
seed 2: 11601782165 heal n1 a
seed 2: 11601782165 heal n2 n3
seed 2: 11601782165 heal n2 a
seed 2: 11601782165 heal n3 n1
seed 2: 11601782165 heal n3 n2
seed 2: 11601782165 heal a n1
seed 2: 11601782165 heal a n2
seed 2: 17667497869 cut n2 n4
seed 2: 17667497869 cut n2 a
seed 2: 17667497869 cut n3 n4
seed 2: 17667497869 cut n3 a
seed 2: 17667497869 cut n4 n2
seed 2: 17667497869 cut n4 n3
seed 2: 17667497869 cut a n2
seed 2: 17667497869 cut a n3
seed 2: 19151557611 heal n2 n4
seed 2: 19151557611 heal n2 a
seed 2: 19151557611 heal n3 n4
seed 2: 19151557611 heal n3 a
seed 2: 19151557611 heal n4 n2
seed 2: 19151557611 heal n4 n3
seed 2: 19151557611 heal a n2
seed 2: 19151557611 heal a n3
seed 3: 6418261614 cut n1 n3
seed 3: 6418261614 cut n1 a
seed 3: 6418261614 cut n2 n3
seed 3: 6418261614 cut n2 a
seed 3: 6418261614 cut n3 n1
seed 3: 6418261614 cut n3 n2
seed 3: 6418261614 cut a n1
seed 3: 6418261614 cut a n2
seed 3: 10480660453 heal n1 n3
seed 3: 10480660453 heal n1 a
seed 3: 10480660453 heal n2 n3
seed 3: 10480660453 heal n2 a
seed 3: 10480660453 heal n3 n1
seed 3: 10480660453 heal n3 n2
seed 3: 10480660453 heal a n1
seed 3: 10480660453 heal a n2
seed 3: 14319664151 cut n1 n4
seed 3: 14319664151 cut n1 a
seed 3: 14319664151 cut n2 n4
seed 3: 14319664151 cut n2 a
seed 3: 14319664151 cut n4 n1
seed 3: 14319664151 cut n4 n2
seed 3: 14319664151 cut a n1
seed 3: 14319664151 cut a n2
seed 3: 18180988087 heal n1 n4
seed 3: 18180988087 heal n1 a
seed 3: 18180988087 heal n2 n4
seed 3: 18180988087 heal n2 a
seed 3: 18180988087 heal n4 n1
seed 3: 18180988087 heal n4 n2
seed 3: 18180988087 heal a n1
seed 3: 18180988087 heal a n2
#### plan: one node
[faults]
slow_links = 1
#----
slow_links: 1
#### plan: two nodes
[faults]
slow_links = 1
[[node]]
name = "b"
run = "y"
#----
nodes: 2
slow_links: 1
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 2424926307 slow b a 774626627ns
seed 1: 2424926307 slow a b 774626627ns
seed 1: 6626233290 slow b a 0ns
seed 1: 6626233290 slow a b 0ns
seed 2: 17667497869 slow b a 495237929ns
seed 2: 17667497869 slow a b 495237929ns
seed 2: 19151557611 slow b a 0ns
seed 2: 19151557611 slow a b 0ns
seed 3: 6418261614 slow a b 687581528ns
seed 3: 6418261614 slow b a 687581528ns
seed 3: 10480660453 slow a b 0ns
seed 3: 10480660453 slow b a 0ns
#### plan: five nodes
[faults]
slow_links = 3
[[node]]
name = "b"
run = "y"
#----
nodes: 2
slow_links: 3
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 2424926307 slow b a 774626627ns
seed 1: 2424926307 slow a b 774626627ns
seed 1: 6626233290 slow b a 0ns
seed 1: 6626233290 slow a b 0ns
seed 1: 7855057297 slow b a 172906419ns
seed 1: 7855057297 slow a b 172906419ns
seed 1: 9855699880 slow b a 0ns
seed 1: 9855699880 slow a b 0ns
seed 1: 16669386039 slow b a 459666631ns
seed 1: 16669386039 slow a b 459666631ns
seed 1: 21165427323 slow b a 0ns
seed 1: 21165427323 slow a b 0ns
seed 2: 5747102833 slow b a 144465139ns
seed 2: 5747102833 slow a b 144465139ns
seed 2: 7573079447 slow b a 0ns
seed 2: 7573079447 slow a b 0ns
seed 2: 13420385900 slow b a 102385302ns
seed 2: 13420385900 slow a b 102385302ns
seed 2: 17351484865 slow b a 0ns
seed 2: 17351484865 slow a b 0ns
seed 2: 17667497869 slow b a 495237929ns
seed 2: 17667497869 slow a b 495237929ns
seed 2: 19151557611 slow b a 0ns
seed 2: 19151557611 slow a b 0ns
seed 3: 6418261614 slow a b 687581528ns
seed 3: 6418261614 slow b a 687581528ns
seed 3: 7742731882 slow b a 501121533ns
seed 3: 7742731882 slow a b 501121533ns
seed 3: 10480660453 slow a b 0ns
seed 3: 10480660453 slow b a 0ns
seed 3: 11541530804 slow b a 0ns
seed 3: 11541530804 slow a b 0ns
seed 3: 14249667626 slow a b 747647821ns
seed 3: 14249667626 slow b a 747647821ns
seed 3: 17120122990 slow a b 0ns
seed 3: 17120122990 slow b a 0ns
#### plan: one node
[faults]
lossy_links = 1
#----
lossy_links: 1
#### plan: two nodes
[faults]
lossy_links = 1
[[node]]
name = "b"
run = "y"
#----
nodes: 2
lossy_links: 1
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 2424926307 lossy b a 0.397558
seed 1: 2424926307 lossy a b 0.397558
seed 1: 6626233290 lossy b a 0.000000
seed 1: 6626233290 lossy a b 0.000000
seed 2: 17667497869 lossy b a 0.270563
seed 2: 17667497869 lossy a b 0.270563
seed 2: 19151557611 lossy b a 0.000000
seed 2: 19151557611 lossy a b 0.000000
seed 3: 6418261614 lossy a b 0.357992
seed 3: 6418261614 lossy b a 0.357992
seed 3: 10480660453 lossy a b 0.000000
seed 3: 10480660453 lossy b a 0.000000
#### plan: five nodes
[faults]
lossy_links = 3
[[node]]
name = "b"
run = "y"
#----
nodes: 2
lossy_links: 3
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 2424926307 lossy b a 0.397558
seed 1: 2424926307 lossy a b 0.397558
seed 1: 6626233290 lossy b a 0.000000
seed 1: 6626233290 lossy a b 0.000000
seed 1: 7855057297 lossy b a 0.124048
seed 1: 7855057297 lossy a b 0.124048
seed 1: 9855699880 lossy b a 0.000000
seed 1: 9855699880 lossy a b 0.000000
seed 1: 16669386039 lossy b a 0.254394
seed 1: 16669386039 lossy a b 0.254394
seed 1: 21165427323 lossy b a 0.000000
seed 1: 21165427323 lossy a b 0.000000
seed 2: 5747102833 lossy b a 0.111120
seed 2: 5747102833 lossy a b 0.111120
seed 2: 7573079447 lossy b a 0.000000
seed 2: 7573079447 lossy a b 0.000000
seed 2: 13420385900 lossy b a 0.091993
seed 2: 13420385900 lossy a b 0.091993
seed 2: 17351484865 lossy b a 0.000000
seed 2: 17351484865 lossy a b 0.000000
seed 2: 17667497869 lossy b a 0.270563
seed 2: 17667497869 lossy a b 0.270563
seed 2: 19151557611 lossy b a 0.000000
seed 2: 19151557611 lossy a b 0.000000
seed 3: 6418261614 lossy a b 0.357992
seed 3: 6418261614 lossy b a 0.357992
seed 3: 7742731882 lossy b a 0.273237
seed 3: 7742731882 lossy a b 0.273237
seed 3: 10480660453 lossy a b 0.000000
seed 3: 10480660453 lossy b a 0.000000
seed 3: 11541530804 lossy b a 0.000000
seed 3: 11541530804 lossy a b 0.000000
seed 3: 14249667626 lossy a b 0.385295
seed 3: 14249667626 lossy b a 0.385295
seed 3: 17120122990 lossy a b 0.000000
seed 3: 17120122990 lossy b a 0.000000
#### plan: one node
[faults]
narrow_links = 1
#----
narrow_links: 1
#### plan: two nodes
[faults]
narrow_links = 1
[[node]]
name = "b"
run = "y"
#----
nodes: 2
narrow_links: 1
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 2424926307 narrow b a 77463B
seed 1: 2424926307 narrow a b 77463B
seed 1: 6626233290 narrow b a 0B
seed 1: 6626233290 narrow a b 0B
seed 2: 17667497869 narrow b a 49524B
seed 2: 17667497869 narrow a b 49524B
seed 2: 19151557611 narrow b a 0B
seed 2: 19151557611 narrow a b 0B
seed 3: 6418261614 narrow a b 68758B
seed 3: 6418261614 narrow b a 68758B
seed 3: 10480660453 narrow a b 0B
seed 3: 10480660453 narrow b a 0B
#### plan: five nodes
[faults]
narrow_links = 3
[[node]]
name = "b"
run = "y"
#----
nodes: 2
narrow_links: 3
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.2 skew 0 drift 0 start 0
seed 1: 2424926307 narrow b a 77463B
seed 1: 2424926307 narrow a b 77463B
seed 1: 6626233290 narrow b a 0B
seed 1: 6626233290 narrow a b 0B
seed 1: 7855057297 narrow b a 17290B
seed 1: 7855057297 narrow a b 17290B
seed 1: 9855699880 narrow b a 0B
seed 1: 9855699880 narrow a b 0B
seed 1: 16669386039 narrow b a 45967B
seed 1: 16669386039 narrow a b 45967B
seed 1: 21165427323 narrow b a 0B
seed 1: 21165427323 narrow a b 0B
seed 2: 5747102833 narrow b a 14446B
seed 2: 5747102833 narrow a b 14446B
seed 2: 7573079447 narrow b a 0B
seed 2: 7573079447 narrow a b 0B
seed 2: 13420385900 narrow b a 10238B
seed 2: 13420385900 narrow a b 10238B
seed 2: 17351484865 narrow b a 0B
seed 2: 17351484865 narrow a b 0B
seed 2: 17667497869 narrow b a 49524B
seed 2: 17667497869 narrow a b 49524B
seed 2: 19151557611 narrow b a 0B
seed 2: 19151557611 narrow a b 0B
seed 3: 6418261614 narrow a b 68758B
seed 3: 6418261614 narrow b a 68758B
seed 3: 7742731882 narrow b a 50112B
seed 3: 7742731882 narrow a b 50112B
seed 3: 10480660453 narrow a b 0B
seed 3: 10480660453 narrow b a 0B
seed 3: 11541530804 narrow b a 0B
seed 3: 11541530804 narrow a b 0B
seed 3: 14249667626 narrow a b 74765B
seed 3: 14249667626 narrow b a 74765B
seed 3: 17120122990 narrow a b 0B
seed 3: 17120122990 narrow b a 0B
#### plan: all
[faults]
kills = 1
crashes = 1
pauses = 1
cuts = 1
jumps = 1
disk = 1
drops = 1
duplicates = 1
slow_links = 1
lossy_links = 1
narrow_links = 1
slow_disks = 1
memory = 1
process_kills = 1
[[node]]
name = "n{i}"
count = 3
run = "y"
[[client]]
name = "c"
run = "z"
[[node]]
name = "m"
run = "z"
manual = true
#----
nodes: 6
kills: 1
crashes: 1
pauses: 1
cuts: 1
jumps: 1
disk: 1
drops: 1
duplicates: 1
slow_links: 1
lossy_links: 1
narrow_links: 1
slow_disks: 1
memory: 1
process_kills: 1
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node c 10.0.0.4 client skew 0 drift 0 start 0
 argv: <z>
node m 10.0.0.5 manual skew 0 drift 0 start 0
 argv: <z>
node a 10.0.0.6 skew 0 drift 0 start 0
seed 1: 3631168680 cut n2 n3
seed 1: 4879164336 kill-one a 720037
seed 1: 5304030518 slow n1 m 163454135ns
seed 1: 5304030518 slow m n1 163454135ns
seed 1: 6852896686 pause n1
seed 1: 7017816467 drop 0
seed 1: 7303765944 kill m
seed 1: 7814525426 slow-disk n2 73891332ns
seed 1: 7907126717 heal n2 n3
seed 1: 7960413683 slow n1 m 0ns
seed 1: 7960413683 slow m n1 0ns
seed 1: 8419152696 restart m
seed 1: 8816661010 resume n1
seed 1: 8907662041 slow-disk n2 0ns
seed 1: 9677694983 lossy n2 n1 0.468175
seed 1: 9677694983 lossy n1 n2 0.468175
seed 1: 9930301032 narrow m n2 63210B
seed 1: 9930301032 narrow n2 m 63210B
seed 1: 13444079881 lossy n2 n1 0.000000
seed 1: 13444079881 lossy n1 n2 0.000000
seed 1: 13701558011 narrow m n2 0B
seed 1: 13701558011 narrow n2 m 0B
seed 1: 15994271952 jump a 7760183482ns
seed 1: 16805227931 crash n1 random
seed 1: 17560363369 duplicate 0
seed 1: 17609114040 memory n2 full
seed 1: 17841935424 disk a eio-write
seed 1: 18045711657 restart n1
seed 1: 19802373514 memory n2 free
seed 2: 3117097488 kill n3
seed 2: 3613456904 cut n2 n1
seed 2: 3770849582 drop 0
seed 2: 5151865595 heal n2 n1
seed 2: 5936238968 crash a random
seed 2: 6748091908 restart n3
seed 2: 7047444149 restart a
seed 2: 7949641056 pause n2
seed 2: 7974370204 slow-disk n2 6500765ns
seed 2: 9386416764 resume n2
seed 2: 11033574265 slow n2 n3 432720188ns
seed 2: 11033574265 slow n3 n2 432720188ns
seed 2: 11036404324 disk n3 short-write
seed 2: 11303361945 jump m 5249328732ns
seed 2: 12019559914 duplicate 0
seed 2: 12774530886 slow-disk n2 0ns
seed 2: 13197196382 slow n2 n3 0ns
seed 2: 13197196382 slow n3 n2 0ns
seed 2: 16138134168 kill-one m 770999
seed 2: 16246766290 lossy a n2 0.220676
seed 2: 16246766290 lossy n2 a 0.220676
seed 2: 17372876701 memory n1 full
seed 2: 17762652890 narrow n1 a 62476B
seed 2: 17762652890 narrow a n1 62476B
seed 2: 18677069780 narrow n1 a 0B
seed 2: 18677069780 narrow a n1 0B
seed 2: 19393524307 lossy a n2 0.000000
seed 2: 19393524307 lossy n2 a 0.000000
seed 2: 21905795495 memory n1 free
seed 3: 3514733866 lossy n2 a 0.195080
seed 3: 3514733866 lossy a n2 0.195080
seed 3: 5373643681 drop 0
seed 3: 7220548802 lossy n2 a 0.000000
seed 3: 7220548802 lossy a n2 0.000000
seed 3: 9405167932 slow-disk m 450777138ns
seed 3: 10497429688 cut n3 c
seed 3: 10542936523 slow-disk m 0ns
seed 3: 10809958704 slow n2 n1 228367779ns
seed 3: 10809958704 slow n1 n2 228367779ns
seed 3: 12567805995 heal n3 c
seed 3: 12932440202 jump n2 4661328540ns
seed 3: 14135962078 duplicate 0
seed 3: 15413056841 disk n3 eio-write
seed 3: 15445295744 kill m
seed 3: 15564420259 slow n2 n1 0ns
seed 3: 15564420259 slow n1 n2 0ns
seed 3: 16249595357 crash n2 random
seed 3: 16487624102 memory n1 full
seed 3: 16888077054 kill-one n2 268578
seed 3: 18045896880 restart m
seed 3: 19161466636 narrow n1 m 20392B
seed 3: 19161466636 narrow m n1 20392B
seed 3: 19309322487 pause a
seed 3: 19774752137 memory n1 free
seed 3: 20102539998 restart n2
seed 3: 20669433828 narrow n1 m 0B
seed 3: 20669433828 narrow m n1 0B
seed 3: 22871739394 resume a
#### plan: sixty-five nodes
[faults]
splits = 1
bridges = 1
kills = 1
[[node]]
name = "n{i}"
count = 64
run = "y"
#----
nodes: 65
kills: 1
splits: 1
bridges: 1
node n1 10.0.0.1 skew 0 drift 0 start 0
 argv: <y>
node n2 10.0.0.2 skew 0 drift 0 start 0
 argv: <y>
node n3 10.0.0.3 skew 0 drift 0 start 0
 argv: <y>
node n4 10.0.0.4 skew 0 drift 0 start 0
 argv: <y>
node n5 10.0.0.5 skew 0 drift 0 start 0
 argv: <y>
node n6 10.0.0.6 skew 0 drift 0 start 0
 argv: <y>
node n7 10.0.0.7 skew 0 drift 0 start 0
 argv: <y>
node n8 10.0.0.8 skew 0 drift 0 start 0
 argv: <y>
node n9 10.0.0.9 skew 0 drift 0 start 0
 argv: <y>
node n10 10.0.0.10 skew 0 drift 0 start 0
 argv: <y>
node n11 10.0.0.11 skew 0 drift 0 start 0
 argv: <y>
node n12 10.0.0.12 skew 0 drift 0 start 0
 argv: <y>
node n13 10.0.0.13 skew 0 drift 0 start 0
 argv: <y>
node n14 10.0.0.14 skew 0 drift 0 start 0
 argv: <y>
node n15 10.0.0.15 skew 0 drift 0 start 0
 argv: <y>
node n16 10.0.0.16 skew 0 drift 0 start 0
 argv: <y>
node n17 10.0.0.17 skew 0 drift 0 start 0
 argv: <y>
node n18 10.0.0.18 skew 0 drift 0 start 0
 argv: <y>
node n19 10.0.0.19 skew 0 drift 0 start 0
 argv: <y>
node n20 10.0.0.20 skew 0 drift 0 start 0
 argv: <y>
node n21 10.0.0.21 skew 0 drift 0 start 0
 argv: <y>
node n22 10.0.0.22 skew 0 drift 0 start 0
 argv: <y>
node n23 10.0.0.23 skew 0 drift 0 start 0
 argv: <y>
node n24 10.0.0.24 skew 0 drift 0 start 0
 argv: <y>
node n25 10.0.0.25 skew 0 drift 0 start 0
 argv: <y>
node n26 10.0.0.26 skew 0 drift 0 start 0
 argv: <y>
node n27 10.0.0.27 skew 0 drift 0 start 0
 argv: <y>
node n28 10.0.0.28 skew 0 drift 0 start 0
 argv: <y>
node n29 10.0.0.29 skew 0 drift 0 start 0
 argv: <y>
node n30 10.0.0.30 skew 0 drift 0 start 0
 argv: <y>
node n31 10.0.0.31 skew 0 drift 0 start 0
 argv: <y>
node n32 10.0.0.32 skew 0 drift 0 start 0
 argv: <y>
node n33 10.0.0.33 skew 0 drift 0 start 0
 argv: <y>
node n34 10.0.0.34 skew 0 drift 0 start 0
 argv: <y>
node n35 10.0.0.35 skew 0 drift 0 start 0
 argv: <y>
node n36 10.0.0.36 skew 0 drift 0 start 0
 argv: <y>
node n37 10.0.0.37 skew 0 drift 0 start 0
 argv: <y>
node n38 10.0.0.38 skew 0 drift 0 start 0
 argv: <y>
node n39 10.0.0.39 skew 0 drift 0 start 0
 argv: <y>
node n40 10.0.0.40 skew 0 drift 0 start 0
 argv: <y>
node n41 10.0.0.41 skew 0 drift 0 start 0
 argv: <y>
node n42 10.0.0.42 skew 0 drift 0 start 0
 argv: <y>
node n43 10.0.0.43 skew 0 drift 0 start 0
 argv: <y>
node n44 10.0.0.44 skew 0 drift 0 start 0
 argv: <y>
node n45 10.0.0.45 skew 0 drift 0 start 0
 argv: <y>
node n46 10.0.0.46 skew 0 drift 0 start 0
 argv: <y>
node n47 10.0.0.47 skew 0 drift 0 start 0
 argv: <y>
node n48 10.0.0.48 skew 0 drift 0 start 0
 argv: <y>
node n49 10.0.0.49 skew 0 drift 0 start 0
 argv: <y>
node n50 10.0.0.50 skew 0 drift 0 start 0
 argv: <y>
node n51 10.0.0.51 skew 0 drift 0 start 0
 argv: <y>
node n52 10.0.0.52 skew 0 drift 0 start 0
 argv: <y>
node n53 10.0.0.53 skew 0 drift 0 start 0
 argv: <y>
node n54 10.0.0.54 skew 0 drift 0 start 0
 argv: <y>
node n55 10.0.0.55 skew 0 drift 0 start 0
 argv: <y>
node n56 10.0.0.56 skew 0 drift 0 start 0
 argv: <y>
node n57 10.0.0.57 skew 0 drift 0 start 0
 argv: <y>
node n58 10.0.0.58 skew 0 drift 0 start 0
 argv: <y>
node n59 10.0.0.59 skew 0 drift 0 start 0
 argv: <y>
node n60 10.0.0.60 skew 0 drift 0 start 0
 argv: <y>
node n61 10.0.0.61 skew 0 drift 0 start 0
 argv: <y>
node n62 10.0.0.62 skew 0 drift 0 start 0
 argv: <y>
node n63 10.0.0.63 skew 0 drift 0 start 0
 argv: <y>
node n64 10.0.0.64 skew 0 drift 0 start 0
 argv: <y>
node a 10.0.0.65 skew 0 drift 0 start 0
seed 1: 7303765944 kill n51
seed 1: 8419152696 restart n51
seed 2: 3117097488 kill n32
seed 2: 6748091908 restart n32
seed 3: 15445295744 kill n45
seed 3: 18045896880 restart n45
