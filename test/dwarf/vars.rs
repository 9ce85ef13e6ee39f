// Variables of Rust. The lines with //= say what must be read from it.
#![allow(static_mut_refs, dead_code)]
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

//= TERM => 7
//= vars::TERM => 7
//= vars::COUNTER => 5
//= NAME => "static"
//= STATE.log[*].term => [1, 2]
//= STATE.log[1] => {term: 2, command: "set"}
//= STATE.role => Leader
//= STATE.vote => Some{__0: 3}
//= STATE.vote.0 => 3
//= STATE.none => None
//= STATE.boxed.term => 9
//= STATE.pair.1 => true
//= STATE.shape.width => 4
//= raft::LIMIT => 12
//= LETTERS => [10, 20]
//= STATE.letter => '\u{e9}'
//~ NOBODY => no global or static variable

struct Entry {
    term: u64,
    command: String,
}
#[derive(Clone, Copy)]
enum Role {
    Follower,
    Leader,
}
enum Shape {
    Round { radius: u32 },
    Square { width: u32 },
}
struct State {
    role: Role,
    log: Vec<Entry>,
    vote: Option<u32>,
    none: Option<u32>,
    boxed: Box<Entry>,
    pair: (i32, bool),
    shape: Shape,
    letter: char,
}
static mut TERM: i64 = 7;
static COUNTER: AtomicU64 = AtomicU64::new(4);
static mut NAME: &str = "static";
static mut LETTERS: &[u16] = &[10, 20];
mod raft {
    pub static mut LIMIT: u8 = 12;
}
static mut STATE: Option<State> = None;

fn main() {
    COUNTER.fetch_add(1, Ordering::SeqCst);
    let state = State {
        role: Role::Leader,
        log: vec![
            Entry { term: 1, command: String::from("init") },
            Entry { term: 2, command: String::from("set") },
        ],
        vote: Some(3),
        none: None,
        boxed: Box::new(Entry { term: 9, command: String::new() }),
        pair: (1, true),
        shape: Shape::Square { width: 4 },
        letter: 'é',
    };
    unsafe {
        STATE = Some(state);
        println!("ready");
        std::io::stdout().flush().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(60));
        if TERM == 8 {
            NAME = "other";
            LETTERS = &[1];
            raft::LIMIT = 1;
            STATE = Some(State { shape: Shape::Round { radius: 1 }, role: Role::Follower, ..STATE.take().unwrap() });
        }
        println!("{} {} {:?} {}", TERM, NAME, LETTERS, raft::LIMIT);
    }
}
