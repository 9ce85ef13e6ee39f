// The run of a cluster: nodes as lanes, time downwards, messages as lines from where they were sent to where they arrived. Only what is
// in sight is drawn, so that a run of many thousand events scrolls like a short one.
import { h, t, count, link, css, command, quote, plain } from './dom.js';

const ROW = 22; // pixels from one event to the next
const HEAD = 30; // the names of the lanes
const BLOCK = 256;
const PACKETS = new Set(['deliver', 'drop', 'duplicate']);
const DOWN = new Set(['kill', 'crash', 'kill-one']), UP = new Set(['start', 'restart']);
const PAIR = /^(cut|slow|lossy|narrow|reset)$/;

// Rows to events with the numbers of their lanes; messages as a mapping has decoded them.
export function runModel(doc, messages) {
    const nodes = [], number = new Map();
    const lane = name => {
        if (!number.has(name)) { number.set(name, nodes.length); nodes.push(name); }
        return number.get(name);
    };
    for (const name of Object.keys(doc.logs || {})) lane(name);
    for (const row of doc.events) {
        const [verb, who] = row[2].split(' ', 2);
        if (UP.has(verb) && who) lane(who);
        else if (row[3]) { lane(row[3]); lane(row[4]); }
    }
    // Servers, then clients; n2 before n10.
    const order = nodes.map((name, i) => i).sort((a, b) => (/^c\d*$/.test(nodes[a]) - /^c\d*$/.test(nodes[b])) || nodes[a].localeCompare(nodes[b], 'en', { numeric: true }));
    const names = order.map(i => nodes[i]);
    names.forEach((name, i) => number.set(name, i));
    const events = doc.events.map((row, i) => {
        const words = row[2].split(' ');
        const e = { i, n: row[0], time: row[1], text: row[2], verb: words[0], packet: PACKETS.has(words[0]) && row[3] !== undefined };
        if (e.packet) {
            Object.assign(e, { from: number.get(row[3]), to: number.get(row[4]), what: row[5], bytes: row[6], data: row[7], sent: row[8] });
            e.type = e.verb === 'drop' ? 'fault' : row[5] === 'DATA' || row[5] === 'UDP' ? 'data' : 'shake';
        } else {
            e.lanes = words.slice(1).map(w => number.get(w)).filter(x => x !== undefined);
            e.type = e.verb === 'timer' || e.verb === 'wait' || e.verb === 'advance' ? 'timer' : UP.has(e.verb) && !/^restart/.test(e.verb) ? 'life' : PACKETS.has(e.verb) ? 'data' : 'fault';
        }
        return e;
    });
    // What is observed: of each variable the events at which it changed, and to what.
    const observed = new Map();
    for (const [i, values] of doc.observed || []) {
        for (const [name, text] of Object.entries(values)) {
            if (!observed.has(name)) observed.set(name, []);
            observed.get(name).push([i, text]);
        }
    }
    for (const [i, value] of messages?.texts || []) if (events[i]) events[i].value = value;
    return { names, events, doc, observed };
}

// What was last observed at an event: [variable, value, whether it is new here, the value before].
export function observedAt(model, i) {
    return [...model.observed].map(([name, changes]) => {
        let a = 0, b = changes.length;
        while (a < b) { const m = (a + b) >> 1; if (changes[m][0] <= i) a = m + 1; else b = m; }
        return a ? [name, changes[a - 1][1], changes[a - 1][0] === i, a > 1 ? changes[a - 2][1] : ''] : null;
    }).filter(x => x);
}

// Bytes as they were written: hexadecimal digits, or the text of events.txt.
export function payload(e) {
    if (!e.data) return '';
    if (e.data[0] === '"') return e.data;
    let out = '';
    for (let i = 0; i + 1 < e.data.length; i += 2) {
        const c = parseInt(e.data.slice(i, i + 2), 16);
        out += c >= 32 && c < 127 ? String.fromCharCode(c) : '·';
    }
    return out + (e.bytes * 2 > e.data.length ? ' …' : '');
}

// What fits beside an arrow: of a value its strings, then what else it has; of bytes their letters.
function brief(e, most) {
    if (!e.value) return payload(e).replace(/\\x[0-9a-f]{2}/g, '·').match(/[^·"]{3,}/g)?.join(' ').slice(0, 20) ?? `${e.bytes} bytes`;
    const strings = [], others = [];
    for (const m of e.value.matchAll(/"([^"]*)"|(\w+) \|-> (-?\w+)|(-?\b\w+\b)(?! \|->)/g)) {
        if (m[1] !== undefined) strings.push(m[1]);
        else others.push(m[2] ? `${m[2]}=${m[3]}` : m[4]);
    }
    return [...strings, ...others].join(' ').slice(0, most);
}

function seconds(x) {
    return x.toFixed(6) + ' s';
}

// The canvas of one run. `on` is told what is chosen and hovered over.
function diagram(model, on) {
    const box = h('div', { class: 'space', tabindex: 0, role: 'application', 'aria-label': `Space-time diagram of ${model.doc.file}: ${model.names.length} nodes, ${model.events.length} events; arrow keys move` });
    const canvas = h('canvas', { 'aria-hidden': 'true' });
    const spacer = h('div', {});
    box.append(canvas, spacer);
    const d = { box, model, list: [], at: -1, frames: 0, took: [], spacer, canvas, hide: new Set(['shake', 'timer']), differ: -1 };
    const ctx = canvas.getContext('2d');
    let wide = 0, high = 0, colors = {}, queued = false, low = [];
    const y = row => HEAD + row * ROW + ROW / 2;

    // Which events have a row; where a message was sent is between the rows of that time.
    d.filter = () => {
        d.list = model.events.filter(e => !d.hide.has(e.type));
        d.row = new Map(d.list.map((e, k) => [e.i, k]));
        low = [];
        const times = d.list.map(e => e.time);
        d.list.forEach((e, k) => {
            e.begin = k;
            if (e.packet && e.sent !== undefined) {
                let a = 0, b = k;
                while (a < b) { const m = (a + b) >> 1; if (times[m] <= e.sent) a = m + 1; else b = m; }
                const after = a - 1, gap = after >= 0 && after + 1 < times.length ? times[after + 1] - times[after] : 0;
                e.begin = after + (gap > 0 ? Math.min(.9, (e.sent - times[after]) / gap * .9) : 0);
            } else if (e.packet) {
                e.begin = k - .55; // it is not known when it was sent
            }
            const block = Math.floor(k / BLOCK);
            low[block] = Math.min(low[block] ?? k, e.begin);
        });
        spacer.style.height = HEAD + d.list.length * ROW + 20 + 'px';
        life();
        d.redraw();
    };

    // When nodes were down or stood still, in rows.
    function life() {
        d.spans = model.names.map(() => []);
        const since = model.names.map(() => null);
        let row = 0;
        const close = (k, at) => { if (since[k]) { d.spans[k].push({ ...since[k], to: at }); since[k] = null; } };
        for (const e of model.events) {
            if (d.row.has(e.i)) row = d.row.get(e.i);
            if (e.packet || !e.lanes?.length) continue;
            const k = e.lanes[0];
            if (DOWN.has(e.verb)) { close(k, row); since[k] = { from: row, kind: 'down' }; }
            else if (e.verb === 'pause') { close(k, row); since[k] = { from: row, kind: 'still' }; }
            else if (UP.has(e.verb) || e.verb === 'resume') close(k, row);
        }
        since.forEach((x, k) => close(k, d.list.length));
    }

    d.x = lane => {
        const n = model.names.length, gap = Math.max(46, (wide - 40) / n);
        return 30 + gap * (lane + .5) - (gap > 46 ? 10 : 0);
    };

    function measure() {
        const ratio = devicePixelRatio || 1;
        wide = Math.max(box.clientWidth, 46 * model.names.length + 40);
        high = box.clientHeight;
        canvas.width = wide * ratio;
        canvas.height = high * ratio;
        canvas.style.width = wide + 'px';
        canvas.style.height = high + 'px';
        canvas.style.marginBottom = -high + 'px';
        for (const name of ['bg', 'panel', 'text', 'dim', 'line', 'lane', 'msg', 'faint', 'bad', 'warn', 'good', 'accent', 'accent-soft', 'bad-soft']) colors[name] = css('--' + name);
        ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    }

    function lanes(top) {
        model.names.forEach((name, k) => {
            const x = d.x(k);
            ctx.strokeStyle = colors.lane;
            ctx.lineWidth = 1.5;
            ctx.beginPath();
            ctx.moveTo(x, HEAD);
            ctx.lineTo(x, high);
            ctx.stroke();
            for (const span of d.spans[k]) {
                const a = Math.max(HEAD, y(span.from) - top), b = Math.min(high, y(span.to) - top);
                if (b <= HEAD || a >= high) continue;
                ctx.fillStyle = colors.bg;
                ctx.fillRect(x - 4, a, 8, b - a);
                ctx.strokeStyle = span.kind === 'down' ? colors.bad : colors.warn;
                ctx.setLineDash(span.kind === 'down' ? [2, 5] : [7, 4]);
                ctx.beginPath();
                ctx.moveTo(x, a);
                ctx.lineTo(x, b);
                ctx.stroke();
                ctx.setLineDash([]);
            }
        });
    }

    function arrow(e, k, top) {
        const x1 = d.x(e.from), x2 = d.x(e.to), y1 = y(e.begin) - top, y2 = y(k) - top, dropped = e.verb === 'drop';
        const chosen = e.i === d.at;
        ctx.strokeStyle = ctx.fillStyle = chosen ? colors.accent : dropped ? colors.bad : e.type === 'shake' ? colors.faint : e.verb === 'duplicate' ? colors.warn : colors.msg;
        ctx.lineWidth = chosen ? 2.5 : 1.2;
        if (e.sent === undefined || dropped) ctx.setLineDash([4, 3]);
        ctx.beginPath();
        ctx.moveTo(x1, y1);
        ctx.lineTo(dropped ? (x1 + x2) / 2 : x2, dropped ? (y1 + y2) / 2 : y2);
        ctx.stroke();
        ctx.setLineDash([]);
        if (dropped) {
            ctx.font = '13px system-ui, sans-serif';
            ctx.fillText('✕', (x1 + x2) / 2 - 5, (y1 + y2) / 2 + 5);
            return;
        }
        const angle = Math.atan2(y2 - y1, x2 - x1);
        ctx.beginPath();
        ctx.moveTo(x2, y2);
        ctx.lineTo(x2 - 7 * Math.cos(angle - .4), y2 - 7 * Math.sin(angle - .4));
        ctx.lineTo(x2 - 7 * Math.cos(angle + .4), y2 - 7 * Math.sin(angle + .4));
        ctx.fill();
        if (chosen || (e.type === 'data' && Math.abs(x2 - x1) > 150)) {
            const label = brief(e, Math.max(12, Math.abs(x2 - x1) / 8));
            ctx.font = '10px ui-monospace, "DejaVu Sans Mono", monospace';
            ctx.fillStyle = chosen ? colors.accent : colors.dim;
            if (label.trim()) ctx.fillText(plain(label), (x1 + x2) / 2 - 36, (y1 + y2) / 2 - 3);
        }
    }

    function happening(e, k, top) {
        const at = y(k) - top;
        const color = e.i === d.at ? colors.accent : e.type === 'fault' ? (/^(heal|resume|restart)/.test(e.verb) ? colors.good : colors.bad) : e.type === 'timer' ? colors.dim : colors.good;
        ctx.fillStyle = ctx.strokeStyle = color;
        ctx.font = '11px system-ui, sans-serif';
        const on = e.lanes || [];
        if (!on.length || (PAIR.test(e.verb) && on.length > 1) || /^(partition|split|heal)$/.test(e.verb)) {
            const xs = on.length ? on.map(d.x) : [d.x(0), d.x(model.names.length - 1)];
            ctx.setLineDash([2, 3]);
            ctx.beginPath();
            ctx.moveTo(Math.min(...xs), at);
            ctx.lineTo(Math.max(...xs), at);
            ctx.stroke();
            ctx.setLineDash([]);
            ctx.fillText(plain(e.text.slice(0, 60)), Math.min(...xs) + 8, at - 3);
            return;
        }
        const x = d.x(on[0]);
        ctx.beginPath();
        if (e.type === 'fault') ctx.rect(x - 4, at - 4, 8, 8);
        else ctx.arc(x, at, e.type === 'timer' ? 2.5 : 4, 0, 7);
        ctx.fill();
        if (e.type !== 'timer' || e.i === d.at) ctx.fillText(plain(e.text.replace(model.names[on[0]], '').replace(/ +/g, ' ').slice(0, 40)), x + 8, at + 4);
    }

    function draw() {
        queued = false;
        if (!box.isConnected) return;
        const start = performance.now();
        if (canvas.width === 0 || high !== box.clientHeight) measure();
        const top = box.scrollTop;
        ctx.fillStyle = colors.bg;
        ctx.fillRect(0, 0, wide, high);
        const first = Math.max(0, Math.floor((top - HEAD) / ROW) - 1), last = Math.min(d.list.length - 1, Math.ceil((top + high) / ROW));
        const chosen = d.row.get(d.at), differ = d.row.get(d.differ);
        for (const [row, color] of [[differ, 'bad-soft'], [chosen, 'accent-soft']]) {
            if (row !== undefined) { ctx.fillStyle = colors[color]; ctx.fillRect(0, y(row) - top - ROW / 2, wide, ROW); }
        }
        lanes(top);
        ctx.font = '10px system-ui, sans-serif';
        for (let k = first; k <= last; k++) {
            const e = d.list[k];
            ctx.fillStyle = colors.dim;
            if (k % 4 === 0) ctx.fillText(e.time.toFixed(3), 3, y(k) - top + 3);
            if (!e.packet) happening(e, k, top);
        }
        for (let block = Math.floor(first / BLOCK); block * BLOCK < d.list.length; block++) {
            if (low[block] > last) continue;
            for (let k = Math.max(first, block * BLOCK); k < Math.min(d.list.length, (block + 1) * BLOCK); k++) {
                const e = d.list[k];
                if (e.packet && e.begin <= last + 1) arrow(e, k, top);
            }
            if (block * BLOCK > last && low.slice(block + 1).every(x => x > last)) break;
        }
        ctx.fillStyle = colors.panel;
        ctx.fillRect(0, 0, wide, HEAD);
        ctx.fillStyle = colors.line;
        ctx.fillRect(0, HEAD - 1, wide, 1);
        ctx.fillStyle = colors.text;
        ctx.font = '600 12px system-ui, sans-serif';
        ctx.textAlign = 'center';
        model.names.forEach((name, k) => ctx.fillText(plain(name).slice(0, 14), d.x(k), 19));
        ctx.textAlign = 'start';
        d.frames++;
        d.took.push(performance.now() - start);
        if (d.took.length > 200) d.took.shift();
        on.drawn?.(d);
    }
    d.redraw = () => { if (!queued) { queued = true; requestAnimationFrame(draw); } };
    d.resize = () => { measure(); d.redraw(); };
    d.choose = (i, center) => {
        d.at = i;
        let row = d.row.get(i);
        if (row === undefined && i >= 0 && model.events[i]) {
            d.hide.delete(model.events[i].type);
            d.filter();
            row = d.row.get(i);
            on.filters?.(d);
        }
        if (row !== undefined) {
            const where = y(row), top = box.scrollTop;
            if (center || where < top + HEAD + ROW || where > top + box.clientHeight - ROW) box.scrollTop = where - box.clientHeight / 2;
        }
        d.redraw();
    };
    d.move = by => {
        const row = d.row.get(d.at);
        const next = row === undefined ? Math.max(0, Math.floor((box.scrollTop + HEAD) / ROW)) : Math.max(0, Math.min(d.list.length - 1, row + by));
        if (d.list[next]) on.chosen(d, d.list[next].i);
    };
    const under = event => {
        const rect = canvas.getBoundingClientRect();
        const px = event.clientX - rect.left, py = event.clientY - rect.top + box.scrollTop;
        const row = Math.round((py - HEAD - ROW / 2) / ROW);
        let best = null, far = 14;
        for (let k = Math.max(0, row - 1); k < Math.min(d.list.length, row + 60); k++) {
            const e = d.list[k];
            let distance = 1e9;
            if (e.packet) {
                const x1 = d.x(e.from), y1 = y(e.begin), dx = d.x(e.to) - x1, dy = y(k) - y1;
                const u = Math.max(0, Math.min(1, ((px - x1) * dx + (py - y1) * dy) / (dx * dx + dy * dy || 1)));
                distance = Math.hypot(px - x1 - u * dx, py - y1 - u * dy);
            } else if (k === row) {
                distance = e.lanes?.length ? Math.max(0, Math.abs(px - d.x(e.lanes[0])) - 40) : 5;
            }
            if (distance < far) { far = distance; best = e; }
        }
        return best ?? (row >= 0 && row < d.list.length ? d.list[row] : null);
    };
    box.addEventListener('scroll', d.redraw, { passive: true });
    canvas.addEventListener('click', event => { const e = under(event); if (e) on.chosen(d, e.i); });
    canvas.addEventListener('mousemove', event => on.hover(d, under(event), event));
    canvas.addEventListener('mouseleave', () => on.hover(d, null));
    new ResizeObserver(d.resize).observe(box);
    return d;
}

// Where two runs are different first: another event, or another time.
export function firstDifference(a, b) {
    const n = Math.min(a.events.length, b.events.length);
    for (let i = 0; i < n; i++) {
        if (JSON.stringify(a.doc.events[i].slice(2)) !== JSON.stringify(b.doc.events[i].slice(2)) || a.events[i].time !== b.events[i].time) return i;
    }
    return a.events.length === b.events.length ? -1 : n;
}

export function runPage(doc, all, root) {
    const messages = d => all.find(m => m.kind === 'messages' && m.of === d.index);
    const model = runModel(doc, messages(doc));
    const runs = all.filter(d => d.kind === 'run' && d !== doc);
    const tip = h('div', { class: 'tip', hidden: true });
    const side = h('aside', { class: 'side', 'aria-label': 'The chosen event' });
    const map = h('canvas', { class: 'map', title: 'The whole run', 'aria-hidden': 'true' });
    const grid = h('div', { class: 'run' });
    const find = h('input', { type: 'search', placeholder: 'Search (/)', 'aria-label': 'Search in events, messages and logs' });
    let other = null, at = -1, main = null;
    const on = {
        chosen: (d, i) => choose(i, false),
        hover: (d, e, event) => {
            tip.hidden = !e;
            if (!e) return;
            tip.textContent = '';
            tip.append(h('b', {}, `${e.n} · ${seconds(e.time)} `), t(describe(d.model, e), 160), e.packet && payload(e) ? h('div', { class: 'mono' }, t(payload(e), 120)) : '');
            tip.style.left = Math.min(event.clientX + 14, innerWidth - 260) + 'px';
            tip.style.top = Math.min(event.clientY + 16, innerHeight - 70) + 'px';
        },
        drawn: d => { if (d === main) drawMap(); },
        filters: () => drawFilters(),
    };
    main = diagram(model, on);
    const filters = h('span', { class: 'bar' });
    filters.style.padding = '0';
    function drawFilters() {
        filters.textContent = '';
        for (const [type, name] of [['data', 'messages'], ['shake', 'connections'], ['fault', 'faults'], ['timer', 'timers'], ['life', 'starts']]) {
            const n = model.events.filter(e => e.type === type).length;
            if (!n) continue;
            filters.append(h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: !main.hide.has(type), onchange: event => {
                for (const d of [main, other]) if (d) { if (event.target.checked) d.hide.delete(type); else d.hide.add(type); d.filter(); }
                if (at >= 0 && main.row.has(at)) main.choose(at, true);
            } }), `${name} ${count(n)}`));
        }
    }
    const pair = h('select', { 'aria-label': 'Beside another run', onchange: () => beside(pair.value === '' ? null : all[+pair.value]) },
        h('option', { value: '' }, 'beside …'), runs.map(r => h('option', { value: r.index }, plain(r.file))));
    const bad = doc.outcome && doc.outcome.trim();
    root.append(
        h('div', { class: 'headline' }, h('h1', {}, 'Run of ', t((doc.cluster || doc.file || '').split('/').pop())),
            doc.outcome !== undefined ? h('span', { class: 'badge ' + (bad ? 'bad' : 'good') }, bad ? t(doc.outcome, 120) : 'nothing wrong') : null,
            h('span', { class: 'sub' }, `${count(model.events.length)} events, ${model.names.length} nodes, ${model.events.length ? seconds(model.events[model.events.length - 1].time) : ''}`, doc.seed ? ` · seed ${doc.seed}` : '', ' · ', t(doc.file))),
        h('div', { class: 'bar' }, find, filters, h('span', { class: 'grow' }), runs.length ? pair : null), grid, tip);
    if (!model.events.some(e => e.packet)) root.insertBefore(h('p', { class: 'note' }, 'A recording has the choices, not the messages. Its directory, with events.txt or events.jsonl, shows more.'), grid);
    else if (!model.events.some(e => e.sent !== undefined)) root.insertBefore(h('p', { class: 'note' }, 'When messages were sent is in events.jsonl only: ', h('code', {}, `assay replay ${quote(doc.replay || 'DIR/replay')} --jsonl -o DIR`), '. Here the lines are dashed and begin just before they arrive.'), grid);
    layout();

    function layout() {
        grid.textContent = '';
        grid.classList.toggle('pair', !!other);
        grid.append(map, main.box, other ? other.box : '', side);
    }

    function describe(m, e) {
        return e.packet ? `${e.verb} ${m.names[e.from]} → ${m.names[e.to]} ${e.what}${e.bytes ? ', ' + e.bytes + ' bytes' : ''}` : e.text;
    }

    function beside(second) {
        other = second ? diagram(runModel(second, messages(second)), { ...on, chosen: (d, i) => choose(i, false), drawn: null }) : null;
        layout();
        if (!other) { main.differ = -1; main.redraw(); link.set({ with: null }); return; }
        other.hide = new Set(main.hide);
        other.filter();
        const where = firstDifference(model, other.model);
        main.differ = other.differ = where;
        link.set({ with: second.index });
        choose(where >= 0 ? Math.min(where, model.events.length - 1) : 0, true);
    }

    function choose(i, center) {
        at = i;
        main.choose(i, center);
        other?.choose(Math.min(i, other.model.events.length - 1), true);
        drawSide();
        link.set({ step: i >= 0 ? model.events[i].n : null });
    }

    function facts(m, e) {
        const rows = [['event', count(e.n)], ['time', seconds(e.time)], ['what', t(describe(m, e))]];
        if (e.sent !== undefined) rows.push(['sent at', `${seconds(e.sent)} (${((e.time - e.sent) * 1000).toFixed(3)} ms before)`]);
        return h('dl', { class: 'facts' }, rows.map(([k, v]) => [h('dt', {}, k), h('dd', {}, v)]));
    }

    function observedTable(m, i) {
        const rows = observedAt(m, i);
        return rows.length ? [h('h2', {}, 'Observed'), h('table', { class: 'plain observed' }, h('tbody', {}, rows.map(([name, value, fresh, before]) =>
            h('tr', { class: fresh ? 'changed' : '' }, h('th', { class: 'mono' }, t(name)), h('td', { class: 'val' }, fresh && before ? changedParts(before, value) : t(value, 400))))))] : [];
    }

    // The parts of a function that are new: "[n1 |-> 1, n2 |-> 2]" by its commas.
    function changedParts(before, value) {
        const old = new Set(before.slice(1, -1).split(', '));
        return value.split(', ').map((part, k) => [k ? ', ' : '', old.has(part.replace(/^\[|\]$/g, '')) ? t(part, 400) : h('ins', {}, t(part, 400))]);
    }

    function logLines(m, time) {
        const lines = Object.entries(m.doc.logs || {}).flatMap(([node, list]) => list.map(([when, what]) => ({ node, when, what })));
        lines.sort((a, b) => (a.when ?? 0) - (b.when ?? 0));
        let upto = lines.findIndex(line => (line.when ?? 0) > time);
        upto = upto < 0 ? lines.length : upto;
        const near = lines.slice(Math.max(0, upto - 12), upto + 6);
        const rows = near.map(line => h('div', { class: lines.indexOf(line) === upto - 1 ? 'now' : '' }, h('span', { class: 't' }, line.when === null ? '' : line.when.toFixed(6)), h('span', {}, h('b', {}, t(line.node), ' '), t(line.what, 300))));
        return lines.length ? [h('h2', {}, `Printed (${count(lines.length)} lines)`), h('div', { class: 'log' }, rows)] : [];
    }

    function drawSide() {
        side.textContent = '';
        const e = model.events[at];
        if (!e) { side.append(h('p', { class: 'sub' }, 'Choose an event: click, or ↓.')); return; }
        if (other && main.differ >= 0) {
            const o = other.model.events[at];
            side.append(h('p', { class: 'note' }, main.differ === at ? 'Here the two runs are different first.' : `They are different first at event ${count(main.differ + 1)}.`), h('h2', {}, 'This run'), facts(model, e), h('h2', {}, 'The other'), o ? facts(other.model, o) : 'It has ended.');
        } else {
            if (other) side.append(h('p', { class: 'note' }, 'The two runs are the same.'));
            side.append(facts(model, e));
        }
        if (e.value) side.append(h('h2', {}, 'Message'), h('pre', {}, t(e.value, 4000)));
        if (e.packet && e.data) side.append(h('h2', {}, `Bytes${e.bytes * 2 > e.data.length && e.data[0] !== '"' ? ' (the first)' : ''}`), h('pre', {}, t(payload(e), 2000)));
        side.append(...observedTable(model, at));
        const file = doc.replay || (doc.file ? doc.file.replace(/\/(events\.(txt|jsonl)|replay)$/, '') + '/replay' : 'replay');
        const node = e.packet ? model.names[e.to] : e.lanes?.length ? model.names[e.lanes[0]] : null;
        side.append(h('h2', {}, 'Replay to here'), command(`assay replay ${quote(file)} --until ${e.n}`), node ? command(`assay replay ${quote(file)} --until ${e.n} --gdb ${quote(node)}`) : '');
        side.append(...logLines(model, e.time));
    }

    // The whole run in one strip: where much happened, and faults.
    let painted = '';
    function drawMap() {
        const high = map.clientHeight, wide = map.clientWidth, ratio = devicePixelRatio || 1;
        const top = main.box.scrollTop, all_high = main.spacer.offsetHeight || 1;
        const key = [high, wide, top, all_high, at].join();
        if (!high || key === painted) return;
        painted = key;
        map.width = wide * ratio;
        map.height = high * ratio;
        const c = map.getContext('2d');
        c.setTransform(ratio, 0, 0, ratio, 0, 0);
        c.fillStyle = css('--panel');
        c.fillRect(0, 0, wide, high);
        const n = main.list.length || 1, bins = new Float64Array(Math.max(1, high | 0));
        main.list.forEach((e, k) => { if (e.packet) bins[Math.min(bins.length - 1, (k / n * bins.length) | 0)] += e.bytes || 1; });
        const most = Math.max(...bins, 1);
        c.fillStyle = css('--msg');
        bins.forEach((v, i) => c.fillRect(0, i, Math.log1p(v) / Math.log1p(most) * wide * .7, 1));
        c.fillStyle = css('--bad');
        main.list.forEach((e, k) => { if (e.type === 'fault') c.fillRect(wide - 8, k / n * high, 8, 2); });
        c.fillStyle = css('--accent');
        if (main.row.has(at)) c.fillRect(0, main.row.get(at) / n * high - 1, wide, 2);
        c.globalAlpha = .22;
        c.fillRect(0, top / all_high * high, wide, Math.max(4, main.box.clientHeight / all_high * high));
    }
    const jump = event => {
        const rect = map.getBoundingClientRect();
        main.box.scrollTop = (event.clientY - rect.top) / rect.height * main.spacer.offsetHeight - main.box.clientHeight / 2;
    };
    map.addEventListener('click', jump);
    map.addEventListener('mousemove', event => { if (event.buttons) jump(event); });

    function seek(direction) {
        const words = find.value.toLowerCase();
        const n = model.events.length;
        const start = at < 0 ? (direction < 0 ? 0 : n - 1) : at;
        for (let k = 1; words && k <= n; k++) {
            const i = (start + direction * k + n * 2) % n, e = model.events[i];
            if (e.text.toLowerCase().includes(words) || describe(model, e).toLowerCase().includes(words) || payload(e).toLowerCase().includes(words) || (e.value || '').toLowerCase().includes(words)) { choose(i, true); return; }
        }
        const log = Object.values(doc.logs || {}).flat().find(([, what]) => words && what.toLowerCase().includes(words));
        if (log && log[0] !== null) { const i = model.events.findIndex(e => e.time >= log[0]); choose(i < 0 ? n - 1 : i, true); }
    }
    const fault = direction => {
        for (let i = at + direction; i >= 0 && i < model.events.length; i += direction) if (model.events[i].type === 'fault') { choose(i, true); return; }
    };
    find.addEventListener('keydown', event => { if (event.key === 'Enter') seek(event.shiftKey ? -1 : 1); });
    main.filter();
    if (!main.list.length) { main.hide.clear(); main.filter(); }
    drawFilters();
    drawSide();
    requestAnimationFrame(() => {
        const wanted = +(link.get('step') || 0), second = link.get('with');
        main.resize();
        if (second !== null && all[+second]?.kind === 'run') { pair.value = second; beside(all[+second]); }
        if (wanted) { const i = model.events.findIndex(e => e.n === wanted); if (i >= 0) choose(i, true); }
    });
    globalThis.assayRun = main; // for tests: frames that were drawn, and how long each took
    const d = () => main;
    return {
        keys: {
            ArrowDown: () => d().move(1), ArrowUp: () => d().move(-1), j: () => d().move(1), k: () => d().move(-1), PageDown: () => d().move(20), PageUp: () => d().move(-20),
            Home: () => choose(0, true), End: () => choose(model.events.length - 1, true), '/': () => find.focus(), n: () => seek(1), N: () => seek(-1), x: () => fault(1), X: () => fault(-1),
            d: () => { if (main.differ >= 0) choose(Math.min(main.differ, model.events.length - 1), true); },
        },
        help: [['↑ ↓ or k j', 'event before, next'], ['PageUp PageDown', 'twenty of them'], ['Home End', 'first, last event'], ['/', 'search in events, messages and logs; Enter, n, N: next, previous'], ['x X', 'next, previous fault'], ['d', 'the first difference of two runs']],
        redraw: () => { painted = ''; main.resize(); other?.resize(); },
    };
}
