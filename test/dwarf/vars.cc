// Variables of the C++ library. The lines with //= say what must be read from it.
#include <array>
#include <atomic>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

//= small => "short"
//= big => "a string that is too long for the small buffer"
//= numbers => [1, 2, 3]
//= numbers[1] => 2
//= entries[0..2].command => ["x", "y"]
//= raft::state.role => Leader
//= state.term => 4
//= state.log[*].term => [1, 4]
//= bits => [true, false, true]
//= queue => [2, 3, 4]
//= queue[1..3] => [3, 4]
//= chain => [7, 8]
//= ages => map["ann": 30, "bob": 40]
//= ages["bob"] => 40
//= peers[2].next => 12
//= peers[*].next => map[1: 11, 2: 12]
//= votes => [1, 3]
//= hashed => map["k": 1, "l": 2]
//= hashed["l"] => 2
//= marked => [5, 6]
//= counter => 17
//= fixed => [4, 5]
//= fixed[1] => 5
//= owner->term => 9
//= owner => &{term: 9, command: "z"}
//= shared.command => "s"
//= nobody => null
//= maybe => 3
//= without => null
//= Raft::instances => 2
//= derived => {base: 1, more: 2}
//= derived.base => 1
//= anon_value => 77
//= *by_reference => 17
//~ ages["eve"] => no key
//~ numbers[3] => outside of the 3 elements
//~ both => ambiguous
//= one::both => 1
//= two::both => 2
//= Apples::count => 3
//= Pears::count => 4
//~ count => ambiguous
//= found.term => 5
//= found.command => "f"
//= found => {term: 5, command: "f"}
//~ lost.term => the optional is empty
//~ found.tern => has no member tern
//~ numbers.nosuch => has no member nosuch
//~ maybe.nosuch => has no member nosuch
//= both_sides.left => 1
//= both_sides.right => 2
//~ both_sides.middle => has no member middle
//= owned[*] => [6, 7]
//= owned[1] => 7
//~ counter[*] => int has no elements
//~ nobody.term => the pointer to Entry is null
//~ numbers[2..1] => [2..1] is not a range
//~ numbers[0..4] => [0..4] is outside of the 3 elements
//~ ages[*].term => int has no member term
//~ small.nosuch => has no member nosuch
//~ small[*] => has no elements
//~ state.log[*].tern => Entry has no member tern (it has term, command); did you mean term?

namespace raft
{
enum class Role : unsigned char { Follower, Leader = 3 };
struct Entry {
    unsigned long term;
    std::string command;
};
struct State {
    Role role;
    long term;
    std::vector<Entry> log;
};
State state{Role::Leader, 4, {{1, "a"}, {4, "b"}}};
} // namespace raft
struct Peer {
    int next;
};
struct Raft {
    static int instances;
};
int Raft::instances = 2;
struct Apples {
    static int count;
};
struct Pears {
    static int count;
};
int Apples::count = 3, Pears::count = 4;
struct Sides {
    int left, right;
};
struct Base {
    int base;
};
struct Derived : Base {
    int more;
};
namespace one
{
int both = 1;
}
namespace two
{
int both = 2;
}
namespace
{
volatile int anon_value = 77;
}
Derived derived;
std::string small = "short", big = "a string that is too long for the small buffer";
std::vector<int> numbers{1, 2, 3};
std::vector<raft::Entry> entries{{1, "x"}, {2, "y"}};
std::vector<bool> bits{true, false, true};
std::deque<int> queue{1, 2, 3};
std::list<int> chain{7, 8};
std::map<std::string, int> ages{{"bob", 40}, {"ann", 30}};
std::map<int, Peer> peers{{2, {12}}, {1, {11}}};
std::set<int> votes{3, 1};
std::unordered_map<std::string, int> hashed{{"l", 2}, {"k", 1}};
std::unordered_set<int> marked{6, 5};
std::atomic<int> counter{17};
std::array<int, 2> fixed{4, 5};
std::unique_ptr<raft::Entry> owner, nobody;
std::shared_ptr<raft::Entry> shared;
std::optional<int> maybe = 3, without;
std::optional<raft::Entry> found = raft::Entry{5, "f"}, lost;
std::atomic<Sides> both_sides{Sides{1, 2}};
std::atomic<std::array<int, 2>> owned{{6, 7}};
int plain = 17, &by_reference = plain;

int main()
{
    queue.pop_front();
    queue.push_back(4);
    derived.base = 1;
    derived.more = 2;
    owner.reset(new raft::Entry{9, "z"});
    shared = std::make_shared<raft::Entry>(raft::Entry{3, "s"});
    std::cout << "ready" << std::endl;
    pause();
    return anon_value;
}
