# Removes from an output what changes from run to run: times, dates, process ids, versions, seeds, machine and places.
s/\([0-9,]+ (d?s\/min)\)/(RATE \1)/g
s/Running (breadth-first search|depth-first search|iterative|Random Simulation).*$/Running \1 .../
s/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}/DATE/g
s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z?/DATE/g
s/[0-9]+ms at/TIME at/g
s/[0-9]+([.][0-9]+)? ?(ms|s|min|h)( [0-9]+(ms|s|min))*\b/TIME/g
s/[0-9,.]+ ?[kMGT]? (states\/s|distinct\/s)/RATE/g
s/[0-9.]+ (B|KiB|MiB|GiB)\b/SIZE/g
s/ and SIZE on disk//g
s/\bpid:? ?[0-9]+/pid PID/g
s/(seed|fp) -?[0-9]+/\1 SEED/g
s/assay [0-9]+\.[0-9]+\.[0-9]+/assay VERSION/g
s/"(assay|seed|time_s|memory_bytes|disk_bytes)":("[^"]*"|[-+0-9.e]+)/"\1":CHANGES/g
s/,"progress":\[[^]]*\]//g
