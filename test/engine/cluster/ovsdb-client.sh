# Counts in the database as long as it lets us, and says who answered.
all=tcp:10.0.0.1:6640,tcp:10.0.0.2:6640,tcp:10.0.0.3:6640
for i in 1 2 3; do
    timeout 5 ovsdb-client transact "$all" \
        '["Counters", {"op": "insert", "table": "Counter", "row": {"name": "c'$i'", "value": '$i'}}]' || echo "not $i"
done
for i in 1 2 3; do
    timeout 5 ovsdb-client --no-leader-only dump tcp:10.0.0.$i:6640 Counters
done
echo done
