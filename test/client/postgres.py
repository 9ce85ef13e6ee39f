"""Conversations of `assay client` with something like PostgreSQL."""
import struct

from stand_in import CLOSE, READY, Postgres, last, pg, pg_error, talk, then_close

ONE = ["--over", "postgres", "--workers", "1", "--rate", "0", "--keys", "2"]

for workload in "register cas kv set queue lock list-append rw-register bank".split():
    talk("all goes well", Postgres(), [workload, *ONE, "--seed", "3", "--operations", "8", "--final", "1ms", "--accounts", "3"])

WRITE = ["register", *ONE, "--seed", "1", "--mix", "write=1", "--operations", "2"]
READ = ["register", *ONE, "--seed", "1", "--mix", "read=1", "--operations", "2"]
TXN = ["rw-register", *ONE, "--seed", "2", "--operations", "2"]
talk("who", Postgres(), [*WRITE, "--user", "me", "--database", "mine"])
talk("a password", Postgres(b"secret"), [*WRITE, "--password", "secret"])
talk("a wrong password", Postgres(b"secret"), [*WRITE, "--password", "x", "--patience", "0.000000001s"])
talk("no password", Postgres(b"secret"), [*WRITE, "--patience", "0.000000001s"])
for how in (5, 10):
    talk("a way to log in", Postgres(), [*WRITE, "--password", "x", "--patience", "0.000000001s"], {0: pg(b"R", struct.pack(">i", how))})
for fault in (b"HTTP/1.1 400", pg(b"N", b""), b"R\0\0\0\3", then_close(pg(b"R", b"\0")), pg_error(b"FATAL", b"3D000", b"no database"),
              pg_error(b"ERROR", b"28000", b"no"), CLOSE, last(2), pg(b"R", bytes(4)) + pg_error(b"FATAL", b"57P03", b"starting") + READY):
    talk("no beginning", Postgres(), [*WRITE, "--patience", "0.000000001s"], {0: fault})
talk("no table", Postgres(), [*WRITE, "--patience", "0.000000001s"], {1: pg_error(b"ERROR", b"42501", b"no right") + READY})
for level in ("read-committed", "repeatable-read", "serializable", "read-uncommitted", "snapshot"):
    talk("isolation", Postgres(), [*TXN, "--isolation", level])

for fault in (CLOSE, last(3), b"C\0\0\0\3", pg_error(b"ERROR", b"40001", b"again") + READY, pg_error(b"FATAL", b"57P01", b"the end"),
              pg_error(b"PANIC", b"XX000", b"the end"), pg(b"E", b"") + READY, pg(b"E", b"MA\0CB") + READY, pg(b"E", b"\0") + READY,
              pg(b"E", b"CB\0MA\0VX\0") + READY, pg(b"N", b"notice") + pg(b"C", b"OTHER\0") + READY):
    talk("a write goes wrong", Postgres(), WRITE, {2: fault}, targets=2)
    talk("a read goes wrong", Postgres(), READ, {2: fault}, targets=2)
    for at in range(2, 7):
        talk("a transaction goes wrong", Postgres(), TXN, {at: fault}, targets=2)
ROW = struct.pack(">hi", 1, 2) + b"12"
for row in (ROW, ROW + b"x", ROW[:-1], ROW[:6], ROW[:5], b"", struct.pack(">hi", 1, -1), struct.pack(">hi", 1, 0)):
    talk("what a read may return", Postgres(), READ, {2: pg(b"D", row) + READY})
talk("two rows", Postgres(), READ, {2: pg(b"D", ROW) + pg(b"D", ROW[:6] + b"34") + READY})
CAS = ["cas", *ONE, "--seed", "1", "--mix", "cas=1", "--operations", "2"]
talk("another value, and no way back", Postgres(), CAS, {4: pg_error(b"ERROR", b"X", b"y") + READY}, targets=2)
talk("another value, and no connection", Postgres(), CAS, {4: CLOSE}, targets=2)
BANK = ["bank", *ONE, "--seed", "2", "--accounts", "2", "--operations", "2"]
for at in range(2, 9):
    talk("the bank at the second attempt", Postgres(), BANK, {at: pg_error(b"ERROR", b"X", b"y") + READY}, targets=2)
