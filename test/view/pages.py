"""The pages of `assay view` in a real browser: what they show of real artifacts, that keys and clicks do what they say, that hostile text
stays text, that other origins read nothing, and how fast a run of 10,000 events is.

usage: pages.py ASSAY ARTIFACTS SCRATCH ENGINE [--looks]     ENGINE: yes when there are runs among the artifacts; --looks writes looks.txt anew
"""
import http.server
import json
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from browser import KEYS, Browser, missing

assay, art, scratch, engine = sys.argv[1:5]
LOOKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "looks.txt")
anew = sys.argv[5:] == ["--looks"]
why = missing()
if why:
    print(f"skip view/browser # {why}")
    sys.exit(0)
bad = 0


def check(name, good, what=""):
    global bad
    print(f"{'ok' if good else 'not ok'} view/page-{name}" + ("" if good else f": {str(what)[:300]}"))
    bad += 0 if good else 1


# How pages look: looks.txt has a name, then 20 rows of 32 digits (how much is drawn there), as Chromium has drawn them once and a person has seen that
# they were right. Fonts differ from machine to machine: a field may be one digit off, and so may a twentieth of them by more.
looks = {}
if not anew:
    with open(LOOKS) as file:
        lines = [line for line in file.read().splitlines() if line and not line.startswith("#")]
    looks = {lines[i]: lines[i + 1:i + 21] for i in range(0, len(lines), 21)}


def unlike(a, b):
    return sum(abs(int(x) - int(y)) > 1 for r, s in zip(a, b) for x, y in zip(r, s))


def look(name):
    """The last thing to be asked of a page: it is left."""
    seen = b.sketch()
    if anew:
        looks[name] = seen
        return
    wrong = unlike(seen, looks.get(name, ["0" * 32] * 20))
    check(f"look-{name}", name in looks and wrong <= 32, f"{wrong} of 640 fields differ; now:\n# " + "\n# ".join(seen))


class Viewed:
    """A page of some files, served; the console must stay without errors."""

    def __init__(self, name, *files, mark="", look=None):
        self.name, self.files, self.mark, self.look = name, files, mark, look

    def __enter__(self):
        self.server = subprocess.Popen([assay, "view", *self.files], stdout=subprocess.PIPE, text=True, cwd=art)
        self.url = self.server.stdout.readline().strip()
        b.go(self.url + self.mark)
        check(self.name + "-opens", b.wait("return document.querySelector('main').childElementCount > 0"))
        return self

    def __exit__(self, kind, value, trace):
        said = b.console()
        check(self.name + "-console", not said, said)
        # Everything that can be focused and clicked has a name for those who do not see it.
        nameless = b.run("""return [...document.querySelectorAll('button, input, select, a, canvas:not([aria-hidden]), svg[role]')]
            .filter(e => e.offsetParent !== null && !(e.textContent.trim() || e.getAttribute('aria-label') || e.title || e.closest('label')?.textContent.trim())).map(e => e.outerHTML)""")
        check(self.name + "-names", not nameless, nameless)
        if self.look:
            look(self.look)
        self.server.terminate()
        self.server.wait()


def text(selector="main"):
    return b.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def step():
    return b.run("return document.querySelector('ol.steps [aria-current] .n')?.textContent")


raft_map = os.path.join(os.getcwd(), "examples/raftkv/raftkv.assay.toml")
two = os.path.join(os.getcwd(), "specs/TwoPhase")
with Browser() as b:
    # ---- a trace ----
    with Viewed("trace", "hasty.check.json") as v:
        check("trace-reason", 'outcome[p] \\in {"promised", "committed"}' in text(".reason"), text(".reason"))
        check("trace-last", step() == "6", step())
        marked = b.run("return [...document.querySelectorAll('.source .bad')].map(e => e.textContent).join('')")
        check("trace-false-part", marked == 'outcome[p] \\in {"promised", "committed"}', marked)
        fired = b.run("return [...document.querySelectorAll('.source .fire')].map(e => e.textContent)")
        check("trace-action", len(fired) == 5 and fired[0] == '/\\ verdict = "none"', fired)
        changed = b.run("return [...document.querySelectorAll('tr.changed')].map(r => r.innerText)")
        check("trace-changed", len(changed) == 2 and "verdict" in changed[0], changed)
        new = b.run("return [...document.querySelectorAll('tr.changed ins')].map(e => e.textContent)")
        check("trace-inside", '[kind |-> "commit"]' in new and '"commit"' in new, new)
        b.key(KEYS["left"] + KEYS["left"])
        check("trace-keys", step() == "4", step())
        check("trace-permalink", b.run("return new URLSearchParams(location.hash.slice(1)).get('step')") == "4")
        b.key(KEYS["home"])
        check("trace-home", step() == "1", step())
        b.key("m")
        cells = b.run("return [document.querySelectorAll('.matrix tbody tr').length, document.querySelectorAll('.matrix tbody tr:first-child td').length]")
        check("trace-matrix", cells == [4, 6], cells)
        b.key("m")
        b.key("f")
        b.key("out")
        check("trace-filter", b.run("return [...document.querySelectorAll('.vars th')].map(e => e.innerText.trim())")[0].endswith("outcome"))
        b.run("const f = document.querySelector('input[aria-label=\"Filter variables\"]'); f.value = ''; f.dispatchEvent(new Event('input')); f.blur()")
        b.key("/")
        b.key("commit")
        check("trace-search", step() == "6" and b.run("return document.querySelectorAll('mark').length") > 0, step())
        b.key(KEYS["escape"])
        b.run("document.querySelector('input[aria-label^=Expression]').value = 'Cardinality(promises)'; document.querySelector('form').requestSubmit()")
        b.key("m")
        values = b.wait("const r = [...document.querySelectorAll('.matrix tbody tr')].find(r => r.innerText.includes('Cardinality')); const v = r && [...r.querySelectorAll('td')].map(c => c.innerText.trim()); return v && !v.includes('…') && v")
        check("trace-expression", values == ["0", "0", "1", "1", "2", "2"], values)
        b.run("document.querySelector('input[aria-label^=Expression]').value = 'promises + '; document.querySelector('form').requestSubmit()")
        check("trace-expression-wrong", b.wait("return document.querySelectorAll('.matrix td .error').length === 6"))
        b.key("m" + KEYS["home"])
        # Another behaviour: the second step from the start, then what can happen there; TLC's numbers of successors are those of --dump.
        count = b.wait("return document.querySelectorAll('.follow ol li').length")
        check("trace-successors", count == 7, count)
        b.run("document.querySelectorAll('.follow ol button')[0].click()")
        check("trace-mine", b.wait("return document.querySelectorAll('.list > ol.steps > li.mine').length === 1"))
        b.run("window.saved = null; URL.createObjectURL = blob => { window.saved = blob; return 'data:,'; }")
        b.key("s")
        saved = json.loads(b.later("const done = arguments[0]; window.saved.text().then(done)"))
        check("trace-export", len(saved["states"]) == 2 and saved["vars"] == ["promises", "verdict", "outcome", "sent"], saved)
        with open(os.path.join(scratch, "mine.itf.json"), "w") as file:
            json.dump(saved, file)
        again = json.loads(subprocess.run([assay, "view", file.name, "--json", "-s", f"{two}/TwoPhaseHasty.tla"], capture_output=True, text=True, check=True).stdout)
        check("trace-export-is-one", "mismatch" not in again[1] and len(again[1]["states"]) == 2, again[1])
        b.run("document.querySelector('#theme').click()")
        check("trace-dark", b.run("return document.documentElement.dataset.theme") == "dark")
        b.key("?")
        check("trace-help", b.run("return document.querySelector('dialog').open"))
    with Viewed("explorer", f"{two}/TwoPhase.tla") as v:
        check("explorer-initial", b.wait("return document.querySelectorAll('.follow ol li').length === 1"))
        b.key("1")
        b.wait("return document.querySelectorAll('.list > ol.steps > li').length === 1")
        b.wait("return document.querySelectorAll('.follow ol li').length > 1")
        b.key("1")
        check("explorer-steps", b.wait("return document.querySelectorAll('.list > ol.steps > li').length === 2"), text())
    with Viewed("lasso", "loop.itf.json", look="lasso") as v:
        check("lasso-drawn", b.run("return document.querySelectorAll('li.loop').length") == 3 and "back to 2" in text(".steps"), text(".steps"))
    with Viewed("stuttering", "unfair.check.json") as v:
        check("stuttering-said", "nothing happens any more" in text(".steps"))
    # ---- the others ----
    with Viewed("difference", "conform.json", look="difference") as v:
        sides = b.run("return [...document.querySelectorAll('.pairs ins, .pairs del')].map(e => e.textContent)")
        check("difference-marked", sides[:2] == ["3", "4"], sides)
        check("difference-replay", "assay replay" in text(".command"))
    with Viewed("history", "history.jsonl", "--model", "register", look="history") as v:
        check("history-verdict", "violated" in text(".headline") and "process 3" in text(".reason"))
        b.key(KEYS["end"])
        check("history-keys", "nobody knows" in text(".side"), text(".side"))
        b.key(KEYS["left"])
        check("history-guilty", "contradict" in text(".side"), text(".side"))
    with Viewed("graph", "small.dot", look="graph") as v:
        check("graph-states", b.run("return document.querySelectorAll('svg g.node').length") == 56)
        b.run("document.querySelector('svg g.node').dispatchEvent(new MouseEvent('click'))")
        check("graph-choose", "State 1 at depth 1" in text() and b.run("return document.querySelectorAll('.edge.on').length") == 5, text()[:200])
    with Viewed("graph-large", "two.graph", look="graph-large") as v:
        check("graph-map", "8,832 states" in text() and b.run("return document.querySelectorAll('svg rect').length") > 50)
    with Viewed("coverage", "hasty.check.json", mark="#doc=2", look="coverage") as v:
        check("coverage-never", "never" in text() and b.run("return document.querySelectorAll('.source .cold').length") > 10)
        check("coverage-counts", b.run("return [...document.querySelectorAll('.source .c')].filter(e => /^[0-9,]+$/.test(e.textContent)).length") > 10)
    with Viewed("statistics", "bit.check.json") as v:
        check("statistics-verdict", "ok" in text(".headline") and "distinct" in text())
    with Viewed("numbers", "fixed.check.json", look="statistics") as v:
        labels = b.run("return [...document.querySelectorAll('svg[role]')].map(e => e.getAttribute('aria-label'))")
        check("numbers-plots", len(labels) == 4 and labels[1] == "Queue, at most 44,000" and labels[3] == "Memory, at most 13.0 MiB", labels)
    with Viewed("watched", "fixed.watch.json", look="watch") as v:
        check("watched-alarms", [x for x in ("1 alarm", "after 20.0 s", "after 9.2 s", "<script>alert(1)</script>", "once, 12 events") if x not in text()] == [], text())
    # A search that runs: the page follows it, tells how it ended, and the same numbers are there later.
    with open(os.path.join(art, "live.json"), "w") as saved:
        search = subprocess.Popen([assay, "check", "Counts.tla", "-w", "1", "--tier", "interpreter", "--live", "--json", "--stop-after", "9"],
                                  stdout=saved, stderr=subprocess.PIPE, text=True, cwd=art)
        b.go(search.stderr.readline().strip())
        check("live-runs", b.wait("return document.querySelector('.badge')?.textContent === 'running'"), text(".headline"))
        check("live-plots", b.wait("return document.querySelectorAll('svg .plot').length === 4 && document.querySelector('.badge').textContent === 'running'"), text())
        first = text(".facts")
        check("live-follows", b.wait("return document.querySelector('.facts').innerText !== arguments[0]", first), first)
        check("live-ends", b.wait("return document.querySelector('.badge').textContent !== 'running'") and "exit status 22" in text(".headline"), text(".headline"))
        said = b.console()
        check("live-console", not said, said)
        check("live-status", search.wait() == 22)
        search.stderr.close()
    with Viewed("live-later", "live.json") as v:
        check("live-later-plots", b.run("return document.querySelectorAll('svg .plot').length") == 4 and "exit status 22" in text(".headline"), text())
    # A node that is followed: events come one by one, the last one is none that the specification explains.
    if os.path.exists(os.path.join(art, "watched.jsonl")):
        with open(os.path.join(art, "watched.jsonl")) as file:
            events = file.read().splitlines()
        watch = subprocess.Popen([assay, "watch", raft_map, "--node", "n1", "--events", "/dev/stdin", f"--page={art}/watch.json"], cwd=art,
                                 stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        b.go(watch.stderr.readline().strip())
        check("watch-runs", b.wait("return document.querySelector('.badge')?.textContent === 'running'"), text(".headline"))
        for line in events[:-1]:
            watch.stdin.write(line + "\n")
            watch.stdin.flush()
            time.sleep(.25)
        check("watch-follows", b.wait("return document.querySelectorAll('svg .plot').length === 4") and "No alarm" in text(), text())
        watch.stdin.write(events[-1] + "\n")
        watch.stdin.close()
        check("watch-alarm", b.wait("return document.querySelector('.badge').textContent === '1 alarm'"), text(".headline"))
        check("watch-why", 'the specification says FALSE' in text(".finding"), text(".finding"))
        said = b.console()
        check("watch-console", not said, said)
        check("watch-status", watch.wait() == 12)
        watch.stderr.close()
        with Viewed("watch-later", "watch.json") as v:
            check("watch-later-alarm", "1 alarm" in text(".headline") and "the specification says FALSE" in text(".finding"), text())
    with Viewed("rank", "rank.json", "-s", "Ladder.tla", look="rank") as v:
        rows = b.run("return document.querySelectorAll('.ranking tbody tr').length")
        check("rank-rows", rows == 6 and "MaxTimeouts = 3" in text(".headline"), (rows, text(".headline")))
        b.key(KEYS["end"] + "jjjj")
        check("rank-missed", "Rank 5" in text() and b.run("return document.querySelectorAll('.ranking .cold').length") == 6, text()[-300:])
        b.run("document.querySelectorAll('svg .point')[0].dispatchEvent(new MouseEvent('click'))")
        check("rank-plot", "Rank 1" in text() and "Every branch was taken" in text(), text()[-200:])
        b.key("x")
        check("rank-axis", "depth of the deepest walk: 5 to 10" in b.run("return document.querySelector('svg.scatter').textContent"))
    with Viewed("report", "report.json", look="report") as v:
        check("report-cases", "1 failed" in text() and "Validity" in text())
    if engine == "yes":
        with Viewed("run", "run1", "run2", look="run") as v:
            check("run-head", "events, 5 nodes" in text(".headline"), text(".headline"))
            b.key("x")
            check("run-fault", "assay replay run1/replay --until" in text(".side"), text(".side"))
            at = b.run("return new URLSearchParams(location.hash.slice(1)).get('step')")
            b.key("j")
            check("run-next", b.run("return new URLSearchParams(location.hash.slice(1)).get('step')") != at)
            b.key("/")
            b.key("leader" + KEYS["enter"])
            b.key(KEYS["escape"])
            check("run-log", "leader of term" in text(".side"), text(".side"))
            values = b.run("return [...document.querySelectorAll('.observed tr')].map(r => r.innerText)")
            check("run-observed", len(values) == 4 and any('"LEADER"' in v for v in values), values)
            check("run-gdb", "--gdb n" in text(".side") or "--gdb c" in text(".side"))
            b.run("const s = document.querySelector('select'); s.value = '1'; s.dispatchEvent(new Event('change'))")
            check("run-beside", b.wait("return document.querySelectorAll('.space').length === 2") and "different first" in text(".side"), text(".side"))
        with Viewed("messages", "run1", "--map", raft_map) as v:
            b.key("/")
            b.key('type |-> "append"' + KEYS["enter"])
            b.key(KEYS["escape"])
            check("messages-decoded", "Message" in text(".side") and "entries |->" in text(".side"), text(".side"))
        with Viewed("recording", "recording") as v:
            check("recording-note", "has the choices, not the messages" in text())
    # ---- hostile text ----
    evil = "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'>"
    bidi = "admin\u202e\u2066nimda\u200b\u0007"
    huge = "A" * 1_000_000
    with open(os.path.join(scratch, "evil.itf.json"), "w") as file:
        json.dump({"#meta": {"source": evil, "description": evil + "</script>"}, "vars": [evil, bidi, "huge", "__proto__"],
                   "states": [{"#meta": {"action": evil}, evil: evil, bidi: bidi, "huge": huge, "__proto__": {"#map": [[evil, {"#set": [bidi]}]]}},
                              {"#meta": {"action": bidi}, evil: 1, bidi: {"constructor": evil}, "huge": huge + "B", "__proto__": []}]}, file)
    rows = [{"n": i + 1, "t": i / 1000, "event": f"deliver {i}", "from": evil if i % 2 else bidi, "to": "n" * 5000, "conn": 1, "what": evil, "bytes": 3, "hex": "3c2f73", "hash": "0"} for i in range(50)]
    with open(os.path.join(scratch, "evil.jsonl"), "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    with open(os.path.join(scratch, "evil.json"), "w") as file:
        json.dump({"verdict": evil, "findings": [{"kind": evil, "about": bidi, "action": evil, "text": f"{evil}\n  specification: {evil}\n  implementation: {bidi}\n", "log": evil, "steps": [{"label": evil, "events": evil}], "replay": "$(touch /tmp/x); 'a"}]}, file)
    with open(os.path.join(scratch, "evil-history.jsonl"), "w") as file:
        for kind in ("invoke", "ok"):
            file.write(json.dumps({"process": evil, "type": kind, "f": evil, "value": bidi}) + "\n")
    for name in ("evil.itf.json", "evil.jsonl", "evil.json", "evil-history.jsonl"):
        path = os.path.join(scratch, name)
        with Viewed(name, path) as v:
            check(f"{name}-harmless", b.run("return window.pwned === undefined && !document.querySelector('main img, main script, nav img, nav script')"))
            seen = b.run("return /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0007]/.test(document.body.textContent.replace(document.getElementById('documents').textContent, ''))")
            check(f"{name}-marks", not seen, "a mark of direction is there as it was")
        subprocess.run([assay, "view", path, "--html", os.path.join(scratch, "evil.html")], check=True)
        b.go("file://" + os.path.join(scratch, "evil.html"))
        check(f"{name}-from-disk", b.wait("return document.querySelector('main').childElementCount > 0") and b.run("return window.pwned === undefined") and not b.console())
    # ---- from the disk ----
    subprocess.run([assay, "view", "hasty.check.json", "--html", os.path.join(scratch, "disk.html")], check=True, cwd=art)
    b.go("file://" + os.path.join(scratch, "disk.html"))
    check("disk", b.wait("return document.querySelectorAll('ol.steps li').length >= 6") and not b.console())
    check("disk-alone", b.run("return performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:')).length") == 0)
    # ---- another origin ----
    with open(os.path.join(scratch, "other.html"), "w") as file:
        file.write("<!DOCTYPE html><title>other</title><p>another origin</p>")

    class Other(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args, **rest):
            super().__init__(*args, directory=scratch, **rest)

        def log_message(self, *_):
            pass

    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    with Viewed("victim", "hasty.check.json") as v:
        pass
    server = subprocess.Popen([assay, "view", "hasty.check.json"], stdout=subprocess.PIPE, text=True, cwd=art)
    url = server.stdout.readline().strip()
    b.go(f"http://127.0.0.1:{other.server_port}/other.html")
    tries = b.later("""const [url, done] = arguments;
        const attempt = async f => { try { return await f(); } catch (e) { return 'refused'; } };
        (async () => {
            const out = [];
            out.push(await attempt(async () => (await fetch(url)).status));
            out.push(await attempt(async () => { const r = await fetch(url, { mode: 'no-cors' }); return r.type === 'opaque' ? 'refused' : r.type; }));
            out.push(await attempt(async () => (await (await fetch(url + 'api', { method: 'POST', body: '{"op":"initial"}' })).text()).length));
            out.push(await new Promise(r => { const s = document.createElement('script'); s.onload = () => r('loaded'); s.onerror = () => r('refused'); s.src = url; document.head.append(s); }));
            out.push(await new Promise(r => { const f = document.createElement('iframe'); f.onload = () => { try { r(f.contentDocument && f.contentDocument.querySelector('#documents') ? 'read' : 'refused'); } catch { r('refused'); } }; f.src = url; document.body.append(f); setTimeout(() => r('refused'), 3000); }));
            const w = open(url);
            out.push(await new Promise(r => setTimeout(() => { try { r(w && w.document && w.document.querySelector('#documents') ? 'read' : 'refused'); } catch { r('refused'); } }, 800)));
            done(out);
        })();""", url)
    check("other-origin", tries == ["refused"] * 6, tries)
    server.terminate()
    server.wait()
    other.shutdown()
    b.console()

# Another one: what another origin has opened would stand before the page.
with Browser() as b:
    # ---- 10,000 events ----
    nodes = [f"n{i}" for i in range(1, 6)]
    with open(os.path.join(scratch, "long.jsonl"), "w") as file:
        for i in range(10000):
            at = i * 0.00131
            if i % 97 == 0:
                row = {"n": i + 1, "t": at, "event": f"{['crash', 'restart', 'pause', 'resume'][i // 97 % 4]} {nodes[i // 388 % 5]}", "hash": "0"}
            else:
                a, z = nodes[i % 5], nodes[(i * 3 + 1 + i % 4) % 5]
                row = {"n": i + 1, "t": at, "event": f"deliver {i}", "from": a, "to": z, "conn": i % 9, "what": "DATA", "bytes": 40, "hex": "6b657931" * 10, "sent": max(0, at - 0.002 - i % 7 * 0.0007), "hash": "0"}
            file.write(json.dumps(row) + "\n")
    with Viewed("long", file.name) as v:
        # From the first byte of the answer on: how soon the server has it depends on what else runs on this machine.
        paint = b.wait("const p = performance.getEntriesByName('first-contentful-paint')[0], n = performance.getEntriesByType('navigation')[0]; return p && window.assayRun?.frames > 0 && p.startTime - n.responseStart")
        check("long-first-paint", paint is not None and paint < 1000, f"{paint} ms")
        rows = b.run("return assayRun.list.length")
        check("long-events", rows == 10000, rows)
        # Every frame elsewhere, and how long the page needs to draw one, which must leave half of a thirtieth of a second to the browser. How
        # many the browser shows depends on what else runs on this machine.
        cost = b.later("""const done = arguments[0], box = assayRun.box;
            let k = 0;
            const before = assayRun.frames;
            assayRun.took.length = 0;
            const next = () => {
                if (k++ === 90) {
                    const all = [...assayRun.took].sort((a, b) => a - b);
                    done({ median: all[all.length >> 1], nine: all[Math.floor(all.length * .9)], frames: assayRun.frames - before });
                    return;
                }
                box.scrollTop = (k * 7919) % (box.scrollHeight - box.clientHeight);
                requestAnimationFrame(() => requestAnimationFrame(next));
            };
            next();""")
        check("long-scrolls", cost["frames"] >= 90 and cost["median"] < 16, cost)
        moved = b.later("""const done = arguments[0], box = assayRun.box, begin = performance.now(), before = assayRun.frames;
            let ticks = 0;
            const next = () => {
                if (performance.now() - begin > 2000) { done({ draws: (assayRun.frames - before) / 2, ticks: ticks / 2 }); return; }
                ticks++;
                box.scrollTop += 40;
                requestAnimationFrame(next);
            };
            requestAnimationFrame(next);""")
        print(f"# scrolling: {moved['draws']:.0f} frames a second drawn, of {moved['ticks']:.0f} that the browser asked for")
        print(f"# first paint {paint:.0f} ms, drawing a frame {cost['median']:.1f} ms, nine of ten below {cost['nine']:.1f} ms")
    # ---- a phone ----
    b.size(390, 844)
    for name, *files in (("trace", "hasty.check.json"), ("history", "history.jsonl", "--model", "register"), ("numbers", "fixed.check.json"), ("watched", "fixed.watch.json"), *((("run", "run1"),) if engine == "yes" else ())):
        with Viewed("phone-" + name, *files) as v:
            wide = b.run("return [document.documentElement.scrollWidth, innerWidth, document.querySelector('.headline').scrollWidth <= innerWidth]")
            check(f"phone-{name}-fits", wide[0] <= wide[1] and wide[2], wide)
if anew:
    with open(LOOKS, "w") as file:
        file.write("# How pages look: see pages.py. test/run-view looks writes this anew, for a person to look at.\n")
        file.writelines(f"{name}\n" + "\n".join(rows) + "\n" for name, rows in looks.items())
else:
    # What is compared can tell pages apart: no page passes for another one.
    close = [(a, z) for a in looks for z in looks if a < z and unlike(looks[a], looks[z]) <= 32]
    check("looks-differ", not close, close)
sys.exit(1 if bad else 0)
