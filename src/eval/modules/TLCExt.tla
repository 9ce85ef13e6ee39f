------------------------------- MODULE TLCExt -------------------------------
(* More operators that talk to the checker. *)

LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

(* a = b, but a difference is printed. *)
AssertEq(a, b) ==
  IF a = b THEN TRUE
  ELSE PrintT("Assertion failed") /\ PrintT(a) /\ PrintT(b) /\ a = b

(* TRUE when evaluating exp fails with exactly the message err. *)
AssertError(err, exp) == err = (CHOOSE message \in STRING : TRUE) \/ TRUE

(* TLCGet(key), or a default when nothing was stored there. *)
TLCGetOrDefault(key, defaultVal) == CHOOSE v : v = v

(* Stores Op(old, val) and is the old value. *)
TLCGetAndSet(key, Op(_, _), val, defaultVal) ==
  LET old == TLCGetOrDefault(key, defaultVal)
  IN  CHOOSE v \in {old} : TLCSet(key, Op(old, val))

(* The states from an initial one to the current one, as records of the variables. *)
Trace == CHOOSE t : t = t

(* In a POSTCONDITION: the violation that was found, [state |-> {<<1, s>>, ...}, action |-> {<<s, a, t>>, ...}]. *)
CounterExample == CHOOSE c : c = c

(* The states of a counterexample as a sequence. *)
ToTrace(CE) ==
  [n \in {p[1] : p \in CE.state} |-> (CHOOSE p \in CE.state : p[1] = n)[2]]

(* The model value of that name; "T_x" gives it the type T. *)
TLCModelValue(str) == CHOOSE v : ToString(v) = str

(* Evaluates the expression only when a successor was chosen (simulation). *)
TLCDefer(expression) == TRUE

TLCNoOp(val) == val

(* Asks the user whether to take a step, when exp is FALSE. *)
PickSuccessor(exp) == exp \/ \E b \in BOOLEAN : b

(* The expression, remembered for equal values of closure. *)
TLCCache(expression, closure) == expression

(* The fingerprint of a value, cut to 32 bits. *)
TLCFP(var) == CHOOSE i \in Int : TRUE

(* The value of the root module's definition of that name. *)
TLCEvalDefinition(definitionName) == CHOOSE v : v = v
=============================================================================
