#### event
[[event]]
at = "1s"
do = "crash n1"
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
events: 1
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
without faults 1: 1000000000 crash n1 random
#### event
[[event]]
at = "1s"
do = "crash n1 none"
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
events: 1
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
without faults 1: 1000000000 crash n1 none
#### event
[[event]]
at = "1s"
do = "crash n1 all"
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
events: 1
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
without faults 1: 1000000000 crash n1 all
#### event
[[event]]
at = "1s"
do = "crash n1 random"
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
events: 1
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
without faults 1: 1000000000 crash n1 random
#### event
[[event]]
at = "1s"
do = "crash n1 some"
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
DIR/c.toml: line 1: event 'crash': expected none, all or random
#### event
[[event]]
at = "1s"
do = "crash"
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
DIR/c.toml: line 1: event 'crash': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "crash x"
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
DIR/c.toml: line 1: event 'crash': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "kill n1"
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
events: 1
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
without faults 1: 1000000000 kill n1
#### event
[[event]]
at = "1s"
do = "restart n2"
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
events: 1
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
without faults 1: 1000000000 restart n2
#### event
[[event]]
at = "1s"
do = "start c"
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
events: 1
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
without faults 1: 1000000000 start c
#### event
[[event]]
at = "1s"
do = "pause n1"
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
events: 1
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
without faults 1: 1000000000 pause n1
#### event
[[event]]
at = "1s"
do = "resume n3"
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
events: 1
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
without faults 1: 1000000000 resume n3
#### event
[[event]]
at = "1s"
do = "cut n1 n2"
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
events: 1
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
without faults 1: 1000000000 cut n1 n2
#### event
[[event]]
at = "1s"
do = "cut n1"
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
DIR/c.toml: line 1: event 'cut': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "cut n1 x"
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
DIR/c.toml: line 1: event 'cut': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
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
events: 1
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
#### event
[[event]]
at = "1s"
do = "heal n1 n2"
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
events: 1
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
without faults 1: 1000000000 heal n1 n2
#### event
[[event]]
at = "1s"
do = "heal n1"
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
DIR/c.toml: line 1: event 'heal': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "reset n1 n2"
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
events: 1
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
without faults 1: 1000000000 reset n1 n2
#### event
[[event]]
at = "1s"
do = "reset n1"
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
DIR/c.toml: line 1: event 'reset': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "partition n1 | n2 n3"
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
events: 10
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
without faults 1: 1000000000 cut n1 n2
without faults 1: 1000000000 cut n1 n3
without faults 1: 1000000000 cut n1 c
without faults 1: 1000000000 cut n1 m
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n2 n1
without faults 1: 1000000000 cut n3 n1
without faults 1: 1000000000 cut c n1
without faults 1: 1000000000 cut m n1
without faults 1: 1000000000 cut a n1
#### event
[[event]]
at = "1s"
do = "partition n1"
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
events: 10
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
without faults 1: 1000000000 cut n1 n2
without faults 1: 1000000000 cut n1 n3
without faults 1: 1000000000 cut n1 c
without faults 1: 1000000000 cut n1 m
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n2 n1
without faults 1: 1000000000 cut n3 n1
without faults 1: 1000000000 cut c n1
without faults 1: 1000000000 cut m n1
without faults 1: 1000000000 cut a n1
#### event
[[event]]
at = "1s"
do = "partition n1 n2 | n3 c"
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
events: 16
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
without faults 1: 1000000000 cut n1 n3
without faults 1: 1000000000 cut n1 c
without faults 1: 1000000000 cut n1 m
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n2 n3
without faults 1: 1000000000 cut n2 c
without faults 1: 1000000000 cut n2 m
without faults 1: 1000000000 cut n2 a
without faults 1: 1000000000 cut n3 n1
without faults 1: 1000000000 cut n3 n2
without faults 1: 1000000000 cut c n1
without faults 1: 1000000000 cut c n2
without faults 1: 1000000000 cut m n1
without faults 1: 1000000000 cut m n2
without faults 1: 1000000000 cut a n1
without faults 1: 1000000000 cut a n2
#### event
[[event]]
at = "1s"
do = "partition n1 | n1"
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
DIR/c.toml: line 1: event 'partition': a node is on both sides
#### event
[[event]]
at = "1s"
do = "partition n1 | n2 | n3"
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
DIR/c.toml: line 1: event 'partition': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "partition x"
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
DIR/c.toml: line 1: event 'partition': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "partition"
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
#### event
[[event]]
at = "1s"
do = "split n1 | n2"
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
events: 8
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
without faults 1: 1000000000 cut n1 n2
without faults 1: 1000000000 cut n1 n3
without faults 1: 1000000000 cut n1 m
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n2 n1
without faults 1: 1000000000 cut n3 n1
without faults 1: 1000000000 cut m n1
without faults 1: 1000000000 cut a n1
#### event
[[event]]
at = "1s"
do = "split n1 n2"
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
events: 12
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
without faults 1: 1000000000 cut n1 n3
without faults 1: 1000000000 cut n1 m
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n2 n3
without faults 1: 1000000000 cut n2 m
without faults 1: 1000000000 cut n2 a
without faults 1: 1000000000 cut n3 n1
without faults 1: 1000000000 cut n3 n2
without faults 1: 1000000000 cut m n1
without faults 1: 1000000000 cut m n2
without faults 1: 1000000000 cut a n1
without faults 1: 1000000000 cut a n2
#### event
[[event]]
at = "1s"
do = "split n1 | n1"
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
DIR/c.toml: line 1: event 'split': a node is on both sides
#### event
[[event]]
at = "1s"
do = "bridge n2"
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
events: 8
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
without faults 1: 1000000000 cut n1 m
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n3 m
without faults 1: 1000000000 cut n3 a
without faults 1: 1000000000 cut m n1
without faults 1: 1000000000 cut m n3
without faults 1: 1000000000 cut a n1
without faults 1: 1000000000 cut a n3
#### event
[[event]]
at = "1s"
do = "bridge n1"
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
events: 8
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
without faults 1: 1000000000 cut n2 m
without faults 1: 1000000000 cut n2 a
without faults 1: 1000000000 cut n3 m
without faults 1: 1000000000 cut n3 a
without faults 1: 1000000000 cut m n2
without faults 1: 1000000000 cut m n3
without faults 1: 1000000000 cut a n2
without faults 1: 1000000000 cut a n3
#### event
[[event]]
at = "1s"
do = "bridge"
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
DIR/c.toml: line 1: event 'bridge': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "bridge x"
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
DIR/c.toml: line 1: event 'bridge': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "bridge c"
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
events: 12
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
without faults 1: 1000000000 cut n1 n3
without faults 1: 1000000000 cut n1 m
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n2 n3
without faults 1: 1000000000 cut n2 m
without faults 1: 1000000000 cut n2 a
without faults 1: 1000000000 cut n3 n1
without faults 1: 1000000000 cut n3 n2
without faults 1: 1000000000 cut m n1
without faults 1: 1000000000 cut m n2
without faults 1: 1000000000 cut a n1
without faults 1: 1000000000 cut a n2
#### event
[[event]]
at = "1s"
do = "jump n1 5s"
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
events: 1
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
without faults 1: 1000000000 jump n1 5000000000ns
#### event
[[event]]
at = "1s"
do = "jump n1 -5s"
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
events: 1
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
without faults 1: 1000000000 jump n1 -5000000000ns
#### event
[[event]]
at = "1s"
do = "jump n1"
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
DIR/c.toml: line 1: event 'jump': a time is missing, such as -5s
#### event
[[event]]
at = "1s"
do = "jump n1 x"
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
DIR/c.toml: line 1: event 'jump': a time is missing, such as -5s
#### event
[[event]]
at = "1s"
do = "jump n1 -"
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
DIR/c.toml: line 1: event 'jump': a time is missing, such as -5s
#### event
[[event]]
at = "1s"
do = "advance n1 1.5s"
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
events: 1
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
without faults 1: 1000000000 advance n1 1500000000ns
#### event
[[event]]
at = "1s"
do = "advance n1"
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
DIR/c.toml: line 1: event 'advance': a time is missing, such as -5s
#### event
[[event]]
at = "1s"
do = "disk n1 eio-write"
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
events: 1
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
without faults 1: 1000000000 disk n1 eio-write
#### event
[[event]]
at = "1s"
do = "disk n1 eio-read"
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
events: 1
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
without faults 1: 1000000000 disk n1 eio-read
#### event
[[event]]
at = "1s"
do = "disk n1 full"
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
events: 1
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
without faults 1: 1000000000 disk n1 full
#### event
[[event]]
at = "1s"
do = "disk n1 ok"
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
DIR/c.toml: line 1: event 'disk': unknown disk fault
#### event
[[event]]
at = "1s"
do = "disk n1"
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
DIR/c.toml: line 1: event 'disk': unknown disk fault
#### event
[[event]]
at = "1s"
do = "disk n1 x"
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
DIR/c.toml: line 1: event 'disk': unknown disk fault
#### event
[[event]]
at = "1s"
do = "disk n1 none"
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
DIR/c.toml: line 1: event 'disk': unknown disk fault
#### event
[[event]]
at = "1s"
do = "disk n1 eio-sync"
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
events: 1
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
without faults 1: 1000000000 disk n1 eio-sync
#### event
[[event]]
at = "1s"
do = "disk n1 torn"
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
DIR/c.toml: line 1: event 'disk': unknown disk fault
#### event
[[event]]
at = "1s"
do = "timer n1"
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
events: 1
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
without faults 1: 1000000000 timer n1
#### event
[[event]]
at = "1s"
do = "deliver 17"
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
events: 1
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
without faults 1: 1000000000 deliver 17
#### event
[[event]]
at = "1s"
do = "drop 17"
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
events: 1
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
without faults 1: 1000000000 drop 17
#### event
[[event]]
at = "1s"
do = "duplicate 17"
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
events: 1
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
without faults 1: 1000000000 duplicate 17
#### event
[[event]]
at = "1s"
do = "deliver n1>n2#5"
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
events: 1
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
without faults 1: 1000000000 deliver n1>n2#5
#### event
[[event]]
at = "1s"
do = "drop n1>n3#12"
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
events: 1
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
without faults 1: 1000000000 drop n1>n3#12
#### event
[[event]]
at = "1s"
do = "deliver n1>x#5"
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
DIR/c.toml: line 1: event 'deliver': there is no such node
#### event
[[event]]
at = "1s"
do = "deliver n1>n2#5x"
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
DIR/c.toml: line 1: event 'deliver': a number is missing behind #
#### event
[[event]]
at = "1s"
do = "deliver n1>n2#"
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
events: 1
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
without faults 1: 1000000000 deliver n1>n2#0
#### event
[[event]]
at = "1s"
do = "deliver n1>n2"
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
DIR/c.toml: line 1: event 'deliver': a number is missing
#### event
[[event]]
at = "1s"
do = "deliver"
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
DIR/c.toml: line 1: event 'deliver': a number is missing
#### event
[[event]]
at = "1s"
do = "deliver x"
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
DIR/c.toml: line 1: event 'deliver': a number is missing
#### event
[[event]]
at = "1s"
do = "deliver 12345678901234567890123456789012"
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
DIR/c.toml: line 1: event 'deliver': a number is missing
#### event
[[event]]
at = "1s"
do = "deliver 1234567890123456789012345678901"
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
events: 1
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
without faults 1: 1000000000 deliver 18446744073709551615
#### event
[[event]]
at = "1s"
do = "slow n1 n2 50ms"
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
events: 1
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
without faults 1: 1000000000 slow n1 n2 50000000ns
#### event
[[event]]
at = "1s"
do = "slow n1 n2"
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
DIR/c.toml: line 1: event 'slow': a time is missing, such as 50ms
#### event
[[event]]
at = "1s"
do = "slow n1 n2 x"
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
DIR/c.toml: line 1: event 'slow': a time is missing, such as 50ms
#### event
[[event]]
at = "1s"
do = "slow n1"
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
DIR/c.toml: line 1: event 'slow': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 0.1"
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
events: 1
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
without faults 1: 1000000000 lossy n1 n2 0.100000
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 0"
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
events: 1
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
without faults 1: 1000000000 lossy n1 n2 0.000000
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 1"
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
events: 1
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
without faults 1: 1000000000 lossy n1 n2 1.000000
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 1.1"
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
DIR/c.toml: line 1: event 'lossy': a chance is missing, such as 0.1
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 -0.1"
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
DIR/c.toml: line 1: event 'lossy': a chance is missing, such as 0.1
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 x"
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
DIR/c.toml: line 1: event 'lossy': a chance is missing, such as 0.1
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 0.1x"
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
DIR/c.toml: line 1: event 'lossy': a chance is missing, such as 0.1
#### event
[[event]]
at = "1s"
do = "lossy n1 n2"
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
DIR/c.toml: line 1: event 'lossy': a chance is missing, such as 0.1
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 0.0000004"
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
events: 1
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
without faults 1: 1000000000 lossy n1 n2 0.000000
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 0.0000005"
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
events: 1
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
without faults 1: 1000000000 lossy n1 n2 0.000001
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 0.00000000000000000000000000001"
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
events: 1
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
without faults 1: 1000000000 lossy n1 n2 0.000000
#### event
[[event]]
at = "1s"
do = "lossy n1 n2 0.0000000000000000000000000000001"
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
DIR/c.toml: line 1: event 'lossy': a chance is missing, such as 0.1
#### event
[[event]]
at = "1s"
do = "narrow n1 n2 100kB"
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
events: 1
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
without faults 1: 1000000000 narrow n1 n2 100000B
#### event
[[event]]
at = "1s"
do = "narrow n1 n2 0B"
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
events: 1
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
without faults 1: 1000000000 narrow n1 n2 0B
#### event
[[event]]
at = "1s"
do = "narrow n1 n2 5"
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
DIR/c.toml: line 1: event 'narrow': bytes a second are missing, such as 100kB
#### event
[[event]]
at = "1s"
do = "narrow n1 n2"
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
DIR/c.toml: line 1: event 'narrow': bytes a second are missing, such as 100kB
#### event
[[event]]
at = "1s"
do = "slow-disk n1 20ms"
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
events: 1
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
without faults 1: 1000000000 slow-disk n1 20000000ns
#### event
[[event]]
at = "1s"
do = "slow-disk n1"
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
DIR/c.toml: line 1: event 'slow-disk': a time is missing, such as 50ms
#### event
[[event]]
at = "1s"
do = "slow-disk n1 x"
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
DIR/c.toml: line 1: event 'slow-disk': a time is missing, such as 50ms
#### event
[[event]]
at = "1s"
do = "memory n1 64MB"
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
events: 1
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
without faults 1: 1000000000 memory n1 64000000B
#### event
[[event]]
at = "1s"
do = "memory n1 full"
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
events: 1
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
without faults 1: 1000000000 memory n1 full
#### event
[[event]]
at = "1s"
do = "memory n1 free"
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
events: 1
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
without faults 1: 1000000000 memory n1 free
#### event
[[event]]
at = "1s"
do = "memory n1 0B"
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
events: 1
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
without faults 1: 1000000000 memory n1 free
#### event
[[event]]
at = "1s"
do = "memory n1 1B"
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
events: 1
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
without faults 1: 1000000000 memory n1 full
#### event
[[event]]
at = "1s"
do = "memory n1"
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
DIR/c.toml: line 1: event 'memory': expected full, free, or bytes such as 64MB
#### event
[[event]]
at = "1s"
do = "memory n1 x"
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
DIR/c.toml: line 1: event 'memory': expected full, free, or bytes such as 64MB
#### event
[[event]]
at = "1s"
do = "kill-one n1"
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
events: 1
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
without faults 1: 1000000000 kill-one n1 0
#### event
[[event]]
at = "1s"
do = "kill-one n1 17"
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
events: 1
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
without faults 1: 1000000000 kill-one n1 17
#### event
[[event]]
at = "1s"
do = "kill-one n1 sh"
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
events: 1
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
without faults 1: 1000000000 kill-one n1 sh
#### event
[[event]]
at = "1s"
do = "kill-one n1 17x"
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
events: 1
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
without faults 1: 1000000000 kill-one n1 17x
#### event
[[event]]
at = "1s"
do = "kill-one n1 12345678901234567890123"
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
events: 1
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
without faults 1: 1000000000 kill-one n1 -1
#### event
[[event]]
at = "1s"
do = "kill-one n1 123456789012345678901234"
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
events: 1
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
without faults 1: 1000000000 kill-one n1 -1
#### event
[[event]]
at = "1s"
do = "kill-one"
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
DIR/c.toml: line 1: event 'kill-one': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "exec n1 prog  a b"
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
events: 1
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
without faults 1: 1000000000 exec n1 prog  a b
#### event
[[event]]
at = "1s"
do = "exec n1"
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
DIR/c.toml: line 1: event 'exec': the command is missing
#### event
[[event]]
at = "1s"
do = "exec n1 \"a"
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
DIR/c.toml: line 1: event 'exec': a quote of the command is not closed
#### event
[[event]]
at = "1s"
do = "exec x y"
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
DIR/c.toml: line 1: event 'exec': the name of a node is missing or unknown
#### event
[[event]]
at = "1s"
do = "wait 5"
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
events: 1
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
without faults 1: 1000000000 wait 5
#### event
[[event]]
at = "1s"
do = "wait"
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
DIR/c.toml: line 1: event 'wait': a number is missing
#### event
[[event]]
at = "1s"
do = "wait x"
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
DIR/c.toml: line 1: event 'wait': a number is missing
#### event
[[event]]
at = "1s"
do = ""
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
DIR/c.toml: line 1: an event is missing
#### event
[[event]]
at = "1s"
do = "explode n1"
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
DIR/c.toml: line 1: event 'explode': there is no such event
#### event
[[event]]
at = "1s"
do = "strobe n1 200ms 20ms 100ms"
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
events: 4
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
without faults 1: 1000000000 jump n1 200000000ns
without faults 1: 1020000000 jump n1 -200000000ns
without faults 1: 1040000000 jump n1 200000000ns
without faults 1: 1060000000 jump n1 -200000000ns
#### event
[[event]]
at = "1s"
do = "strobe n1 200ms 0s 1ns"
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
without faults 1: 1000000000 jump n1 200000000ns
without faults 1: 1000000001 jump n1 -200000000ns
#### event
[[event]]
at = "1s"
do = "strobe n1 200ms 20ms"
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
DIR/c.toml: line 1: event 'strobe n1 200ms 20ms': it is like strobe n1 200ms 20ms 2s: by how much, how often, how long
#### event
[[event]]
at = "1s"
do = "strobe n1 x 20ms 1s"
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
DIR/c.toml: line 1: event 'strobe n1 x 20ms 1s': it is like strobe n1 200ms 20ms 2s: by how much, how often, how long
#### event
[[event]]
at = "1s"
do = "strobe x 200ms 20ms 1s"
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
DIR/c.toml: line 1: event 'strobe x 200ms 20ms 1s': it is like strobe n1 200ms 20ms 2s: by how much, how often, how long
#### event
[[event]]
at = "1s"
do = "strobe"
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
DIR/c.toml: line 1: event 'strobe': it is like strobe n1 200ms 20ms 2s: by how much, how often, how long
#### event
[[event]]
at = "1s"
do = "strobe n1 1s 1ms 999ms x"
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
DIR/c.toml: line 1: event 'strobe n1 1s 1ms 999ms x': it is like strobe n1 200ms 20ms 2s: by how much, how often, how long
#### event
[[event]]
at = "1s"
do = "strobe n1 5ms 20ms 10ms"
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
without faults 1: 1000000000 jump n1 5000000ns
without faults 1: 1020000000 jump n1 -5000000ns
#### event
[[event]]
at = "1s"
do = "rolling-restart 1s 2s"
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
events: 8
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
without faults 1: 1000000000 kill n1
without faults 1: 2000000000 restart n1
without faults 1: 4000000000 kill n2
without faults 1: 5000000000 restart n2
without faults 1: 7000000000 kill n3
without faults 1: 8000000000 restart n3
without faults 1: 10000000000 kill a
without faults 1: 11000000000 restart a
#### event
[[event]]
at = "1s"
do = "rolling-restart 1s"
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
DIR/c.toml: line 1: event 'rolling-restart 1s': it is like rolling-restart 1s 2s: how long each is down, and a pause
#### event
[[event]]
at = "1s"
do = "rolling-restart x 1s"
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
DIR/c.toml: line 1: event 'rolling-restart x 1s': it is like rolling-restart 1s 2s: how long each is down, and a pause
#### event
[[event]]
at = "1s"
do = "rolling-restart 1s 2s 3s"
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
DIR/c.toml: line 1: event 'rolling-restart 1s 2s 3s': it is like rolling-restart 1s 2s: how long each is down, and a pause
#### event
[[event]]
at = "1s"
do = "rolling-restarts 1s 2s"
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
DIR/c.toml: line 1: event 'rolling-restarts': there is no such event
#### event
[[event]]
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
events: 1
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
without faults 1: 0 heal
#### event
[[event]]
at = "1s"
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
DIR/c.toml: line 1: an event needs at and do
#### event
[[event]]
at = "x"
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
DIR/c.toml: line 2: at: not a time such as "20ms"
#### event
[[event]]
at = "1s"
do = 5
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
DIR/c.toml: line 3: do must be a string
#### event
[[event]]
at = "1s"
du = "heal"
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
DIR/c.toml: line 3: 'du' is not known in [event]; did you mean 'do'?
#### event
[[event]]
at = "2s"
do = "kill n1"
[[event]]
at = "1s"
do = "kill n2"
[[event]]
at = "2s"
do = "kill n3"
[[event]]
at = "1s"
do = "pause n1"
[[event]]
at = "1500ms"
do = "rolling-restart 200ms 300ms"
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
events: 12
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
without faults 1: 1000000000 kill n2
without faults 1: 1000000000 pause n1
without faults 1: 1500000000 kill n1
without faults 1: 1700000000 restart n1
without faults 1: 2000000000 kill n1
without faults 1: 2000000000 kill n3
without faults 1: 2000000000 kill n2
without faults 1: 2200000000 restart n2
without faults 1: 2500000000 kill n3
without faults 1: 2700000000 restart n3
without faults 1: 3000000000 kill a
without faults 1: 3200000000 restart a
#### event: too many nodes for groups
[[event]]
at = "1s"
do = "split n1"
[[node]]
name = "n{i}"
count = 64
run="x"
#----
DIR/c.toml: line 1: event 'split': more than 64 nodes
#### event: too many nodes for a bridge
[[event]]
at = "1s"
do = "bridge n1"
[[node]]
name = "n{i}"
count = 64
run="x"
#----
DIR/c.toml: line 1: event 'bridge': more than 64 nodes
#### event: words beyond the most
[[event]]
at = "1s"
do = "partition n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n1 n2"
[[node]]
name = "n{i}"
count = 3
run="x"
#----
nodes: 4
events: 6
node n1 10.0.0.1 skew 0 drift 0 start 0
node n2 10.0.0.2 skew 0 drift 0 start 0
node n3 10.0.0.3 skew 0 drift 0 start 0
node a 10.0.0.4 skew 0 drift 0 start 0
without faults 1: 1000000000 cut n1 n2
without faults 1: 1000000000 cut n1 n3
without faults 1: 1000000000 cut n1 a
without faults 1: 1000000000 cut n2 n1
without faults 1: 1000000000 cut n3 n1
without faults 1: 1000000000 cut a n1
#### event
[[event]]
at = "1s"
do = "thread n1 102 5"
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
DIR/c.toml: line 1: event 'thread': threads are chosen where they make calls, not at a time; see preemptions
#### event
[[event]]
at = "1s"
do = "thread n1"
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
DIR/c.toml: line 1: event 'thread': a number is missing
