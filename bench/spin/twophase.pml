/*
 * The two-phase commit of bench/models/TwoPhase in Promela, for a comparison with Spin. It has the same reachable states:
 * one process, one indivisible statement per action of the TLA+ model, and the message set as bits. Messages that say
 * "prepared" are one bit per resource manager; "commit" and "abort" one bit each.
 *
 *   spin -a -DN=9 twophase.pml && cc -O2 -DBFS -DSAFETY -DNOREDUCE -DVECTORSZ=64 -o pan pan.c && ./pan -m1000 -w26
 */
#ifndef N
#define N 9
#endif
#define ALL ((1 << N) - 1)

#define WORKING   0
#define PREPARED  1
#define COMMITTED 2
#define ABORTED   3

#define COLLECTING 0
#define TM_COMMITTED 1
#define TM_ABORTED 2

#define BIT(r) (1 << (r))

unsigned tm : 2;
short tmPrepared;       /* those whose "prepared" the transaction manager has read */
short prepared;         /* messages "prepared" */
bit commitSent, abortSent;
/* The states of the resource managers, as two planes of bits. */
short low, high;

#define IS_WORKING(r)    (((low | high) & BIT(r)) == 0)
#define SET_PREPARED(r)  low = low | BIT(r)
#define SET_COMMITTED(r) low = low & ~BIT(r); high = high | BIT(r)
#define SET_ABORTED(r)   low = low | BIT(r); high = high | BIT(r)

/* The same invariant as in the model: nobody has committed while another has aborted. */
#define SOME_ABORTED   ((low & high) != 0)
#define SOME_COMMITTED ((high & ~low) != 0)
#define CHECK assert(!(SOME_ABORTED && SOME_COMMITTED))

#define ACTIONS(r) \
    :: d_step { tm == COLLECTING && (prepared & BIT(r)) -> tmPrepared = tmPrepared | BIT(r) } \
    :: d_step { IS_WORKING(r) -> SET_PREPARED(r); prepared = prepared | BIT(r) } \
    :: d_step { IS_WORKING(r) -> SET_ABORTED(r); CHECK } \
    :: d_step { commitSent -> SET_COMMITTED(r); CHECK } \
    :: d_step { abortSent -> SET_ABORTED(r); CHECK }

active proctype system() {
end:
    do
    :: d_step { tm == COLLECTING && tmPrepared == ALL -> tm = TM_COMMITTED; commitSent = 1 }
    :: d_step { tm == COLLECTING -> tm = TM_ABORTED; abortSent = 1 }
    ACTIONS(0)
    ACTIONS(1)
    ACTIONS(2)
    ACTIONS(3)
    ACTIONS(4)
#if N > 5
    ACTIONS(5)
#endif
#if N > 6
    ACTIONS(6)
#endif
#if N > 7
    ACTIONS(7)
#endif
#if N > 8
    ACTIONS(8)
#endif
    od
}
