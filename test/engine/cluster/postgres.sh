# Makes a database when there is none, and serves it.
if [ ! -e /data/made ]; then
    initdb -D /data/db -A trust -U u >/dev/null || exit 1
    echo 'host all all 0.0.0.0/0 trust' >>/data/db/pg_hba.conf
    sync
    : >/data/made
    sync
fi
rm -f /data/db/postmaster.pid
exec postgres -D /data/db -h 0.0.0.0 -k /tmp
