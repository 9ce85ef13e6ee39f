# For scripts that need the engine: need_engine NAME ASSAY DIR ends the script where processes cannot be traced (skipped, with
# the reason), and where they can but the engine does not work (failed).
need_engine() {
    printf '[[node]]\nname = "n"\nrun = ["/bin/true"]\n' >"$3/probe.toml"
    "$2" run "$3/probe.toml" -q -o "$3/probe" >"$3/log" 2>&1 && return
    cat >"$3/probe.c" <<'EOF'
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    pid_t pid = fork();
    int status;
    if (pid == 0) {
        _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 && raise(SIGSTOP) == 0 ? 0 : 1);
    }
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) {
        return 1;
    }
    return ptrace(PTRACE_KILL, pid, 0, 0) == 0 ? 0 : 1;
}
EOF
    if gcc -o "$3/probe-trace" "$3/probe.c" && "$3/probe-trace"; then
        echo "not ok $1: the engine does not work here"
        sed 's/^/#   /' "$3/log"
    else
        echo "skip $1 # processes cannot be traced here: $(head -n 1 "$3/log")"
    fi
    exit 0
}
