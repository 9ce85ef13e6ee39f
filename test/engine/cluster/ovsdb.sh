# A server of a clustered OVSDB: the first makes the database, the others join it.
# usage: ovsdb.sh NUMBER
own=tcp:10.0.0.$1:6644
if [ ! -e /data/made ]; then
    rm -f /data/db /data/.db.~lock~
    if [ "$1" = 1 ]; then
        ovsdb-tool create-cluster /data/db /data/schema "$own" || exit 1
    else
        ovsdb-tool join-cluster /data/db Counters "$own" tcp:10.0.0.1:6644 || exit 1
    fi
    sync
    : >/data/made
    sync
fi
exec ovsdb-server --remote=ptcp:6640:0.0.0.0 --unixctl=/run/ovsdb.ctl --no-chdir -vconsole:warn -vfile:off -vsyslog:off /data/db
