# For scripts that print "ok NAME" and "not ok NAME": sourced at the beginning, it makes them end with status 1 when a test has failed
# (or with their own, when that is not 0). The script runs once more, inside, and what it prints is read on the way.
# Programs that are tested must not inherit from nohup that SIGHUP means nothing to them.
export PATIENCE=${PATIENCE:-900} # seconds after which a program hangs; nothing else depends on time
if [ -z "${TEST_INSIDE:-}" ]; then
    TEST_INSIDE=1 env --default-signal=HUP "$0" "$@" | {
        failed=0
        while IFS= read -r line || [ -n "$line" ]; do
            printf '%s\n' "$line"
            case $line in "not ok"*) failed=1 ;; esac
        done
        exit $failed
    }
    both=("${PIPESTATUS[@]}")
    [ "${both[0]}" = 0 ] || exit "${both[0]}"
    exit "${both[1]}"
fi
unset TEST_INSIDE
