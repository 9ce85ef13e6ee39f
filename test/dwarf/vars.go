// Variables of Go. The lines with //= say what must be read from it.
package main

import (
	"fmt"
	"time"
)

//= main.term => 7
//= main.name => "go node"
//= main.state.log[*].Term => [1, 2]
//= main.state.log[1] => {Term: 2, Command: "set"}
//= main.state.role => 2
//= main.state.voted => false
//= main.next.log[0].Command => "init"
//= main.ages => map["ann": 30, "bob": 40]
//= main.ages["bob"] => 40
//= main.nothing => map[]
//= main.peers[2].Match => 12
//= main.peers[*].Match => map[1: 11, 2: 12]
//= main.many[123] => 246
//= main.bytes => [1, 2]
//= main.array[1..3] => [5, 6]
//= main.empty => []
//= main.pi => 3.25
//= main.missing => null
//= main.index => map["x": 1, "y": 2]
//= main.index["y"] => 2
//= main.holder.idx["x"] => 1
//= main.role => Leader
//= main.holder.role => Candidate
//= main.votes => map[Follower: 1, Leader: 3]
//= main.votes["Leader"] => 3
//= main.votes[main.Leader] => 3
//= main.Leader => Leader
//= main.list[main.Candidate] => 8
//= main.wait => 1000
//= main.level => 5
//= main.through[*] => [7, 8, 9]
//= main.through[1] => 8
//= main.through[1..3] => [8, 9]
//~ main.absent[*] => null
//~ main.absent[0] => null
//~ main.absent[0..1] => null
//~ main.missing.Term => null
//~ main.list[*].Term => int has no member Term
//~ main.list[5] => outside of the 3 elements
//~ main.term[*] => has no elements
//~ main.ages["eve"] => no key
//~ main.nothing[3] => no key
//~ main.many[1000] => no key
//~ main.state.lag => has no member lag (it has role, voted, log); did you mean log?
//~ main.nobody => no global or static variable

type Entry struct {
	Term    uint64
	Command string
}
type State struct {
	role  int8
	voted bool
	log   []Entry
}
type Peer struct{ Match int }

type Index map[string]int
type Role uint8
type Level int16

const (
	Follower Role = iota
	Candidate
	Leader
)
const NoLevel Level = 5 // one constant makes no enumeration

type Holder struct {
	idx  Index
	role Role
}

var index = Index{"y": 2, "x": 1}
var role = Leader
var holder = &Holder{index, Candidate}
var votes = map[Role]int{Leader: 3, Follower: 1}
var list = []int{7, 8, 9}
var wait = time.Microsecond // constants that are not in a row are numbers
var level = NoLevel
var term int32 = 7
var name = "go node"
var state = State{2, false, []Entry{{1, "init"}, {2, "set"}}}
var next = &state
var ages = map[string]int{"bob": 40, "ann": 30}
var nothing map[int]int
var peers = map[int]*Peer{1: {11}, 2: {12}}
var many = map[int]int{}
var bytes = []byte{1, 2}
var array = [3]int{4, 5, 6}
var empty []int
var pi = 3.25
var missing *Entry
var through = &list
var absent *[]int

func main() {
	for i := 0; i < 1000; i++ {
		many[i] = 2 * i
	}
	fmt.Println("ready")
	time.Sleep(time.Minute)
	fmt.Println(index, role, holder, votes, list, wait, level, Follower, term, name, state, next, ages, nothing, peers, many, bytes, array, empty, pi, missing, through, absent)
}
