// Values of TLA+ as ITF has them: as text, and as elements that show what changed.
import { h, t, plain } from './dom.js';

export function kind(v) {
    if (Array.isArray(v)) return 'seq';
    if (v === null || v === undefined) return 'none';
    if (typeof v !== 'object') return typeof v;
    if ('#tup' in v) return 'seq';
    if ('#set' in v) return 'set';
    if ('#map' in v) return 'map';
    if ('#bigint' in v) return 'number';
    if ('#unserializable' in v) return 'other';
    return 'rec';
}

const items = v => (Array.isArray(v) ? v : v['#tup']);
export const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

function quoted(text) {
    return '"' + text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t') + '"';
}

// In one line, as TLA+.
export function text(v) {
    switch (kind(v)) {
        case 'seq': return '<<' + items(v).map(text).join(', ') + '>>';
        case 'set': return '{' + v['#set'].map(text).join(', ') + '}';
        case 'map': return v['#map'].length ? '(' + v['#map'].map(([k, x]) => text(k) + ' :> ' + text(x)).join(' @@ ') + ')' : '<<>>';
        case 'rec': return '[' + Object.entries(v).map(([k, x]) => k + ' |-> ' + text(x)).join(', ') + ']';
        case 'number': return typeof v === 'object' ? v['#bigint'] : String(v);
        case 'boolean': return v ? 'TRUE' : 'FALSE';
        case 'string': return quoted(v);
        case 'other': return String(v['#unserializable']);
        default: return '—';
    }
}

const p = x => h('span', { class: 'p' }, x);

function atom(v) {
    const k = kind(v);
    return h('span', { class: k === 'string' ? 's' : k === 'number' || k === 'boolean' ? 'i' : '' }, t(text(v)));
}

const SHORT = 64;
const MANY = 400; // elements that are shown at once

function short(v) {
    // Without making the whole text of something huge.
    let left = SHORT;
    const walk = x => {
        if (left < 0) return;
        const k = kind(x);
        if (k === 'seq') { left -= 4; for (const y of items(x)) { walk(y); if ((left -= 2) < 0) return; } }
        else if (k === 'set') { left -= 2; for (const y of x['#set']) { walk(y); if ((left -= 2) < 0) return; } }
        else if (k === 'map') { left -= 2; for (const [a, b] of x['#map']) { walk(a); walk(b); if ((left -= 8) < 0) return; } }
        else if (k === 'rec') { left -= 2; for (const [a, b] of Object.entries(x)) { left -= a.length + 7; walk(b); if (left < 0) return; } }
        else left -= k === 'string' ? x.length + 2 : text(x).length;
    };
    walk(v);
    return left >= 0;
}

// Parts between brackets, in one line or a line each.
function join(open, parts, close, blocks) {
    const e = h('span', {}, p(open));
    const shown = parts.slice(0, MANY);
    shown.forEach((part, i) => {
        const comma = i + 1 < parts.length ? p(', ') : null;
        e.append(blocks ? h('span', { class: 'block' }, part, comma) : h('span', {}, part, comma));
    });
    if (parts.length > MANY) e.append(p(`… ${parts.length - MANY} more `));
    e.append(p(close));
    return e;
}

const keyed = (k, sep, v) => h('span', {}, h('span', { class: 'k' }, k), p(sep), v);

function whole(v) {
    const blocks = !short(v);
    switch (kind(v)) {
        case 'seq': return join('<<', items(v).map(whole), '>>', blocks);
        case 'set': return join('{', v['#set'].map(whole), '}', blocks);
        case 'map': return v['#map'].length ? join('(', v['#map'].map(([k, x]) => keyed(whole(k), ' :> ', whole(x))), ')', blocks) : p('<<>>');
        case 'rec': return join('[', Object.entries(v).map(([k, x]) => keyed(t(k), ' |-> ', whole(x))), ']', blocks);
        default: return atom(v);
    }
}

const ins = x => h('ins', {}, x);
const del = x => h('del', {}, x);

// What both have stays as it is; what is new is inserted, what is gone deleted.
function changedSet(a, b) {
    const before = new Map(a.map(x => [JSON.stringify(x), x])), now = new Set(b.map(x => JSON.stringify(x)));
    const parts = b.map(x => (before.has(JSON.stringify(x)) ? whole(x) : ins(whole(x))));
    for (const [key, x] of before) if (!now.has(key)) parts.push(del(whole(x)));
    return parts;
}

function changedSeq(a, b) {
    let head = 0, tail = 0;
    while (head < a.length && head < b.length && same(a[head], b[head])) head++;
    while (tail < a.length - head && tail < b.length - head && same(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++;
    const parts = b.slice(0, head).map(whole);
    const gone = a.slice(head, a.length - tail), come = b.slice(head, b.length - tail);
    if (gone.length === come.length) {
        come.forEach((x, i) => parts.push(changed(gone[i], x)));
    } else {
        gone.forEach(x => parts.push(del(whole(x))));
        come.forEach(x => parts.push(ins(whole(x))));
    }
    return parts.concat(b.slice(b.length - tail).map(whole));
}

function changedPairs(a, b, sep, key) {
    const before = new Map(a.map(([k, x]) => [JSON.stringify(k), x]));
    const parts = b.map(([k, x]) => {
        const name = JSON.stringify(k);
        const part = before.has(name) ? keyed(key(k), sep, changed(before.get(name), x)) : ins(keyed(key(k), sep, whole(x)));
        before.delete(name);
        return part;
    });
    for (const [k, x] of a) if (before.has(JSON.stringify(k))) parts.push(del(keyed(key(k), sep, whole(x))));
    return parts;
}

function changed(a, b) {
    if (same(a, b)) return whole(b);
    const k = kind(b), blocks = !short(b) || !short(a);
    if (k === kind(a)) {
        if (k === 'set') return join('{', changedSet(a['#set'], b['#set']), '}', blocks);
        if (k === 'seq') return join('<<', changedSeq(items(a), items(b)), '>>', blocks);
        if (k === 'map') return join('(', changedPairs(a['#map'], b['#map'], ' :> ', whole), ')', blocks);
        if (k === 'rec') return join('[', changedPairs(Object.entries(a), Object.entries(b), ' |-> ', t), ']', blocks);
    }
    return h('span', {}, del(whole(a)), ' ', ins(whole(b)));
}

// A value, or what changed since `before` (undefined: there was none).
export function show(v, before) {
    return h('div', { class: 'val' }, v === undefined ? p('(no value)') : before === undefined ? whole(v) : changed(before, v));
}

// A line of a source with its parts marked: [{from, to, class}], columns from 1 on, both inclusive.
export function sourceLine(line, marks) {
    const out = [];
    const comment = line.search(/\\\*/);
    let at = 1;
    const piece = (from, to, cls) => {
        const part = line.slice(from - 1, to);
        if (part) out.push(h('span', { class: cls }, plain(part)));
    };
    for (const m of [...marks].sort((x, y) => x.from - y.from)) {
        if (m.from < at) continue;
        piece(at, m.from - 1, '');
        piece(m.from, m.to, m.class);
        at = m.to + 1;
    }
    if (marks.length === 0 && comment >= 0) {
        piece(1, comment, '');
        piece(comment + 1, line.length, 'com');
    } else {
        piece(at, line.length, !marks.length && /^[A-Za-z_]\w*(\(.*\))?\s*==/.test(line) ? '' : '');
    }
    return out;
}
