// The behaviour of a specification: steps, what changed, the source that did it; other steps, and expressions over all states.
import { h, t, count, link, ask, server, canStep, download, plain } from './dom.js';
import { show, same, text, sourceLine } from './value.js';

const PLACE = /line (\d+), col (\d+) to line (\d+), col (\d+) of module (\w+)/;

export function tracePage(doc, all, root) {
    const sources = all.find(d => d.kind === 'sources')?.modules || {};
    const followed = all.find(d => d.kind === 'followed' && d.of === doc.index);
    const view = {
        states: doc.states.map((st, i) => ({ ...st, ...(followed?.states[i] || {}), label: st.label !== '?' ? st.label : followed?.states[i]?.label || '?' })),
        step: 0, pins: new Set(), rows: [], matrix: link.get('matrix') === '1', filter: '', only: false, find: '', edited: 0,
    };
    const original = view.states.slice();
    const reason = doc.reason || followed?.reason || '';
    const names = () => doc.vars;
    const isLoop = () => view.edited === 0 && doc.loop !== undefined && doc.loop !== null;

    const steps = h('ol', { class: 'steps', 'aria-label': 'Steps' });
    const others = h('div', { class: 'follow' });
    const state = h('section', { 'aria-label': 'State' });
    const source = h('section', { 'aria-label': 'Source', class: 'code' });
    const matrix = h('div', { class: 'scroll', tabindex: 0, 'aria-label': 'All states' });
    const columns = h('div', { class: 'columns' }, h('section', { class: 'list' }, steps, others), state, source);
    const filter = h('input', { type: 'search', placeholder: 'Variables (f)', 'aria-label': 'Filter variables', oninput: () => { view.filter = filter.value; draw(); } });
    const find = h('input', { type: 'search', placeholder: 'Search (/)', 'aria-label': 'Search in values', oninput: () => { view.find = find.value; seek(0); } });
    const expr = h('input', { type: 'text', placeholder: canStep() ? 'Expression, e.g. Cardinality(sent) (e)' : 'Expressions need the specification', 'aria-label': 'Expression over all states', disabled: !canStep() });
    const pressed = (button, on) => button.setAttribute('aria-pressed', on ? 'true' : 'false');
    const all_states = h('button', { type: 'button', title: 'm', onclick: () => { view.matrix = !view.matrix; draw(); } }, 'All states');
    const only = h('button', { type: 'button', title: 'c', onclick: () => { view.only = !view.only; draw(); } }, 'Only changes');
    const reset = h('button', { type: 'button', onclick: () => { view.states = original.slice(); view.edited = 0; go(Math.min(view.step, view.states.length - 1)); } }, 'Back to the trace');
    const save = h('button', { type: 'button', title: 'Save this behaviour as ITF', onclick: () => download('behaviour.itf.json', itf()) }, 'Save as ITF');
    const form = h('form', { onsubmit: event => { event.preventDefault(); evaluate(expr.value); } }, expr);
    form.querySelector('input').style.width = '20em';

    const bad = doc.violation || reason;
    root.append(
        h('div', { class: 'headline' },
            h('h1', {}, doc.property ? t(doc.property) : t(doc.title || 'Behaviour')),
            doc.violation ? h('span', { class: 'badge bad' }, t(doc.violation)) : null,
            h('span', { class: 'sub' }, t(doc.spec || ''), doc.spec ? ' · ' : '', count(doc.states.length), doc.states.length === 1 ? ' state' : ' states',
                isLoop() ? `, then back to ${doc.loop + 1}` : doc.stuttering ? ', then nothing ever happens' : '', doc.file ? ' · ' : '', t(doc.file || ''))));
    if (reason) root.append(h('pre', { class: 'reason mono' }, t(reason, 4000)));
    if (doc.message) root.append(h('pre', { class: 'reason mono' }, t(doc.message, 4000)));
    if (followed?.mismatch) root.append(h('p', { class: 'note' }, t(followed.mismatch)));
    root.append(h('div', { class: 'bar' }, find, filter, only, all_states, form, h('span', { class: 'grow' }), reset, save), columns, matrix);

    // ---- what is shown ----
    function shown() {
        const words = view.filter.toLowerCase();
        const list = names().filter(n => !words || n.toLowerCase().includes(words));
        return [...list.filter(n => view.pins.has(n)), ...list.filter(n => !view.pins.has(n))];
    }

    function drawSteps() {
        steps.textContent = '';
        view.states.forEach((st, i) => {
            const loop = isLoop() && i >= doc.loop;
            const last = i === view.states.length - 1 && view.edited === 0 && bad && !isLoop();
            const args = st.arguments ? Object.entries(st.arguments).map(([k, v]) => `${k} = ${text(v)}`).join(', ') : '';
            const broken = st.violated?.length ? h('span', { class: 'badge bad' }, st.violated.join(', ')) : null;
            const li = h('li', { class: [loop ? 'loop' : '', loop && i === doc.loop ? 'begin' : '', last || st.violated?.length ? 'last-bad' : '', st.mine ? 'mine' : ''].join(' '),
                'aria-current': i === view.step ? 'step' : null },
                h('button', { type: 'button', onclick: () => go(i) }, h('span', { class: 'n' }, i + 1),
                    h('span', { class: 'what' }, t(st.label, 200), args && !st.label.includes('(') ? h('small', {}, t(args, 120)) : null,
                        st.place ? h('small', {}, `${st.place.module}:${st.place.line}`) : null, broken)));
            steps.append(li);
        });
        if (isLoop()) steps.append(h('li', { class: 'back' }, `↩ back to ${doc.loop + 1}`));
        if (doc.stuttering && view.edited === 0) steps.append(h('li', { class: 'back' }, '… nothing happens any more'));
        steps.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    }

    function drawState() {
        const now = view.states[view.step], before = view.step > 0 ? view.states[view.step - 1] : null;
        state.textContent = '';
        if (!now) {
            state.append(h('p', { class: 'sub' }, 'Choose an initial state on the left.'));
            return;
        }
        const body = h('tbody');
        for (const name of shown()) {
            const v = now.values[name], old = before?.values[name];
            const differs = before && !same(v, old);
            if (view.only && !differs && view.step > 0) continue;
            const pin = h('button', { type: 'button', class: 'pin', title: 'Keep on top', 'aria-label': 'Pin ' + plain(name), 'aria-pressed': view.pins.has(name) ? 'true' : 'false',
                onclick: () => { if (!view.pins.delete(name)) view.pins.add(name); draw(); } }, view.pins.has(name) ? '★' : '☆');
            body.append(h('tr', { class: differs ? 'changed' : '' }, h('th', { class: 'name', scope: 'row' }, pin, t(name)), h('td', {}, differs ? show(v, old) : show(v))));
        }
        for (const row of view.rows) {
            const v = row.values.get(now.id);
            body.append(h('tr', {}, h('th', { class: 'name', scope: 'row' }, h('button', { type: 'button', class: 'pin', 'aria-label': 'Remove', onclick: () => { view.rows.splice(view.rows.indexOf(row), 1); draw(); } }, '×'), t(row.expr)),
                h('td', {}, v === undefined ? '…' : v.error ? h('span', { class: 'error' }, t(v.error)) : show(v.value))));
        }
        state.append(h('h2', {}, `State ${view.step + 1}`, view.step > 0 ? ': what changed' : ''), h('table', { class: 'vars' }, body));
        if (!body.childElementCount) state.append(h('p', { class: 'sub' }, 'No variable is shown.'));
        mark(state);
    }

    function drawSource() {
        const place = view.states[view.step]?.place;
        const atEnd = view.step === view.states.length - 1 && view.edited === 0;
        const fail = atEnd ? PLACE.exec(reason) : null;
        const wrong = fail ? { line: +fail[1], column: +fail[2], end_line: +fail[3], end_column: +fail[4], module: fail[5] } : atEnd && doc.stack?.length ? doc.stack[doc.stack.length - 1] : null;
        source.textContent = '';
        const part = (what, where, cls) => {
            const mod = where && sources[where.module];
            if (!mod) return;
            source.append(h('h2', {}, what, ' ', t(where.module), ':', where.line), sourceLines(mod.text, where, cls));
        };
        if (wrong) part('What is false', wrong, 'bad');
        if (place) part('The action', place, 'fire');
        if (!source.childElementCount) {
            source.append(h('h2', {}, 'Source'), h('p', { class: 'sub' }, Object.keys(sources).length ? (view.step === 0 ? 'The initial state: no action led here.' : 'The place of this step is not known.')
                : 'The specification is not here: give it with --spec SPEC.tla.'));
        }
    }

    function drawMatrix() {
        matrix.textContent = '';
        const head = h('tr', {}, h('th', { scope: 'col' }, ''), view.states.map((st, i) => h('th', { scope: 'col', class: i === view.step ? 'at' : '' }, h('button', { type: 'button', onclick: () => go(i) }, i + 1), ' ', t(st.label, 40))));
        const rows = shown().map(name => h('tr', {}, h('th', { scope: 'row' }, t(name)), view.states.map((st, i) => {
            const differs = i > 0 && !same(st.values[name], view.states[i - 1].values[name]);
            if (view.only && i > 0 && !differs) return h('td', {});
            return h('td', { class: (differs ? 'changed ' : '') + (i === view.step ? 'at' : '') }, show(st.values[name]));
        })));
        const extra = view.rows.map(row => h('tr', {}, h('th', { scope: 'row' }, t(row.expr)), view.states.map(st => {
            const v = row.values.get(st.id);
            return h('td', {}, v === undefined ? '…' : v.error ? h('span', { class: 'error' }, t(v.error, 120)) : show(v.value));
        })));
        matrix.append(h('table', { class: 'matrix' }, h('thead', {}, head), h('tbody', {}, extra, rows)));
        mark(matrix);
    }

    // Marks what is searched for, in what is shown.
    function mark(where) {
        const words = view.find.toLowerCase();
        if (!words) return;
        const walker = document.createTreeWalker(where, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) if (walker.currentNode.data.toLowerCase().includes(words)) found.push(walker.currentNode);
        for (const node of found.slice(0, 500)) {
            const at = node.data.toLowerCase().indexOf(words);
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + words.length);
            range.surroundContents(h('mark'));
        }
    }

    function draw() {
        pressed(all_states, view.matrix);
        pressed(only, view.only);
        reset.hidden = view.edited === 0;
        columns.hidden = view.matrix;
        matrix.hidden = !view.matrix;
        if (view.matrix) drawMatrix();
        else { drawSteps(); drawState(); drawSource(); }
        link.set({ step: view.step + 1, matrix: view.matrix ? 1 : null });
    }

    // ---- moving ----
    function go(i) {
        view.step = Math.max(0, Math.min(view.states.length - 1, i));
        draw();
        successors();
    }

    function seek(direction) {
        const words = view.find.toLowerCase();
        const n = view.states.length;
        for (let k = direction === 0 ? 0 : 1; words && k <= n; k++) {
            const i = (view.step + (direction < 0 ? n - k : k)) % n;
            const st = view.states[i];
            if (st.label.toLowerCase().includes(words) || names().some(name => (name + ' = ' + text(st.values[name])).toLowerCase().includes(words))) {
                go(i);
                return;
            }
        }
        draw();
    }

    // ---- other steps ----
    let asked = 0;
    async function successors() {
        const st = view.states[view.step];
        const mine = ++asked;
        others.textContent = '';
        if (!canStep() || (st && st.id === undefined)) return;
        try {
            const answer = await ask(st ? { op: 'next', state: st.id } : { op: 'initial' });
            if (mine !== asked) return;
            const next = view.states[view.step + 1];
            others.append(h('h2', {}, st ? `Steps from ${view.step + 1}` : 'Initial states', ` (${answer.states.length}${answer.more ? '+' : ''})`));
            if (!answer.states.length) others.append(h('p', { class: 'sub' }, 'None: nothing can happen here.'));
            const list = h('ol', { class: 'steps', 'aria-label': 'Possible steps' });
            answer.states.forEach((o, k) => {
                const taken = next && st && o.id === next.id;
                const what = st ? doc.vars.filter(name => !same(o.values[name], st.values[name])).join(', ') : doc.vars.map(n => `${n} = ${text(o.values[n])}`).join('; ');
                list.append(h('li', { 'aria-current': taken ? 'step' : null }, h('button', { type: 'button', title: `Take this step (${k + 1})`, onclick: () => take(o) }, h('span', { class: 'n' }, k < 9 ? k + 1 : ''),
                    h('span', { class: 'what' }, t(o.label, 120), h('small', {}, t(what || 'changes nothing', 160)), o.outside ? h('span', { class: 'badge warn' }, 'outside of the constraints') : null,
                        o.violated?.length ? h('span', { class: 'badge bad' }, t(o.violated.join(', '))) : null))));
            });
            others.append(list);
            view.choices = answer.states;
        } catch (error) {
            others.append(h('p', { class: 'note' }, t(error.message)));
        }
    }

    function take(o) {
        const next = view.states[view.step + 1];
        if (next && next.id === o.id) {
            go(view.step + 1);
            return;
        }
        view.states = [...view.states.slice(0, view.states.length ? view.step + 1 : 0), { ...o, mine: true }];
        view.edited = 1;
        go(view.states.length - 1);
        for (const row of view.rows) fill(row);
    }

    // ---- expressions ----
    async function fill(row) {
        const ids = view.states.map(st => st.id).filter(id => id !== undefined && !row.values.has(id));
        if (!ids.length) return;
        try {
            const answer = await ask({ op: 'eval', expression: row.expr, states: ids });
            ids.forEach((id, i) => row.values.set(id, answer.values[i]));
        } catch (error) {
            ids.forEach(id => row.values.set(id, { error: error.message }));
        }
        draw();
    }

    function evaluate(words) {
        if (!words.trim()) return;
        const row = { expr: words.trim(), values: new Map() };
        view.rows.push(row);
        expr.value = '';
        draw();
        fill(row);
    }

    function itf() {
        const loop = isLoop() ? { loop: doc.loop } : {};
        return JSON.stringify({ '#meta': { format: 'ITF', source: doc.spec || '', description: 'Built in assay view' }, vars: doc.vars,
            states: view.states.map((st, i) => ({ '#meta': { index: i, action: st.label }, ...st.values })), ...loop }, null, 1);
    }

    const first = +(link.get('step') || 0);
    go(first > 0 ? first - 1 : doc.states.length && bad ? doc.states.length - 1 : 0);
    const key = {
        ArrowRight: () => go(view.step + 1), ArrowLeft: () => go(view.step - 1), j: () => go(view.step + 1), k: () => go(view.step - 1),
        Home: () => go(0), End: () => go(view.states.length - 1), '/': () => find.focus(), f: () => filter.focus(), e: () => expr.focus(),
        m: () => all_states.click(), c: () => only.click(), n: () => seek(1), N: () => seek(-1), s: () => save.click(),
        Backspace: () => { if (view.edited && view.states.length > 1) { view.states.pop(); go(view.states.length - 1); } },
    };
    for (let i = 1; i <= 9; i++) key[i] = () => view.choices?.[i - 1] && take(view.choices[i - 1]);
    find.addEventListener('keydown', event => { if (event.key === 'Enter') seek(event.shiftKey ? -1 : 1); });
    return { keys: key, help: [['← → or k j', 'step back, on'], ['Home End', 'first, last state'], ['m', 'all states beside each other'], ['c', 'only what changed'], ['/', 'search; Enter, n, N: next, previous'],
        ['f', 'filter variables'], ['e', 'an expression over all states'], ['1 … 9', 'take one of the possible steps'], ['Backspace', 'take a chosen step back'], ['s', 'save as ITF']] };
}

// Lines of a source around a place, which is marked.
export function sourceLines(text, place, cls, around = 3) {
    const lines = text.split('\n');
    const from = Math.max(1, place.line - around), to = Math.min(lines.length, place.end_line + around);
    const out = h('div', { class: 'source' });
    for (let n = from; n <= to; n++) {
        const on = n >= place.line && n <= place.end_line;
        const line = lines[n - 1].replace(/\r$/, '');
        const begin = n === place.line ? place.column : 1 + line.search(/\S|$/), end = n === place.end_line ? place.end_column : line.length;
        out.append(h('div', { class: 'l' }, h('span', { class: 'n' }, n), h('span', {}, sourceLine(line, on && end >= begin ? [{ from: begin, to: end, class: cls }] : []))));
    }
    return out;
}
