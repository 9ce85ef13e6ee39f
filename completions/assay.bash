# Completion of assay(1) for bash.
_assay() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W 'check tlc eval repl parse rank run replay shrink conform confirm init doctor version help' -- "$cur")
        return
    fi
    case $prev in
    --config | -c | -config | --module)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!*.@(cfg|tla)' -- "$cur"; compgen -d -- "$cur")
        return
        ;;
    --path | -I | --dir | --resume | -metadir | -recover)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        return
        ;;
    --workers | -w | -workers)
        mapfile -t COMPREPLY < <(compgen -W "auto 1 2 4 8 $(nproc 2>/dev/null)" -- "$cur")
        return
        ;;
    --live | -lncheck)
        mapfile -t COMPREPLY < <(compgen -W 'default final seqfinal off' -- "$cur")
        return
        ;;
    --color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur")
        return
        ;;
    esac
    case $command:$cur in
    help:*) mapfile -t COMPREPLY < <(compgen -W 'check tlc eval repl parse rank run replay shrink conform confirm init doctor' -- "$cur") ;;
    check:-*)
        mapfile -t COMPREPLY < <(compgen -W '--config --path --inv --deadlock --no-deadlock --no-symmetry --no-exec --tier --verbose --continue --aux --por
            --max-set-size --workers --dfs --dfid --simulate --depth --seed --live --stop-after --memory --dir
            --force --checkpoint --resume --json --trace-out --dump --coverage --color --quiet' -- "$cur")
        ;;
    tlc:-*)
        mapfile -t COMPREPLY < <(compgen -W '-modelcheck -simulate -generate -depth -seed -aril -dfid -workers -config
            -deadlock -continue -inv -invlevel -postCondition -coverage -checkpoint -recover -metadir -cleanup -gzip -dump
            -dumpTrace -loadTrace -difftrace -view -terse -nowarning -suppressMessages -messagesAsErrors -tool
            -generateSpecTE -noGenerateSpecTE -teSpecOutDir -userFile -lncheck -fp -fpbits -fpmem -maxSetSize -debug
            -help' -- "$cur")
        ;;
    eval:-*) mapfile -t COMPREPLY < <(compgen -W '--module --config --path --json' -- "$cur") ;;
    repl:-*) mapfile -t COMPREPLY < <(compgen -W '--config --path' -- "$cur") ;;
    parse:-*) mapfile -t COMPREPLY < <(compgen -W '--path --json --quiet --color' -- "$cur") ;;
    rank:-*)
        mapfile -t COMPREPLY < <(compgen -W '--sweep --instance --config --walks --time --steps --seed --sort --max-points --workers --path
            --out --walks-out --missed --json --color --quiet' -- "$cur")
        ;;
    rank:*)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!*.@(tla|toml)' -- "$cur"; compgen -d -- "$cur")
        ;;
    run:-*)
        mapfile -t COMPREPLY < <(compgen -W '--seed --runs --time --events --no-faults --interactive --verify --ci --out --pcap --shiviz
            --jsonl --trace --allow --spin-escape --branch-bench --cpu --json --quiet' -- "$cur")
        ;;
    replay:-*)
        mapfile -t COMPREPLY < <(compgen -W '--until --cluster --allow-checks --gdb --gdb-script --gdb-listen --out --pcap --shiviz --jsonl --json' -- "$cur")
        ;;
    shrink:-*) mapfile -t COMPREPLY < <(compgen -W '--out --cluster --allow-checks' -- "$cur") ;;
    conform:-*)
        mapfile -t COMPREPLY < <(compgen -W '--walks --time --depth --seed --workers --config --cluster --coverage --fresh --cold --path --out --json --junit
            --quiet' -- "$cur")
        ;;
    confirm:-*) mapfile -t COMPREPLY < <(compgen -W '--config --cluster --path --out --json --quiet' -- "$cur") ;;
    confirm:*)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!@(*.toml|*.json)' -- "$cur"; compgen -d -- "$cur")
        ;;
    run:* | replay:* | shrink:* | conform:*)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!@(*.toml|*replay)' -- "$cur"; compgen -d -- "$cur")
        ;;
    check:* | tlc:* | parse:* | repl:*)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -X '!*.tla' -- "$cur"; compgen -d -- "$cur")
        ;;
    esac
}
complete -F _assay assay
