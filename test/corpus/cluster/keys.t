#### whole: the smallest
[[node]]
name = "a"
run = "x"
#----
latency_min_ns: 500000
latency_max_ns: 2000000
udp_loss_ppm: 0
udp_dup_ppm: 0
loss_ppm: 0
bytes_per_s: 0
memory_bytes: 0
disk_bytes: 0
kernel_bytes: 0
log_bytes: 0
threads: 0
busy_calls: 0
spin_ms: 0
compute_ms: 0
escape_ms: 0
seed: 1
time_ns: 30000000000
events_most: 1000000
writeback_ns: 40000000000
seeded_threads: 0
strict_disk: 0
work: 0
independent: 0
dependent: 0
hwrand: 0
stop_with_clients: 0
bare: 0
history: 0
keyed: 0
clients: 0
keys: 0
has_total: 0
total: 0
negative: 0
memory: 0
nodes: 1
sometimes: 0
scripts: 0
checks: 0
events: 0
model register, level default, workload none
 allow:
kills: 0
crashes: 0
pauses: 0
partitions: 0
cuts: 0
jumps: 0
disk: 0
drops: 0
duplicates: 0
splits: 0
bridges: 0
slow_links: 0
lossy_links: 0
narrow_links: 0
slow_disks: 0
memory: 0
process_kills: 0
strobes: 0
rolling: 0
from_ns: 2000000000
to_ns: 20000000000
min_ns: 500000000
max_ns: 5000000000
reorder_ppm: 0
node a 10.0.0.1 skew 0 drift 0 start 0
 argv: <x>
 env: <PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin> <HOME=/tmp> <LANG=C.UTF-8> <TZ=UTC> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1>
 dirs: </data>
 shown: <DIR>
 cwd: none
#### run.seed
[run]
seed = 0
#----
seed: 0
#### run.seed
[run]
seed = 1
#----
#### run.seed
[run]
seed = 1000000000000000
#----
seed: 1000000000000000
#### run.seed
[run]
seed = 1000000000000001
#----
DIR/c.toml: line 2: seed must be a whole number from 0 to 1e15
#### run.seed
[run]
seed = -1
#----
DIR/c.toml: line 2: seed must be a whole number from 0 to 1e15
#### run.seed
[run]
seed = "x"
#----
DIR/c.toml: line 2: seed must be a number
#### run.seed
[run]
seed = 1.5
#----
DIR/c.toml: line 2: seed must be a whole number from 0 to 1e15
#### run.time
[run]
time = "0s"
#----
DIR/c.toml: line 1: time and events must be above 0: nothing would happen
#### run.time
[run]
time = "1ns"
#----
time_ns: 1
#### run.time
[run]
time = "20ms"
#----
time_ns: 20000000
#### run.time
[run]
time = "1.5s"
#----
time_ns: 1500000000
#### run.time
[run]
time = "2m"
#----
time_ns: 120000000000
#### run.time
[run]
time = "7us"
#----
time_ns: 7000
#### run.time
[run]
time = "3"
#----
time_ns: 3000000000
#### run.time
[run]
time = "-1s"
#----
DIR/c.toml: line 2: time: not a time such as "20ms"
#### run.time
[run]
time = "1h"
#----
DIR/c.toml: line 2: time: not a time such as "20ms"
#### run.time
[run]
time = ""
#----
DIR/c.toml: line 2: time: not a time such as "20ms"
#### run.time
[run]
time = 5
#----
DIR/c.toml: line 2: time must be a string
#### run.time
[run]
time = "1e300s"
#----
DIR/c.toml: line 2: time: not a time such as "20ms"
#### run.time
[run]
time = "9999999999s"
#----
time_ns: 9999999999000000512
#### run.time
[run]
time = "10000000000s"
#----
DIR/c.toml: line 2: time: not a time such as "20ms"
#### run.events
[run]
events = 0
#----
DIR/c.toml: line 1: time and events must be above 0: nothing would happen
#### run.events
[run]
events = 1
#----
events_most: 1
#### run.events
[run]
events = 1000000000000000
#----
events_most: 1000000000000000
#### run.events
[run]
events = 1000000000000001
#----
DIR/c.toml: line 2: events must be a whole number from 0 to 1e15
#### run.events
[run]
events = -1
#----
DIR/c.toml: line 2: events must be a whole number from 0 to 1e15
#### run.events
[run]
events = "x"
#----
DIR/c.toml: line 2: events must be a number
#### run.events
[run]
events = 1.5
#----
DIR/c.toml: line 2: events must be a whole number from 0 to 1e15
#### run.stop
[run]
stop = "clients"
#----
stop_with_clients: 1
#### run.stop
[run]
stop = "time"
#----
#### run.stop
[run]
stop = "never"
#----
DIR/c.toml: line 1: stop must be "time" or "clients"
#### run.stop
[run]
stop = 1
#----
DIR/c.toml: line 2: stop must be a string
#### run.threads
[run]
threads = "fifo"
#----
#### run.threads
[run]
threads = "seeded"
#----
seeded_threads: 1
#### run.threads
[run]
threads = "x"
#----
DIR/c.toml: line 1: threads must be "fifo" or "seeded"
#### run.threads
[run]
threads = 1
#----
DIR/c.toml: line 2: threads must be a string
#### run.rdrand
[run]
rdrand = "auto"
#----
#### run.rdrand
[run]
rdrand = "hide"
#----
hwrand: 1
#### run.rdrand
[run]
rdrand = "replace"
#----
hwrand: 2
#### run.rdrand
[run]
rdrand = "x"
#----
DIR/c.toml: line 1: rdrand must be "auto", "hide" or "replace"
#### run.work
[run]
work = "free"
#----
#### run.work
[run]
work = "time"
#----
work: 1
#### run.work
[run]
work = "x"
#----
DIR/c.toml: line 1: work must be "free" or "time"
#### run.independent
[run]
independent = true
#----
independent: 1
#### run.independent
[run]
independent = false
#----
dependent: 1
#### run.independent
[run]
independent = 1
#----
DIR/c.toml: line 2: independent must be true or false
#### run.allow
[run]
allow = ["a", "b"]
#----
 allow: <a> <b>
#### run.allow
[run]
allow = []
#----
#### run.allow
[run]
allow = "a"
#----
DIR/c.toml: line 2: allow must be an array of strings
#### run.allow
[run]
allow = [1]
#----
DIR/c.toml: line 2: allow must be an array of strings
#### run.fail_on
[run]
fail_on = ["a", "b c"]
#----
fail_on <a>
fail_on <b c>
#### run.fail_on
[run]
fail_on = []
#----
#### run.fail_on
[run]
fail_on = "a"
#----
DIR/c.toml: line 2: fail_on must be an array of strings
#### run.fail_on
[run]
fail_on = [true]
#----
DIR/c.toml: line 2: fail_on must be an array of strings
#### run.sed
[run]
sed = 1
#----
DIR/c.toml: line 2: 'sed' is not known in [run]; did you mean 'seed'?
#### run.xyz
[run]
xyz = 1
#----
DIR/c.toml: line 2: 'xyz' is not known in [run]
#### net.latency
[net]
latency = ["1ms", "5ms"]
#----
latency_min_ns: 1000000
latency_max_ns: 5000000
#### net.latency
[net]
latency = ["1ms", "1ms"]
#----
latency_min_ns: 1000000
latency_max_ns: 1000000
#### net.latency
[net]
latency = ["2ms", "1ms"]
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.latency
[net]
latency = "3ms"
#----
latency_min_ns: 3000000
latency_max_ns: 3000000
#### net.latency
[net]
latency = ["1ms"]
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.latency
[net]
latency = ["1ms", "2ms", "3ms"]
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.latency
[net]
latency = [1, 2]
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.latency
[net]
latency = ["1ms", 2]
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.latency
[net]
latency = ["x", "2ms"]
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.latency
[net]
latency = ["1ms", "x"]
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.latency
[net]
latency = 7
#----
DIR/c.toml: line 2: latency must be a time or two, such as ["1ms", "5ms"]
#### net.udp_loss
[net]
udp_loss = 0
#----
#### net.udp_loss
[net]
udp_loss = 1
#----
udp_loss_ppm: 1000000
#### net.udp_loss
[net]
udp_loss = 0.25
#----
udp_loss_ppm: 250000
#### net.udp_loss
[net]
udp_loss = 0.000001
#----
udp_loss_ppm: 1
#### net.udp_loss
[net]
udp_loss = 1.1
#----
DIR/c.toml: line 2: udp_loss must be between 0 and 1
#### net.udp_loss
[net]
udp_loss = -0.1
#----
DIR/c.toml: line 2: udp_loss must be between 0 and 1
#### net.udp_loss
[net]
udp_loss = "x"
#----
DIR/c.toml: line 2: udp_loss must be a number
#### net.loss
[net]
loss = 0
#----
#### net.loss
[net]
loss = 1
#----
loss_ppm: 1000000
#### net.loss
[net]
loss = 0.25
#----
loss_ppm: 250000
#### net.loss
[net]
loss = 0.000001
#----
loss_ppm: 1
#### net.loss
[net]
loss = 1.1
#----
DIR/c.toml: line 2: loss must be between 0 and 1
#### net.loss
[net]
loss = -0.1
#----
DIR/c.toml: line 2: loss must be between 0 and 1
#### net.loss
[net]
loss = "x"
#----
DIR/c.toml: line 2: loss must be a number
#### net.bandwidth
[net]
bandwidth = "1MB"
#----
bytes_per_s: 1000000
#### net.bandwidth
[net]
bandwidth = "2.5kB"
#----
bytes_per_s: 2500
#### net.bandwidth
[net]
bandwidth = "3GB"
#----
bytes_per_s: 3000000000
#### net.bandwidth
[net]
bandwidth = "9B"
#----
bytes_per_s: 9
#### net.bandwidth
[net]
bandwidth = "0B"
#----
DIR/c.toml: line 1: bandwidth must be bytes a second, such as "1MB"
#### net.bandwidth
[net]
bandwidth = "1"
#----
DIR/c.toml: line 1: bandwidth must be bytes a second, such as "1MB"
#### net.bandwidth
[net]
bandwidth = "x"
#----
DIR/c.toml: line 1: bandwidth must be bytes a second, such as "1MB"
#### net.bandwidth
[net]
bandwidth = 5
#----
DIR/c.toml: line 2: bandwidth must be a string
#### net.bandwidth
[net]
bandwidth = "999999999GB"
#----
bytes_per_s: 999999999000000000
#### net.bandwidth
[net]
bandwidth = "1000000000GB"
#----
DIR/c.toml: line 1: bandwidth must be bytes a second, such as "1MB"
#### net.bandwidth
[net]
bandwidth = "-1B"
#----
DIR/c.toml: line 1: bandwidth must be bytes a second, such as "1MB"
#### net.bandwidth
[net]
bandwidth = "12345678901234567890123456789012345678901234567B"
#----
DIR/c.toml: line 1: bandwidth must be bytes a second, such as "1MB"
#### messages
[[messages]]
port = 0
#----
messages port 0 end 0 width 0 offset 0 extra 0 
#### messages
[[messages]]
port = 65535
#----
messages port 65535 end 0 width 0 offset 0 extra 0 
#### messages
[[messages]]
port = 65536
#----
DIR/c.toml: line 1: messages need a port up to 65535 and either end, of 1 to 16 bytes, or length
#### messages
[[messages]]
end = "\n"
#----
messages port 0 end 2 width 0 offset 0 extra 0 "\n"
#### messages
[[messages]]
end = ""
#----
DIR/c.toml: line 1: messages need a port up to 65535 and either end, of 1 to 16 bytes, or length
#### messages
[[messages]]
end = "1234567890123456"
#----
messages port 0 end 2 width 0 offset 0 extra 0 "1234567890123456"
#### messages
[[messages]]
end = "12345678901234567"
#----
DIR/c.toml: line 1: messages need a port up to 65535 and either end, of 1 to 16 bytes, or length
#### messages
[[messages]]
length = 1
#----
messages port 0 end 1 width 1 offset 0 extra 0 
#### messages
[[messages]]
length = 2
#----
messages port 0 end 1 width 2 offset 0 extra 0 
#### messages
[[messages]]
length = 4
#----
messages port 0 end 1 width 4 offset 0 extra 0 
#### messages
[[messages]]
length = 8
#----
messages port 0 end 1 width 8 offset 0 extra 0 
#### messages
[[messages]]
length = 3
#----
DIR/c.toml: line 1: length must be 1, 2, 4 or 8 bytes
#### messages
[[messages]]
length = 16
#----
DIR/c.toml: line 1: length must be 1, 2, 4 or 8 bytes
#### messages
[[messages]]
length = 4
end = "x"
#----
DIR/c.toml: line 1: messages need a port up to 65535 and either end, of 1 to 16 bytes, or length
#### messages
[[messages]]
length = 4
offset = 4096
#----
messages port 0 end 1 width 4 offset 4096 extra 0 
#### messages
[[messages]]
offset = 4097
#----
DIR/c.toml: line 1: offset or extra is out of range
#### messages
[[messages]]
length = 4
extra = 65536
#----
messages port 0 end 1 width 4 offset 0 extra 65536 
#### messages
[[messages]]
extra = 65537
#----
DIR/c.toml: line 1: offset or extra is out of range
#### messages
[[messages]]
length = 4
extra = -65536
#----
messages port 0 end 1 width 4 offset 0 extra -65536 
#### messages
[[messages]]
extra = -65537
#----
DIR/c.toml: line 1: offset or extra is out of range
#### messages
[[messages]]
length = 2
order = "little"
#----
messages port 0 end 1 width 2 little offset 0 extra 0 
#### messages
[[messages]]
length = 2
order = "big"
#----
messages port 0 end 1 width 2 offset 0 extra 0 
#### messages
[[messages]]
order = "x"
#----
DIR/c.toml: line 1: order must be "big" or "little", counts "rest" or "all"
#### messages
[[messages]]
length = 2
counts = "all"
#----
messages port 0 end 1 width 2 all offset 0 extra 0 
#### messages
[[messages]]
length = 2
counts = "rest"
#----
messages port 0 end 1 width 2 offset 0 extra 0 
#### messages
[[messages]]
counts = "x"
#----
DIR/c.toml: line 1: order must be "big" or "little", counts "rest" or "all"
#### messages
[[messages]]
extra = "x"
#----
DIR/c.toml: line 2: extra must be a number
#### messages
[[messages]]
port = "x"
#----
DIR/c.toml: line 2: port must be a number
#### messages
[[messages]]
prt = 1
#----
DIR/c.toml: line 2: 'prt' is not known in [messages]; did you mean 'port'?
#### messages
[[messages]]
length = 4
extra = 3
[[messages]]
port = 9
end = "a\u"
#----
DIR/c.toml: line 6: unknown escape in a string
#### messages
[[messages]]
port = 1
[[messages]]
port = 2
[[messages]]
port = 3
end="\r\n"
#----
messages port 1 end 0 width 0 offset 0 extra 0 
messages port 2 end 0 width 0 offset 0 extra 0 
messages port 3 end 2 width 0 offset 0 extra 0 "\r\n"
#### disk.model
[disk]
model = "journal"
#----
#### disk.model
[disk]
model = "strict"
#----
writeback_ns: 0
strict_disk: 1
#### disk.model
[disk]
model = "x"
#----
DIR/c.toml: line 1: model must be "journal" or "strict"
#### disk.model
[disk]
model = 1
#----
DIR/c.toml: line 2: model must be a string
#### disk.writeback
[disk]
writeback = "0s"
#----
writeback_ns: 0
#### disk.writeback
[disk]
writeback = "1s"
#----
writeback_ns: 1000000000
#### disk.writeback
[disk]
writeback = "x"
#----
DIR/c.toml: line 2: writeback: not a time such as "20ms"
#### disk
[disk]
model = "strict"
writeback = "5s"
#----
writeback_ns: 5000000000
strict_disk: 1
#### disk
[disk]
model = "journal"
writeback = "5s"
#----
writeback_ns: 5000000000
#### limits.memory_mb
[limits]
memory_mb = 0
#----
#### limits.memory_mb
[limits]
memory_mb = 1
#----
memory_bytes: 1048576
#### limits.memory_mb
[limits]
memory_mb = 300
#----
memory_bytes: 314572800
#### limits.memory_mb
[limits]
memory_mb = -1
#----
DIR/c.toml: line 2: memory_mb must be a whole number from 0 to 1e15
#### limits.memory_mb
[limits]
memory_mb = "x"
#----
DIR/c.toml: line 2: memory_mb must be a number
#### limits.disk_mb
[limits]
disk_mb = 0
#----
#### limits.disk_mb
[limits]
disk_mb = 1
#----
disk_bytes: 1048576
#### limits.disk_mb
[limits]
disk_mb = 300
#----
disk_bytes: 314572800
#### limits.disk_mb
[limits]
disk_mb = -1
#----
DIR/c.toml: line 2: disk_mb must be a whole number from 0 to 1e15
#### limits.disk_mb
[limits]
disk_mb = "x"
#----
DIR/c.toml: line 2: disk_mb must be a number
#### limits.kernel_mb
[limits]
kernel_mb = 0
#----
#### limits.kernel_mb
[limits]
kernel_mb = 1
#----
kernel_bytes: 1048576
#### limits.kernel_mb
[limits]
kernel_mb = 300
#----
kernel_bytes: 314572800
#### limits.kernel_mb
[limits]
kernel_mb = -1
#----
DIR/c.toml: line 2: kernel_mb must be a whole number from 0 to 1e15
#### limits.kernel_mb
[limits]
kernel_mb = "x"
#----
DIR/c.toml: line 2: kernel_mb must be a number
#### limits.log_mb
[limits]
log_mb = 0
#----
#### limits.log_mb
[limits]
log_mb = 1
#----
log_bytes: 1048576
#### limits.log_mb
[limits]
log_mb = 300
#----
log_bytes: 314572800
#### limits.log_mb
[limits]
log_mb = -1
#----
DIR/c.toml: line 2: log_mb must be a whole number from 0 to 1e15
#### limits.log_mb
[limits]
log_mb = "x"
#----
DIR/c.toml: line 2: log_mb must be a number
#### limits.busy_calls
[limits]
busy_calls = 0
#----
#### limits.busy_calls
[limits]
busy_calls = 1
#----
busy_calls: 1
#### limits.busy_calls
[limits]
busy_calls = 300
#----
busy_calls: 300
#### limits.busy_calls
[limits]
busy_calls = -1
#----
DIR/c.toml: line 2: busy_calls must be a whole number from 0 to 1e15
#### limits.busy_calls
[limits]
busy_calls = "x"
#----
DIR/c.toml: line 2: busy_calls must be a number
#### limits.threads
[limits]
threads = 0
#----
#### limits.threads
[limits]
threads = 2.5
#----
DIR/c.toml: line 2: threads must be a whole number from 0 to 4000000000
#### limits.threads
[limits]
threads = 1
#----
threads: 1
#### limits.threads
[limits]
threads = 4000000000
#----
threads: 4000000000
#### limits.threads
[limits]
threads = 4000000001
#----
DIR/c.toml: line 2: threads must be a whole number from 0 to 4000000000
#### limits.threads
[limits]
threads = -1
#----
DIR/c.toml: line 2: threads must be a whole number from 0 to 4000000000
#### limits.threads
[limits]
threads = true
#----
DIR/c.toml: line 2: threads must be a number
#### limits.spin
[limits]
spin = "0s"
#----
#### limits.spin
[limits]
spin = "1ms"
#----
spin_ms: 1
#### limits.spin
[limits]
spin = "1.9999ms"
#----
spin_ms: 1
#### limits.spin
[limits]
spin = "4s"
#----
spin_ms: 4000
#### limits.spin
[limits]
spin = "x"
#----
DIR/c.toml: line 2: spin: not a time such as "20ms"
#### limits.spin
[limits]
spin = 1
#----
DIR/c.toml: line 2: spin must be a string
#### limits.compute
[limits]
compute = "0s"
#----
#### limits.compute
[limits]
compute = "1ms"
#----
compute_ms: 1
#### limits.compute
[limits]
compute = "1.9999ms"
#----
compute_ms: 1
#### limits.compute
[limits]
compute = "4s"
#----
compute_ms: 4000
#### limits.compute
[limits]
compute = "x"
#----
DIR/c.toml: line 2: compute: not a time such as "20ms"
#### limits.compute
[limits]
compute = 1
#----
DIR/c.toml: line 2: compute must be a string
#### limits.spin_escape
[limits]
spin_escape = "0s"
#----
#### limits.spin_escape
[limits]
spin_escape = "1ms"
#----
escape_ms: 1
#### limits.spin_escape
[limits]
spin_escape = "1.9999ms"
#----
escape_ms: 1
#### limits.spin_escape
[limits]
spin_escape = "4s"
#----
escape_ms: 4000
#### limits.spin_escape
[limits]
spin_escape = "x"
#----
DIR/c.toml: line 2: spin_escape: not a time such as "20ms"
#### limits.spin_escape
[limits]
spin_escape = 1
#----
DIR/c.toml: line 2: spin_escape must be a string
#### faults.kills
[faults]
kills = 7
#----
kills: 7
#### faults.kills
[faults]
kills = -1
#----
DIR/c.toml: line 2: kills must be a whole number from 0 to 4000000000
#### faults.crashes
[faults]
crashes = 7
#----
crashes: 7
#### faults.crashes
[faults]
crashes = -1
#----
DIR/c.toml: line 2: crashes must be a whole number from 0 to 4000000000
#### faults.pauses
[faults]
pauses = 7
#----
pauses: 7
#### faults.pauses
[faults]
pauses = -1
#----
DIR/c.toml: line 2: pauses must be a whole number from 0 to 4000000000
#### faults.partitions
[faults]
partitions = 7
#----
partitions: 7
#### faults.partitions
[faults]
partitions = -1
#----
DIR/c.toml: line 2: partitions must be a whole number from 0 to 4000000000
#### faults.cuts
[faults]
cuts = 7
#----
cuts: 7
#### faults.cuts
[faults]
cuts = -1
#----
DIR/c.toml: line 2: cuts must be a whole number from 0 to 4000000000
#### faults.jumps
[faults]
jumps = 7
#----
jumps: 7
#### faults.jumps
[faults]
jumps = -1
#----
DIR/c.toml: line 2: jumps must be a whole number from 0 to 4000000000
#### faults.disk
[faults]
disk = 7
#----
disk: 7
#### faults.disk
[faults]
disk = -1
#----
DIR/c.toml: line 2: disk must be a whole number from 0 to 4000000000
#### faults.drops
[faults]
drops = 7
#----
drops: 7
#### faults.drops
[faults]
drops = -1
#----
DIR/c.toml: line 2: drops must be a whole number from 0 to 4000000000
#### faults.duplicates
[faults]
duplicates = 7
#----
duplicates: 7
#### faults.duplicates
[faults]
duplicates = -1
#----
DIR/c.toml: line 2: duplicates must be a whole number from 0 to 4000000000
#### faults.splits
[faults]
splits = 7
#----
splits: 7
#### faults.splits
[faults]
splits = -1
#----
DIR/c.toml: line 2: splits must be a whole number from 0 to 4000000000
#### faults.bridges
[faults]
bridges = 7
#----
bridges: 7
#### faults.bridges
[faults]
bridges = -1
#----
DIR/c.toml: line 2: bridges must be a whole number from 0 to 4000000000
#### faults.slow_links
[faults]
slow_links = 7
#----
slow_links: 7
#### faults.slow_links
[faults]
slow_links = -1
#----
DIR/c.toml: line 2: slow_links must be a whole number from 0 to 4000000000
#### faults.lossy_links
[faults]
lossy_links = 7
#----
lossy_links: 7
#### faults.lossy_links
[faults]
lossy_links = -1
#----
DIR/c.toml: line 2: lossy_links must be a whole number from 0 to 4000000000
#### faults.narrow_links
[faults]
narrow_links = 7
#----
narrow_links: 7
#### faults.narrow_links
[faults]
narrow_links = -1
#----
DIR/c.toml: line 2: narrow_links must be a whole number from 0 to 4000000000
#### faults.slow_disks
[faults]
slow_disks = 7
#----
slow_disks: 7
#### faults.slow_disks
[faults]
slow_disks = -1
#----
DIR/c.toml: line 2: slow_disks must be a whole number from 0 to 4000000000
#### faults.memory
[faults]
memory = 7
#----
memory: 7
#### faults.memory
[faults]
memory = -1
#----
DIR/c.toml: line 2: memory must be a whole number from 0 to 4000000000
#### faults.process_kills
[faults]
process_kills = 7
#----
process_kills: 7
#### faults.process_kills
[faults]
process_kills = -1
#----
DIR/c.toml: line 2: process_kills must be a whole number from 0 to 4000000000
#### faults.strobes
[faults]
strobes = 7
#----
strobes: 7
#### faults.strobes
[faults]
strobes = -1
#----
DIR/c.toml: line 2: strobes must be a whole number from 0 to 4000000000
#### faults.rolling_restarts
[faults]
rolling_restarts = 7
#----
rolling: 7
#### faults.rolling_restarts
[faults]
rolling_restarts = -1
#----
DIR/c.toml: line 2: rolling_restarts must be a whole number from 0 to 4000000000
#### faults.between
[faults]
between = ["1ms", "5ms"]
#----
from_ns: 1000000
to_ns: 5000000
#### faults.between
[faults]
between = ["1ms", "1ms"]
#----
from_ns: 1000000
to_ns: 1000000
#### faults.between
[faults]
between = ["2ms", "1ms"]
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.between
[faults]
between = "3ms"
#----
from_ns: 3000000
to_ns: 3000000
#### faults.between
[faults]
between = ["1ms"]
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.between
[faults]
between = ["1ms", "2ms", "3ms"]
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.between
[faults]
between = [1, 2]
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.between
[faults]
between = ["1ms", 2]
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.between
[faults]
between = ["x", "2ms"]
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.between
[faults]
between = ["1ms", "x"]
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.between
[faults]
between = 7
#----
DIR/c.toml: line 2: between must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = ["1ms", "5ms"]
#----
min_ns: 1000000
max_ns: 5000000
#### faults.last
[faults]
last = ["1ms", "1ms"]
#----
min_ns: 1000000
max_ns: 1000000
#### faults.last
[faults]
last = ["2ms", "1ms"]
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = "3ms"
#----
min_ns: 3000000
max_ns: 3000000
#### faults.last
[faults]
last = ["1ms"]
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = ["1ms", "2ms", "3ms"]
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = [1, 2]
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = ["1ms", 2]
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = ["x", "2ms"]
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = ["1ms", "x"]
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.last
[faults]
last = 7
#----
DIR/c.toml: line 2: last must be a time or two, such as ["1ms", "5ms"]
#### faults.reorder
[faults]
reorder = 0
#----
#### faults.reorder
[faults]
reorder = 1
#----
reorder_ppm: 1000000
#### faults.reorder
[faults]
reorder = 0.25
#----
reorder_ppm: 250000
#### faults.reorder
[faults]
reorder = 0.000001
#----
reorder_ppm: 1
#### faults.reorder
[faults]
reorder = 1.1
#----
DIR/c.toml: line 2: reorder must be between 0 and 1
#### faults.reorder
[faults]
reorder = -0.1
#----
DIR/c.toml: line 2: reorder must be between 0 and 1
#### faults.reorder
[faults]
reorder = "x"
#----
DIR/c.toml: line 2: reorder must be a number
#### faults.crashs
[faults]
crashs = 1
#----
DIR/c.toml: line 2: 'crashs' is not known in [faults]; did you mean 'crashes'?
#### node
[[node]]
name = "b"
#----
DIR/c.toml: line 1: a node needs name and run
#### node
[[node]]
run = "x"
#----
DIR/c.toml: line 1: a node needs name and run
#### node
[[node]]
name = "b"
run = ""
#----
DIR/c.toml: line 1: a node needs name and run
#### node
[[node]]
name = "b"
run = []
#----
DIR/c.toml: line 1: a node needs name and run
#### node
[[node]]
name = "b"
run = "p 'a b' \"c d\" e"
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <p> <a b> <c d> <e>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "p 'a"
#----
DIR/c.toml: line 3: run: a quote is not closed
#### node
[[node]]
name = "b"
run = ["p", "{i}", "{dir}/x", "{d", "{dir"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 argv: <p> <{i}> <DIR/x> <{d> <{dir>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = 5
#----
DIR/c.toml: line 3: run must be an array of strings
#### node
[[node]]
name = "b"
run = ["x", 5]
#----
DIR/c.toml: line 3: run must be an array of strings
#### node
[[node]]
name = "b{i}"
count = 3
run = "x {i}"
files = ["/f{i}", "t {i} {dir}"]
#----
nodes: 4
node b1 10.0.0.1 skew 0 drift 0 start 0
 argv: <x> <1>
 file /f1 mode 0: t 1 DIR
node b2 10.0.0.2 skew 0 drift 0 start 0
 argv: <x> <2>
 file /f2 mode 0: t 2 DIR
node b3 10.0.0.3 skew 0 drift 0 start 0
 argv: <x> <3>
 file /f3 mode 0: t 3 DIR
node a 10.0.0.4 skew 0 drift 0 start 0
#### node
[[node]]
name = "b{i}"
count = 1
run = "x {i}"
#----
nodes: 2
node b1 10.0.0.1 skew 0 drift 0 start 0
 argv: <x> <1>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b{i}"
run = "x {i}"
#----
DIR/c.toml: line 1: 'b{i}' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "b"
count = 2
run = "x"
#----
DIR/c.toml: line 1: there are two nodes named 'b'; with count, the name needs {i}, such as "n{i}"
#### node
[[node]]
name = "b{i}"
count = 0
run="x"
#----
DIR/c.toml: line 1: count must be above 0
#### node
[[node]]
name = "b{i}"
count = -1
run="x"
#----
DIR/c.toml: line 3: count must be a whole number from 0 to 4000000000
#### node
[[node]]
name = "b{i}"
count = 4096
run="x"
#----
DIR/c.toml: line 3: a cluster has at most 4096 nodes
#### node
[[node]]
name = "b{i}"
count = 4097
run="x"
#----
DIR/c.toml: line 3: a cluster has at most 4096 nodes
#### node
[[node]]
name = "b{i}"
count = "x"
run="x"
#----
DIR/c.toml: line 3: count must be a number
#### node
[[node]]
name = "b"
run = "x"
address = "10.1.2.3"
#----
nodes: 2
node b 10.1.2.3 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
address = "255.255.255.255"
#----
nodes: 2
node b 255.255.255.255 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
address = "0.0.0.0"
#----
nodes: 2
node b 0.0.0.0 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
address = "256.1.1.1"
#----
DIR/c.toml: line 1: '256.1.1.1' is not an IPv4 address
#### node
[[node]]
name = "b"
run = "x"
address = "1.2.3"
#----
DIR/c.toml: line 1: '1.2.3' is not an IPv4 address
#### node
[[node]]
name = "b"
run = "x"
address = "1.2.3.4.5"
#----
DIR/c.toml: line 1: '1.2.3.4.5' is not an IPv4 address
#### node
[[node]]
name = "b"
run = "x"
address = "1.2.3.4x"
#----
DIR/c.toml: line 1: '1.2.3.4x' is not an IPv4 address
#### node
[[node]]
name = "b"
run = "x"
address = "1..2.3"
#----
DIR/c.toml: line 1: '1..2.3' is not an IPv4 address
#### node
[[node]]
name = "b"
run = "x"
address = ""
#----
DIR/c.toml: line 1: '' is not an IPv4 address
#### node
[[node]]
name = "b"
run = "x"
address = "a.b.c.d"
#----
DIR/c.toml: line 1: 'a.b.c.d' is not an IPv4 address
#### node
[[node]]
name = "b"
run = "x"
address = "10.0.0.2"
#----
DIR/c.toml: b and a have the same address
#### node
[[node]]
name = "b"
run = "x"
address = 5
#----
DIR/c.toml: line 4: address must be a string
#### node
[[node]]
name = "b"
run = "x"
dirs = ["/d", "/e/f"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 dirs: </d> </e/f>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
dirs = []
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 dirs:
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
dirs = ["d"]
#----
DIR/c.toml: line 1: 'd' is not an absolute directory
#### node
[[node]]
name = "b"
run = "x"
dirs = ["/"]
#----
DIR/c.toml: line 1: '/' is not an absolute directory
#### node
[[node]]
name = "b"
run = "x"
dirs = ["/d/"]
#----
DIR/c.toml: line 1: '/d/' is not an absolute directory
#### node
[[node]]
name = "b"
run = "x"
dirs = [""]
#----
DIR/c.toml: line 1: '' is not an absolute directory
#### node
[[node]]
name = "b"
run = "x"
dirs = "/d"
#----
DIR/c.toml: line 4: dirs must be an array of strings
#### node
[[node]]
name = "b"
run = "x"
cwd = "/e"
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 cwd: /e
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
cwd = 5
#----
DIR/c.toml: line 4: cwd must be a string
#### node
[[node]]
name = "b"
run = "x"
start = "5ms"
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 5000000
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
start = "x"
#----
DIR/c.toml: line 4: start: not a time such as "20ms"
#### node
[[node]]
name = "b"
run = "x"
at = "5ms"
#----
DIR/c.toml: line 4: 'at' is not known in [node]
#### node
[[node]]
name = "b"
run = "x"
manual = true
#----
nodes: 2
node b 10.0.0.1 manual skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
manual = false
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
manual = 1
#----
DIR/c.toml: line 4: manual must be true or false
#### node
[[node]]
name = "b"
run = "x"
may_fail = true
#----
nodes: 2
node b 10.0.0.1 may fail skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
may_fail = false
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
may_fail = "x"
#----
DIR/c.toml: line 4: may_fail must be true or false
#### node
[[node]]
name = "b"
run = "x"
env = ["A=b"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 env: <PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin> <HOME=/tmp> <LANG=C.UTF-8> <TZ=UTC> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1> <A=b>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
env = ["TZ=CET", "HOME=/h"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 env: <PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin> <LANG=C.UTF-8> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1> <TZ=CET> <HOME=/h>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
env = ["TZX=1"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 env: <PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin> <HOME=/tmp> <LANG=C.UTF-8> <TZ=UTC> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1> <TZX=1>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
env = ["PATH=/p", "LANG=x", "OPENSSL_ia32cap=1", "TSAN_OPTIONS=a", "UBSAN_OPTIONS=b"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 env: <HOME=/tmp> <TZ=UTC> <PATH=/p> <LANG=x> <OPENSSL_ia32cap=1> <TSAN_OPTIONS=a> <UBSAN_OPTIONS=b>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
env = ["TZ"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 env: <PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin> <HOME=/tmp> <LANG=C.UTF-8> <TZ=UTC> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1> <TZ>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
env = "A=b"
#----
DIR/c.toml: line 4: env must be an array of strings
#### node
[[node]]
name = "b"
run = "x"
env = [1]
#----
DIR/c.toml: line 4: env must be an array of strings
#### node
[[node]]
name = "b"
run = "x"
env = ["PYTHONPATH=/tmp:/usr:/tmp/no-such", "PERL5LIB=/dev/shm/", "XLIBS=/tmp"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 env: <PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin> <HOME=/tmp> <LANG=C.UTF-8> <TZ=UTC> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1> <PYTHONPATH=/tmp:/usr:/tmp/no-such> <PERL5LIB=/dev/shm/> <XLIBS=/tmp>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
env = ["PYTHONPATH={dir}:/usr:{dir}/none:{dir}", "XLIB={dir}", "LIBX={dir}", "PATH{dir}", "PATH=", "LIB={dir}", "TH={dir}"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 env: <HOME=/tmp> <LANG=C.UTF-8> <TZ=UTC> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1> <PYTHONPATH=DIR:/usr:DIR/none:DIR> <XLIB=DIR> <LIBX=DIR> <PATHDIR> <PATH=> <LIB=DIR> <TH=DIR>
 shown: <DIR> <DIR> <DIR> <DIR> <DIR>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", "x"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 file /a mode 0: x
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", "#!"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 file /a mode 0: #!
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", "#!x"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 file /a mode 755: #!x
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", "#x!"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 file /a mode 0: #x!
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", ""]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 file /a mode 0: 
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
files = ["/a"]
#----
DIR/c.toml: line 1: files must be pairs of path and text
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", "x", "/b", "yy"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 file /a mode 0: x
 file /b mode 0: yy
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", "@/no-such"]
#----
DIR/c.toml: cannot open /no-such: No such file or directory
#### node
[[node]]
name = "b"
run = "x"
files = "/a"
#----
DIR/c.toml: line 4: files must be an array of strings
#### node
[[node]]
name = "b"
run = "x"
files = ["/a", "@{dir}/c.toml"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 file /a mode 640: [[node]]
name = "b"
run = "x"
files = ["/a", "@{dir}/c.toml"]
[[node]]
name = "a"
run = "x"

node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
skew = "2s"
#----
nodes: 2
node b 10.0.0.1 skew 2000000000 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
skew = "-2s"
#----
DIR/c.toml: line 4: skew: not a time such as "20ms"
#### node
[[node]]
name = "b"
run = "x"
skew = 2
#----
DIR/c.toml: line 4: skew must be a string
#### node
[[node]]
name = "b"
run = "x"
drift_ppm = 40
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 40 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
drift_ppm = -40
#----
nodes: 2
node b 10.0.0.1 skew 0 drift -40 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
drift_ppm = "x"
#----
DIR/c.toml: line 4: drift_ppm must be a number
#### node
[[node]]
name = "b"
run = "x"
readable = ["/usr"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 shown: <DIR> </usr>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
readable = ["/no-such"]
#----
DIR/c.toml: line 1: readable: there is no directory '/no-such'
#### node
[[node]]
name = "b"
run = "x"
readable = ["usr"]
#----
DIR/c.toml: line 1: readable: there is no directory 'usr'
#### node
[[node]]
name = "b"
run = "x"
readable = ["/usr/../usr", "/etc"]
#----
nodes: 2
node b 10.0.0.1 skew 0 drift 0 start 0
 shown: <DIR> </usr> </etc>
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b"
run = "x"
readable = "/usr"
#----
DIR/c.toml: line 4: readable must be an array of strings
#### node
[[node]]
name = "b"
run = "x"
workload = "register"
#----
DIR/c.toml: line 4: 'workload' is not known in [node]
#### node
[[node]]
name = "b"
run = "x"
colour = 3
#----
DIR/c.toml: line 4: 'colour' is not known in [node]
#### node
[[node]]
name = "b"
run = "x"
nam = "c"
#----
DIR/c.toml: line 4: 'nam' is not known in [node]; did you mean 'name'?
#### node
[[node]]
name = "a"
run = "x"
#----
DIR/c.toml: line 4: there are two nodes named 'a'
#### node
[[node]]
name = ""
run = "x"
#----
DIR/c.toml: line 1: '' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "-b"
run = "x"
#----
DIR/c.toml: line 1: '-b' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = ".b"
run = "x"
#----
DIR/c.toml: line 1: '.b' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "b.c"
run = "x"
#----
nodes: 2
node b.c 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b-c"
run = "x"
#----
nodes: 2
node b-c 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b_c"
run = "x"
#----
nodes: 2
node b_c 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b c"
run = "x"
#----
DIR/c.toml: line 1: 'b c' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "b/c"
run = "x"
#----
DIR/c.toml: line 1: 'b/c' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "b|c"
run = "x"
#----
DIR/c.toml: line 1: 'b|c' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "b>c"
run = "x"
#----
DIR/c.toml: line 1: 'b>c' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "ü"
run = "x"
#----
nodes: 2
node ü 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "replay"
run = "x"
#----
DIR/c.toml: line 1: 'replay' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "check.out"
run = "x"
#----
DIR/c.toml: line 1: 'check.out' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "events.txt"
run = "x"
#----
DIR/c.toml: line 1: 'events.txt' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "history.txt"
run = "x"
#----
DIR/c.toml: line 1: 'history.txt' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "history.jsonl"
run = "x"
#----
DIR/c.toml: line 1: 'history.jsonl' cannot be the name of a node: use letters, digits, - and _
#### node
[[node]]
name = "Replay"
run = "x"
#----
nodes: 2
node Replay 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### node
[[node]]
name = "b9"
run = "x"
#----
nodes: 2
node b9 10.0.0.1 skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
#----
DIR/c.toml: line 1: a client needs name, and run or workload
#### client
[[client]]
name = "c"
run = "x"
at = "20ms"
#----
nodes: 2
node c 10.0.0.1 client skew 0 drift 0 start 20000000
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
run = "x"
start = "20ms"
#----
DIR/c.toml: line 4: 'start' is not known in [client]
#### client
[[client]]
name = "c"
run = "x"
may_fail = true
manual = true
#----
nodes: 2
node c 10.0.0.1 client manual may fail skew 0 drift 0 start 0
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c{i}"
count = 2
workload = "register"
over = "redis"
target = "a:1"
#----
history: 1
clients: 2
nodes: 3
model register, level default, workload register
node c1 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <register> <--over> <redis> <--target> <a:1>
node c2 10.0.0.2 client ours skew 0 drift 0 start 0
 argv: <client> <register> <--number> <1> <--over> <redis> <--target> <a:1>
node a 10.0.0.3 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
run = "x"
workload = "register"
#----
DIR/c.toml: line 1: a client has run or workload, not both
#### client
[[client]]
name = "c"
workload = "x"
#----
DIR/c.toml: line 1: there is no workload 'x': register, cas, kv, set, queue, lock, list-append, rw-register, bank
#### client
[[client]]
name = "c"
workload = 5
#----
DIR/c.toml: line 3: workload must be a string
#### client
[[client]]
name = "c"
workload = "bank"
[[client]]
name = "d"
workload = "set"
#----
DIR/c.toml: line 4: one client does 'bank' and another 'set': a run has one history
#### client
[[client]]
name = "c"
workload = "bank"
[[client]]
name = "d"
workload = "bank"
[history]
consistency = "serializable"
#----
history: 1
clients: 2
nodes: 3
model bank, level serializable, workload bank
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <bank>
node d 10.0.0.2 client ours skew 0 drift 0 start 0
 argv: <client> <bank> <--number> <1>
node a 10.0.0.3 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "register"
#----
history: 1
clients: 1
nodes: 2
model register, level default, workload register
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <register>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "cas"
#----
history: 1
clients: 1
nodes: 2
model cas, level default, workload cas
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <cas>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "set"
#----
history: 1
clients: 1
nodes: 2
model set, level default, workload set
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <set>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "queue"
#----
history: 1
clients: 1
nodes: 2
model queue, level default, workload queue
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <queue>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "lock"
#----
history: 1
clients: 1
nodes: 2
model lock, level default, workload lock
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <lock>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "list-append"
#----
history: 1
clients: 1
nodes: 2
model list-append, level default, workload list-append
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <list-append>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "rw-register"
#----
history: 1
clients: 1
nodes: 2
model rw-register, level default, workload rw-register
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <rw-register>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "bank"
#----
history: 1
clients: 1
nodes: 2
model bank, level default, workload bank
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <bank>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
over = "redis"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--over> <redis>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
target = "a"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--target> <a>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
target = ["a:1", "b{dir}"]
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--target> <a:1> <--target> <bDIR>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
target = [1]
#----
DIR/c.toml: line 4: target must be an array of strings
#### client
[[client]]
name = "c"
workload = "kv"
target = 5
#----
DIR/c.toml: line 4: target must be a string or an array of strings
#### client
[[client]]
name = "c"
workload = "kv"
operations = 5
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--operations> <5>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
operations = 0
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--operations> <0>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
operations = 123456789012345
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--operations> <123456789012345>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
rate = 2.5
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--rate> <2.5>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
workers = 3
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--workers> <3>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
keys = 4
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--keys> <4>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
per_key = 9
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--per-key> <9>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
near = true
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--near>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
near = false
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
near = 1
#----
DIR/c.toml: line 4: near must be true or false
#### client
[[client]]
name = "c"
workload = "kv"
mix = "read=1"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--mix> <read=1>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
txn = 2
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--txn> <2>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
accounts = 3
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--accounts> <3>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
isolation = "x"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--isolation> <x>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
read = "local"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--read> <local>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
send = ["read", "GET"]
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--send> <read> <--send> <GET>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
reply = ["*", "ok", "x"]
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--reply> <*> <--reply> <ok> <--reply> <x>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
header = "A: b"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--header> <A: b>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
timeout = "2s"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--timeout> <2s>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
patience = "9s"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--patience> <9s>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
final = "1s"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--final> <1s>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
stay = true
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--stay>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
stay = false
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
user = "u"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--user> <u>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
database = "d"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--database> <d>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
password = "p"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--password> <p>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
for = "9s"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--time> <9s>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
for = 9
#----
DIR/c.toml: line 4: for must be a string
#### client
[[client]]
name = "c"
workload = "kv"
over = 5
#----
DIR/c.toml: line 4: over must be a string
#### client
[[client]]
name = "c"
workload = "kv"
over = "x"
target = ["a", "b", "c"]
operations = 1
for = "1s"
rate = 2
workers = 3
keys = 4
per_key = 5
near = true
mix = "m"
txn = 6
accounts = 7
isolation = "i"
read = "r"
send = ["a", "b"]
reply = ["a", "b", "c"]
header = ["h"]
timeout = "1s"
patience = "2s"
final = "3s"
stay = true
user = "u"
database = "d"
password = "p"
#----
history: 1
clients: 1
nodes: 2
model kv, level default, workload kv
node c 10.0.0.1 client ours skew 0 drift 0 start 0
 argv: <client> <kv> <--over> <x> <--target> <a> <--target> <b> <--target> <c> <--operations> <1> <--time> <1s> <--rate> <2> <--workers> <3> <--keys> <4> <--per-key> <5> <--near> <--mix> <m> <--txn> <6> <--accounts> <7> <--isolation> <i> <--read> <r> <--send> <a> <--send> <b> <--reply> <a> <--reply> <b> <--reply> <c> <--header> <h> <--timeout> <1s> <--patience> <2s> <--final> <3s> <--stay> <--user> <u> <--database> <d> <--password> <p>
node a 10.0.0.2 skew 0 drift 0 start 0
#### client
[[client]]
name = "c"
workload = "kv"
wrkers = 3
#----
DIR/c.toml: line 4: 'wrkers' is not known in [client]; did you mean 'workers'?
#### check
[[check]]
run = "cmp {dir} b"
#----
checks: 1
check check every 0
 argv: <cmp> <DIR> <b>
#### check
[[check]]
name = "s"
run = ["a b", "c"]
every = 6
#----
checks: 1
check s every 6
 argv: <a b> <c>
#### check
[[check]]
name = "s"
#----
DIR/c.toml: line 1: a check needs run
#### check
[[check]]
every = 5
run = "x"
[[check]]
run = "y"
#----
checks: 2
check check every 5
check check every 0
 argv: <y>
#### check
[[check]]
run = 5
#----
DIR/c.toml: line 2: run must be an array of strings
#### check
[[check]]
run = "x"
every = -1
#----
DIR/c.toml: line 3: every must be a whole number from 0 to 4000000000
#### check
[[check]]
nme = "x"
#----
DIR/c.toml: line 2: 'nme' is not known in [check]; did you mean 'name'?
#### fault
[[fault]]
name = "f"
run = "tc {node}"
#----
nodes: 2
scripts: 1
node f 10.0.0.1 client manual may fail skew 0 drift 0 start 0
 argv: </bin/true>
node a 10.0.0.2 skew 0 drift 0 start 0
fault on 0, 1 times
 run: tc {node}
 undo: none
#### fault
[[fault]]
name = "f"
run = "tc"
undo = "no tc"
times = 3
env = ["A=b"]
readable = ["/usr"]
#----
nodes: 2
scripts: 1
node f 10.0.0.1 client manual may fail skew 0 drift 0 start 0
 argv: </bin/true>
 env: <PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin> <HOME=/tmp> <LANG=C.UTF-8> <TZ=UTC> <OPENSSL_ia32cap=~0x4000000000000000:~0x40000> <TSAN_OPTIONS=halt_on_error=1> <UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1> <A=b>
 shown: <DIR> </usr>
node a 10.0.0.2 skew 0 drift 0 start 0
fault on 0, 3 times
 run: tc
 undo: no tc
#### fault
[[fault]]
run = "x"
#----
DIR/c.toml: line 1: a fault needs name and run
#### fault
[[fault]]
name = "f"
#----
DIR/c.toml: line 1: a fault needs name and run
#### fault
[[fault]]
name = "a"
run = "x"
#----
DIR/c.toml: line 4: there are two nodes named 'a'
#### fault
[[fault]]
name = "f"
run = "x '"
#----
DIR/c.toml: line 1: a quote of the command is not closed
#### fault
[[fault]]
name = "f"
run = "x"
undo = "y \""
#----
DIR/c.toml: line 1: a quote of the command is not closed
#### fault
[[fault]]
name = "f"
run = "x"
times = "x"
#----
DIR/c.toml: line 4: times must be a number
#### fault
[[fault]]
name = "f"
run = "x"
readable = ["/no-such"]
#----
DIR/c.toml: line 1: readable: there is no directory '/no-such'
#### fault
[[fault]]
name = "f"
run = "x"
[[fault]]
name = "g"
run = "y"
[[fault]]
name = "h"
run = "z"
times = 0
#----
nodes: 4
scripts: 3
node f 10.0.0.1 client manual may fail skew 0 drift 0 start 0
 argv: </bin/true>
node g 10.0.0.2 client manual may fail skew 0 drift 0 start 0
 argv: </bin/true>
node h 10.0.0.3 client manual may fail skew 0 drift 0 start 0
 argv: </bin/true>
node a 10.0.0.4 skew 0 drift 0 start 0
fault on 0, 1 times
 run: x
 undo: none
fault on 1, 1 times
 run: y
 undo: none
fault on 2, 0 times
 run: z
 undo: none
#### fault
[[fault]]
name = "-"
run = "x"
#----
DIR/c.toml: line 1: '-' cannot be the name of a node: use letters, digits, - and _
#### fault
[[fault]]
naem = "f"
run = "x"
#----
DIR/c.toml: line 2: 'naem' is not known in [fault]; did you mean 'name'?
#### sometimes
[[sometimes]]
line = "x"
#----
sometimes: 1
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
#### sometimes
[[sometimes]]
name = "n"
line = "x"
#----
sometimes: 1
sometimes n node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
#### sometimes
[[sometimes]]
variable = "v"
#----
DIR/c.toml: line 1: sometimes needs line; or variable and equals; or event, perhaps with while and until, or with variable and equals
#### sometimes
[[sometimes]]
variable = "v"
equals = "1"
#----
sometimes: 1
sometimes v node -1 event none
 line: none
 variable: v
 equals: 1
 state: none
 until: none
#### sometimes
[[sometimes]]
equals = "1"
#----
DIR/c.toml: line 1: sometimes needs line; or variable and equals; or event, perhaps with while and until, or with variable and equals
#### sometimes
[[sometimes]]
event = "crash"
#----
sometimes: 1
sometimes crash node -1 event crash
 line: none
 variable: none
 equals: none
 state: none
 until: none
#### sometimes
[[sometimes]]
event = "crash a"
#----
sometimes: 1
sometimes crash a node 0 event crash
 line: none
 variable: none
 equals: none
 state: none
 until: none
#### sometimes
[[sometimes]]
event = "crash b"
#----
DIR/c.toml: line 1: there is no node 'b'
#### sometimes
[[sometimes]]
event = "crash a a"
#----
DIR/c.toml: line 1: event: 'crash a a' is not like "crash" or "crash n1"
#### sometimes
[[sometimes]]
event = "boom"
#----
DIR/c.toml: line 1: event: 'boom' is not like "crash" or "crash n1"
#### sometimes
[[sometimes]]
event = ""
#----
DIR/c.toml: line 1: event: '' is not like "crash" or "crash n1"
#### sometimes
[[sometimes]]
event = "crash"
while = "in"
#----
sometimes: 1
sometimes crash node -1 event crash
 line: none
 variable: none
 equals: none
 state: in
 until: none
#### sometimes
[[sometimes]]
event = "crash"
while = "in"
until = "out"
#----
sometimes: 1
sometimes crash node -1 event crash
 line: none
 variable: none
 equals: none
 state: in
 until: out
#### sometimes
[[sometimes]]
while = "in"
line = "x"
#----
DIR/c.toml: line 1: sometimes needs line; or variable and equals; or event, perhaps with while and until, or with variable and equals
#### sometimes
[[sometimes]]
event = "crash"
variable = "v"
equals = "1"
#----
sometimes: 1
sometimes crash node -1 event crash
 line: none
 variable: v
 equals: 1
 state: none
 until: none
#### sometimes
[[sometimes]]
event = "crash"
line = "x"
#----
DIR/c.toml: line 1: sometimes needs line; or variable and equals; or event, perhaps with while and until, or with variable and equals
#### sometimes
[[sometimes]]
node = "a"
line = "x"
#----
sometimes: 1
sometimes x node 0 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
#### sometimes
[[sometimes]]
node = "b"
line = "x"
#----
DIR/c.toml: line 1: there is no node 'b'
#### sometimes
[[sometimes]]
line = 5
#----
DIR/c.toml: line 2: line must be a string
#### sometimes
[[sometimes]]
name = "n"
#----
DIR/c.toml: line 1: sometimes needs line; or variable and equals; or event, perhaps with while and until, or with variable and equals
#### sometimes
[[sometimes]]
lien = "x"
#----
DIR/c.toml: line 2: 'lien' is not known in [sometimes]; did you mean 'line'?
#### reachable
[[reachable]]
line = "x"
[[sometimes]]
line = "y"
#----
sometimes: 2
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes y node -1 event none
 line: y
 variable: none
 equals: none
 state: none
 until: none
#### sometimes: the most
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
#----
sometimes: 64
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
sometimes x node -1 event none
 line: x
 variable: none
 equals: none
 state: none
 until: none
#### sometimes: one too many
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
[[sometimes]]
line = "x"
#----
DIR/c.toml: line 129: there are more than 64 of these
#### history
[history]
model = "register"
#----
history: 1
#### history
[history]
model = "x"
#----
DIR/c.toml: line 2: model: 'x' is none that histories are judged by; see HISTORIES.md
#### history
[history]
consistency = "linearizable"
#----
DIR/c.toml: line 1: a history needs a model
#### history
[history]
model = "kv"
consistency = "x"
#----
DIR/c.toml: line 3: consistency: 'x' is none that histories are judged by; see HISTORIES.md
#### history
[history]
model = "list-append"
consistency = "snapshot-isolation"
#----
history: 1
model list-append, level snapshot-isolation, workload none
#### history
[history]
model = "bank"
total = 50
negative = true
#----
history: 1
has_total: 1
total: 50
negative: 1
model bank, level default, workload none
#### history
[history]
model = "bank"
total = 0
#----
history: 1
has_total: 1
model bank, level default, workload none
#### history
[history]
model = "register"
keyed = true
#----
history: 1
keyed: 1
#### history
[history]
model = "rw-register"
keys = "wfr"
#----
history: 1
keys: 1
model rw-register, level default, workload none
#### history
[history]
model = "rw-register"
keys = ["wfr", "linearizable"]
#----
history: 1
keys: 5
model rw-register, level default, workload none
#### history
[history]
model = "rw-register"
keys = "x"
#----
DIR/c.toml: line 3: keys: 'x' is none that histories are judged by; see HISTORIES.md
#### history
[history]
keyed = 1
model="kv"
#----
DIR/c.toml: line 2: keyed must be true or false
#### history
[history]
modle = "kv"
#----
DIR/c.toml: line 2: 'modle' is not known in [history]; did you mean 'model'?
#### history
[history]
total = -1
model="kv"
#----
DIR/c.toml: line 2: total must be a whole number from 0 to 1e15
#### tables
[node]
#----
DIR/c.toml: line 1: there is no table [node]; did you mean [[node]]?
#### tables
[nodes]
#----
DIR/c.toml: line 1: there is no table [nodes]; did you mean [[node]]?
#### tables
[[run]]
#----
DIR/c.toml: line 1: there is no table [[run]]; did you mean [run]?
#### tables
[[net]]
#----
DIR/c.toml: line 1: there is no table [[net]]; did you mean [net]?
#### tables
[[disk]]
#----
DIR/c.toml: line 1: there is no table [[disk]]; did you mean [disk]?
#### tables
[[limits]]
#----
DIR/c.toml: line 1: there is no table [[limits]]; did you mean [limits]?
#### tables
[[faults]]
#----
DIR/c.toml: line 1: there is no table [[faults]]; did you mean [faults]?
#### tables
[event]
#----
DIR/c.toml: line 1: there is no table [event]; did you mean [[event]]?
#### tables
[message]
#----
DIR/c.toml: line 1: there is no table [message]; did you mean [[messages]]?
#### tables
[messages]
#----
DIR/c.toml: line 1: there is no table [messages]; did you mean [[messages]]?
#### tables
[chek]
#----
DIR/c.toml: line 1: there is no table [chek]; did you mean [[check]]?
#### tables
[check]
#----
DIR/c.toml: line 1: there is no table [check]; did you mean [[check]]?
#### tables
[[check]]x
#----
DIR/c.toml: line 1: unexpected text at the end of the line
#### tables
[[fault]
#----
DIR/c.toml: line 1: ] is missing
#### tables
[falut]
#----
DIR/c.toml: line 1: there is no table [falut]; did you mean [[fault]]?
#### tables
[reachble]
#----
DIR/c.toml: line 1: there is no table [reachble]; did you mean [[reachable]]?
#### tables
[sometime]
#----
DIR/c.toml: line 1: there is no table [sometime]; did you mean [[sometimes]]?
#### tables
[[history]]
#----
DIR/c.toml: line 1: there is no table [[history]]; did you mean [history]?
#### tables
[histroy]
#----
DIR/c.toml: line 1: there is no table [histroy]; did you mean [history]?
#### tables
[clients]
#----
DIR/c.toml: line 1: there is no table [clients]; did you mean [[client]]?
#### tables
[client]
#----
DIR/c.toml: line 1: there is no table [client]; did you mean [[client]]?
#### tables
[xyzzy]
#----
DIR/c.toml: line 1: there is no table [xyzzy]
#### tables
[a.b]
#----
DIR/c.toml: line 1: there is no table [a.b]
#### tables
x = 1
#----
DIR/c.toml: line 1: 'x' stands above the first table, such as [run]
#### explore.apart
[[node]]
name = "n"
run = ["/bin/true"]
[explore]
apart = ["a b", "c"]
#----
DIR/c.toml: line 4: apart: 'c' should be the names of two threads
