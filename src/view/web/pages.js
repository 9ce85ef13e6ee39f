// The other pages: differences, histories, graphs, coverage, statistics, reports.
import { h, s, t, count, css, command, quote, plain, link, ask, server } from './dom.js';
import { sourceLine } from './value.js';

const head = (title, file, ...more) => h('div', { class: 'headline' }, h('h1', {}, title), more, h('span', { class: 'sub' }, t(file || '')));

// ---- what is different between a specification and its programs ----

// Both sides of a finding's text: lines "  specification: X" and "  implementation: Y", under what they are about.
function sides(text) {
    const rows = [], rest = [];
    let about = '';
    let row = null;
    for (const line of text.split('\n')) {
        const m = /^\s*(specification|implementation):\s?(.*)$/.exec(line);
        if (m) {
            if (m[1] === 'specification') { row = { about, specification: m[2], implementation: '' }; rows.push(row); }
            else if (row) row.implementation = m[2];
            else rest.push(line);
        } else {
            if (row && row.implementation === '' && /^\s{8,}/.test(line)) { row.specification += '\n' + line.trim(); continue; }
            if (about && !row) rest.push(about);
            about = line.trim();
            row = null;
        }
    }
    if (about && !row) rest.push(about);
    return { rows, rest: rest.filter(x => x) };
}

// Where two texts differ, marked.
function marked(a, b, tag) {
    let from = 0, end = 0;
    while (from < a.length && from < b.length && a[from] === b[from]) from++;
    while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
    return h('div', { class: 'val' }, t(a.slice(0, from), 3000), a.length - end > from ? h(tag, {}, t(a.slice(from, a.length - end), 3000)) : null, t(a.slice(a.length - end), 3000));
}

export function differencePage(doc, all, root) {
    const findings = doc.findings || [];
    root.append(head(findings.length ? `${findings.length} finding${findings.length > 1 ? 's' : ''}` : 'No difference', doc.file,
        doc.verdict ? h('span', { class: 'badge ' + (/^(ok|confirmed|agrees)/.test(doc.verdict) ? 'good' : 'bad') }, t(doc.verdict)) : null,
        doc.walks !== undefined ? h('span', { class: 'sub' }, `${count(doc.walks)} walks, ${count(doc.steps || 0)} steps`) : null));
    const body = h('div', { class: 'scroll', tabindex: 0 });
    root.append(body);
    findings.forEach((f, i) => body.append(finding(f, i)));
    if (doc.cases) {
        const groups = {};
        for (const c of doc.cases) groups[c.status] = (groups[c.status] || 0) + 1;
        body.append(h('h2', {}, 'Cases: ', Object.entries(groups).map(([k, n]) => `${n} ${k}`).join(', ')),
            h('table', { class: 'plain' }, h('tbody', {}, doc.cases.slice(0, 2000).map(c => h('tr', {}, h('td', { class: c.status }, t(c.status)), h('td', { class: 'mono' }, t(c.id)), h('td', {}, t(c.name)), h('td', { class: 'num' }, c.steps))))));
    }
    if (doc.actions && !Array.isArray(doc.actions)) {
        const most = Math.max(1, ...Object.values(doc.actions));
        body.append(h('h2', {}, 'Steps by action'), h('table', { class: 'plain' }, h('tbody', {}, Object.entries(doc.actions).map(([name, n]) => {
            const bar = h('span', { class: 'meter' });
            bar.style.width = n / most * 260 + 'px';
            return h('tr', {}, h('td', { class: 'mono' }, t(name)), h('td', { class: 'num ' + (n ? '' : 'failed') }, n ? count(n) : 'never'), h('td', {}, bar));
        }))));
    }
    return { keys: {}, help: [] };
}

function finding(f, i) {
    const { rows, rest } = sides(f.text || '');
    const table = h('div', { class: 'pairs' }, h('div', { class: 'h wide' }, ''), h('div', { class: 'h' }, 'specification'), h('div', { class: 'h' }, 'implementation'));
    for (const row of rows) {
        const differ = row.specification.trim() !== row.implementation.trim();
        table.append(h('div', { class: 'mono wide' }, t(row.about), differ ? h('span', { class: 'failed' }, ' ≠') : ''),
            differ ? marked(row.specification.trim(), row.implementation.trim(), 'ins') : h('div', { class: 'val' }, t(row.specification)),
            differ ? marked(row.implementation.trim(), row.specification.trim(), 'del') : h('div', { class: 'val' }, t(row.implementation)));
    }
    const steps = (f.steps || []).map((step, k) => h('li', { 'aria-current': k === f.step ? 'step' : null, class: k === f.step ? 'last-bad' : '' },
        h('button', { type: 'button', onclick: event => event.currentTarget.nextSibling?.toggleAttribute('hidden') }, h('span', { class: 'n' }, k), h('span', { class: 'what' }, t(step.label, 200))),
        step.events ? h('pre', { class: 'mono', hidden: k !== f.step }, t(step.events)) : null));
    const open = f.kind && f.kind !== 'none';
    return h('article', { class: 'finding', id: 'finding' + i },
        h('h1', {}, open ? [h('span', { class: 'badge bad' }, t(f.kind)), ' ', t(f.about || ''), f.action ? [' after ', t(f.action)] : ''] : t(f.verdict || 'All steps agree')),
        h('p', { class: 'sub' }, f.found_at ? `made shorter: ${f.found_at} steps before. ` : '', f.walk !== undefined ? `first in walk ${f.walk}. ` : '', f.walks ? `in ${count(f.walks)} walks. ` : '', f.cases ? `in ${count(f.cases)} cases. ` : ''),
        rows.length ? table : null, rest.length ? h('pre', { class: 'mono' }, t(rest.join('\n'), 4000)) : null,
        f.log ? h('details', { open: true }, h('summary', {}, 'Printed in this step'), h('pre', {}, t(f.log, 4000))) : null,
        steps.length ? h('details', { open: steps.length < 40 }, h('summary', {}, `${steps.length} steps`), h('ol', { class: 'steps' }, steps)) : null,
        f.replay ? command('assay replay ' + quote(f.replay)) : null);
}

// ---- what clients saw ----

export function historyPage(doc, all, root) {
    const ops = doc.operations.map(([process, what, call, ret, end, line, last]) => ({ process, what, call, ret, end, line, last }));
    const judged = doc.explanation !== undefined ? doc : all.find(d => d.kind === 'judgement' && same_file(d.file, doc.file)) || {};
    const lines = new Set([...(judged.explanation || '').matchAll(/process .*?, lines? (\d+)/g)].map(m => +m[1]));
    const processes = [...new Set(ops.map(o => o.process))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const guilty = ops.filter(o => lines.has(o.line));
    root.append(head('History', doc.file, judged.verdict ? h('span', { class: 'badge ' + (judged.verdict === 'consistent' ? 'good' : 'bad') }, t(judged.verdict)) : null,
        h('span', { class: 'sub' }, `${count(ops.length)} operations, ${processes.length} processes`, judged.consistency ? ` · ${judged.consistency} ${judged.model}` : '')));
    if (judged.explanation) root.append(h('pre', { class: 'reason mono' }, t(judged.explanation, 6000)));
    else root.append(h('p', { class: 'note' }, 'Not judged: --model MODEL says what kind of object it is, and marks what is impossible.'));
    const find = h('input', { type: 'search', placeholder: 'Search (/)', 'aria-label': 'Search in operations' });
    const only = h('button', { type: 'button', 'aria-pressed': 'false', disabled: !guilty.length, onclick: () => { zoom(only.getAttribute('aria-pressed') !== 'true'); } }, 'Only the impossible part');
    const box = h('div', { class: 'space', tabindex: 0, role: 'application', 'aria-label': 'Operations as intervals; arrow keys move' });
    const canvas = h('canvas', { 'aria-hidden': 'true' }), spacer = h('div');
    const side = h('aside', { class: 'side' });
    const grid = h('div', { class: 'run' });
    grid.style.gridTemplateColumns = 'minmax(0, 1fr) minmax(220px, 320px)';
    box.append(canvas, spacer);
    grid.append(box, side);
    root.append(h('div', { class: 'bar' }, find, only), grid);
    const LANE = 34, LEFT = 90;
    let list = ops, moments = [], unit = 46, at = -1;
    const ctx = canvas.getContext('2d');

    function zoom(narrow) {
        only.setAttribute('aria-pressed', narrow ? 'true' : 'false');
        list = narrow ? guilty : ops;
        const seen = [...new Set(list.flatMap(o => [o.call, o.ret]).filter(x => x !== null))].sort((a, b) => a - b);
        const place = new Map(seen.map((x, i) => [x, i]));
        list.forEach(o => { o.from = place.get(o.call); o.to = o.ret === null ? seen.length + 1 : place.get(o.ret); });
        moments = seen;
        unit = narrow || seen.length < 60 ? 60 : 34;
        spacer.style.width = LEFT + (seen.length + 2) * unit + 'px';
        spacer.style.height = 26 + processes.length * LANE + 'px';
        draw();
    }

    function draw() {
        const wide = box.clientWidth, high = Math.max(box.clientHeight, 10), ratio = devicePixelRatio || 1;
        if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
            canvas.width = Math.round(wide * ratio);
            canvas.height = Math.round(high * ratio);
            canvas.style.width = wide + 'px';
            canvas.style.height = high + 'px';
            canvas.style.marginBottom = -high + 'px';
        }
        const c = Object.fromEntries(['bg', 'panel', 'line', 'text', 'dim', 'msg', 'bad', 'bad-soft', 'accent', 'accent-soft', 'faint', 'warn'].map(n => [n, css('--' + n)]));
        ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
        ctx.fillStyle = c.bg;
        ctx.fillRect(0, 0, wide, high);
        const left = box.scrollLeft, top = box.scrollTop;
        ctx.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
        for (const o of list) {
            const x = LEFT + o.from * unit - left, w = Math.max(10, (o.to - o.from) * unit - 3), y = 24 + processes.indexOf(o.process) * LANE - top;
            if (x > wide || x + w < LEFT - 40 || y > high || y < -LANE) continue;
            const wrong = lines.has(o.line), chosen = ops.indexOf(o) === at;
            ctx.fillStyle = wrong ? c['bad-soft'] : chosen ? c['accent-soft'] : c.panel;
            ctx.strokeStyle = wrong ? c.bad : chosen ? c.accent : o.end === 'open' ? c.warn : o.end === 'fail' ? c.faint : c.msg;
            ctx.lineWidth = chosen ? 2.5 : wrong ? 2 : 1.2;
            ctx.setLineDash(o.end === 'open' ? [5, 4] : []);
            ctx.beginPath();
            ctx.roundRect(x, y, w, LANE - 10, 5);
            ctx.fill();
            ctx.stroke();
            ctx.setLineDash([]);
            ctx.save();
            ctx.beginPath();
            ctx.rect(Math.max(x, LEFT - 2), y, w, LANE);
            ctx.clip();
            ctx.fillStyle = wrong ? c.bad : o.end === 'fail' ? c.dim : c.text;
            ctx.fillText(plain(o.what).slice(0, 60), Math.max(x, LEFT) + 5, y + 16);
            ctx.restore();
        }
        ctx.fillStyle = c.bg;
        ctx.fillRect(0, 0, LEFT - 4, high);
        ctx.fillStyle = c.text;
        ctx.font = '600 12px system-ui, sans-serif';
        processes.forEach((name, i) => ctx.fillText('process ' + plain(name).slice(0, 9), 8, 40 + i * LANE - top));
    }

    function choose(i) {
        at = i;
        const o = ops[i];
        side.textContent = '';
        if (o) {
            side.append(h('dl', { class: 'facts' }, [['process', o.process], ['what', o.what], ['ended', { ok: 'well', fail: 'it did not happen', open: 'nobody knows' }[o.end]], ['lines', o.last ? `${o.line} to ${o.last}` : o.line]].map(([k, v]) => [h('dt', {}, k), h('dd', {}, t(v))])),
                lines.has(o.line) ? h('p', { class: 'reason' }, 'One of the operations that contradict each other.') : '');
            if (o.from !== undefined && list.includes(o)) {
                const x = LEFT + o.from * unit;
                if (x < box.scrollLeft + LEFT || x > box.scrollLeft + box.clientWidth - 80) box.scrollLeft = x - box.clientWidth / 2;
            }
        }
        link.set({ step: i + 1 });
        draw();
    }
    const seek = direction => {
        const words = find.value.toLowerCase(), n = ops.length;
        for (let k = 1; words && k <= n; k++) {
            const i = (at + direction * k + 2 * n) % n;
            if (ops[i].what.toLowerCase().includes(words)) { choose(i); return; }
        }
    };
    canvas.addEventListener('click', event => {
        const rect = canvas.getBoundingClientRect(), px = event.clientX - rect.left + box.scrollLeft, py = event.clientY - rect.top + box.scrollTop;
        const process = processes[Math.floor((py - 20) / LANE)];
        const hit = list.find(o => o.process === process && px >= LEFT + o.from * unit && px <= LEFT + Math.max(o.to, o.from + .3) * unit);
        if (hit) choose(ops.indexOf(hit));
    });
    box.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
    find.addEventListener('keydown', event => { if (event.key === 'Enter') seek(1); });
    new ResizeObserver(draw).observe(box);
    zoom(guilty.length > 0 && ops.length > 40);
    side.append(h('p', { class: 'sub' }, 'Each row is a process; a bar is an operation from its call to its end. Dashed: nobody knows whether it happened.'));
    const first = +(link.get('step') || 0);
    requestAnimationFrame(() => { draw(); if (first) choose(first - 1); else if (guilty.length && list === ops) choose(ops.indexOf(guilty[guilty.length - 1])); });
    const go = by => choose(Math.max(0, Math.min(ops.length - 1, at + by)));
    return { keys: { ArrowRight: () => go(1), ArrowLeft: () => go(-1), j: () => go(1), k: () => go(-1), '/': () => find.focus(), n: () => seek(1), N: () => seek(-1), o: () => only.click(), Home: () => choose(0), End: () => choose(ops.length - 1) },
        help: [['← → or k j', 'operation before, next'], ['o', 'only the impossible part'], ['/', 'search']], redraw: draw };
}

const same_file = (a, b) => a === b || (a || '').split('/').pop() === (b || '').split('/').pop();

// ---- state graphs ----

const DRAWN = 300; // states that are drawn one by one

export function graphPage(doc, all, root) {
    const n = doc.n_states, depth = Math.max(0, ...doc.levels) + 1;
    root.append(head('State graph', doc.file, h('span', { class: 'sub' }, `${t(doc.spec || '').textContent} · ${count(n)} states, ${count(doc.n_steps)} steps, depth ${depth}`)));
    const body = h('div', { class: 'scroll', tabindex: 0 });
    root.append(body);
    const by = new Map();
    for (const [, , label] of doc.steps) {
        const action = doc.labels[label].split(/[( ]/)[0];
        by.set(action, (by.get(action) || 0) + 1);
    }
    const page = n <= DRAWN ? layered(doc, depth, body) : coverage_map(doc, depth, body);
    const most = Math.max(1, ...by.values());
    body.append(h('h2', {}, 'Steps by action'), h('table', { class: 'plain' }, h('tbody', {}, [...by].sort((a, b) => b[1] - a[1]).map(([name, k]) => {
        const bar = h('span', { class: 'meter' });
        bar.style.width = k / most * 300 + 'px';
        return h('tr', {}, h('td', { class: 'mono' }, t(name)), h('td', { class: 'num' }, count(k)), h('td', {}, bar));
    }))));
    return page;
}

// By distance from the start, each level ordered by where its predecessors stand.
function layered(doc, depth, body) {
    const rows = Array.from({ length: depth }, () => []);
    doc.levels.forEach((level, i) => { if (level >= 0) rows[level].push(i); });
    const into = doc.levels.map(() => []), out = doc.levels.map(() => []);
    doc.steps.forEach((step, k) => { out[step[0]].push(k); into[step[1]].push(k); });
    const place = [];
    rows.forEach(row => {
        const middle = i => { const xs = into[i].map(k => doc.steps[k][0]).filter(x => place[x] && doc.levels[x] < doc.levels[i]).map(x => place[x].x); return xs.length ? xs.reduce((a, b) => a + b, 0) / xs.length : 0; };
        row.sort((a, b) => middle(a) - middle(b) || a - b);
        row.forEach((i, k) => { place[i] = { x: (k + .5) / row.length, level: doc.levels[i] }; });
    });
    const wide = Math.max(620, Math.max(...rows.map(r => r.length)) * 46), high = depth * 74 + 30;
    const X = i => place[i].x * wide, Y = i => place[i].level * 74 + 30;
    const svg = s('svg', { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: 'img', 'aria-label': `${doc.n_states} states by their distance from the start` });
    const told = h('p', { class: 'sub', 'aria-live': 'polite' }, 'Choose a state: click, or ← →.');
    const lines = doc.steps.map(([a, b, label]) => {
        const same_row = place[a].level >= place[b].level;
        const bend = a === b ? `M${X(a) - 5} ${Y(a) - 9}c-12 -22 22 -22 10 0` : same_row ? `M${X(a)} ${Y(a)}Q${(X(a) + X(b)) / 2 + 30} ${(Y(a) + Y(b)) / 2 + (place[a].level === place[b].level ? 34 : 0)} ${X(b)} ${Y(b)}` : `M${X(a)} ${Y(a)}C${X(a)} ${Y(a) + 34} ${X(b)} ${Y(b) - 34} ${X(b)} ${Y(b) - 11}`;
        const e = s('path', { class: 'edge', d: bend });
        e.append(s('title', {}, plain(doc.labels[label])));
        svg.append(e);
        return e;
    });
    const circles = doc.levels.map((level, i) => {
        if (level < 0) return null;
        const g = s('g', { class: 'node' + (level === 0 ? ' first' : '') + (out[i].length ? '' : ' dead'), onclick: () => choose(i) }, s('circle', { cx: X(i), cy: Y(i), r: 11 }), s('text', { x: X(i), y: Y(i) + 4, 'text-anchor': 'middle' }, i + 1));
        svg.append(g);
        return g;
    });
    let at = -1;
    function choose(i) {
        if (!circles[i]) return;
        at = i;
        lines.forEach((e, k) => e.classList.toggle('on', doc.steps[k][0] === i));
        circles.forEach((g, k) => g?.classList.toggle('on', k === i));
        told.textContent = '';
        told.append(h('b', {}, `State ${i + 1}`), ` at depth ${doc.levels[i] + 1}: `, out[i].length ? out[i].map(k => h('button', { type: 'button', onclick: () => choose(doc.steps[k][1]) }, t(doc.labels[doc.steps[k][2]], 80), ` → ${doc.steps[k][1] + 1}`)) : 'nothing can happen here');
        link.set({ step: i + 1 });
    }
    body.append(told, svg);
    const first = +(link.get('step') || 0);
    if (first) choose(first - 1);
    const go = by => choose(Math.max(0, Math.min(doc.n_states - 1, at + by)));
    return { keys: { ArrowRight: () => go(1), ArrowLeft: () => go(-1), j: () => go(1), k: () => go(-1) }, help: [['← →', 'state before, next']] };
}

// How many states at each depth, and how the actions share the steps from there.
function coverage_map(doc, depth, body) {
    const sizes = new Array(depth).fill(0), actions = new Map();
    doc.levels.forEach(level => { if (level >= 0) sizes[level]++; });
    for (const [from, , label] of doc.steps) {
        const name = doc.labels[label].split(/[( ]/)[0];
        if (!actions.has(name)) actions.set(name, new Array(depth).fill(0));
        actions.get(name)[doc.levels[from]]++;
    }
    const most = Math.max(...sizes), cell = Math.max(6, Math.min(30, 900 / depth)), left = 150, lane = 18, top = 130;
    const svg = s('svg', { width: left + depth * cell + 20, height: top + actions.size * lane + 30, role: 'img', 'aria-label': 'States and steps by distance from the start' });
    sizes.forEach((k, i) => svg.append(s('rect', { x: left + i * cell, y: top - 14 - k / most * 100, width: cell - 1, height: k / most * 100, fill: css('--accent') }, s('title', {}, `depth ${i + 1}: ${count(k)} states`))));
    svg.append(s('text', { x: 4, y: top - 16 }, `states, at most ${count(most)}`));
    [...actions].forEach(([name, row], r) => {
        const top_of_row = Math.max(...row, 1);
        svg.append(s('text', { x: 4, y: top + r * lane + 13 }, plain(name).slice(0, 20)));
        row.forEach((k, i) => { if (k) svg.append(s('rect', { x: left + i * cell, y: top + r * lane + 2, width: cell - 1, height: lane - 4, fill: css('--accent'), 'fill-opacity': .15 + .85 * k / top_of_row }, s('title', {}, `${plain(name)} at depth ${i + 1}: ${count(k)} steps`))); });
    });
    body.append(h('p', { class: 'sub' }, 'More states than can be drawn one by one: how many there are at each distance from the start, and which actions lead on from there.'), svg);
    return { keys: {}, help: [] };
}

// ---- coverage ----

export function coveragePage(doc, all, root) {
    const sources = all.find(d => d.kind === 'sources')?.modules || {};
    const rows = doc.rows.filter(r => r.place);
    const modules = [...new Set(rows.map(r => r.place.module))].sort();
    const cold = rows.filter(r => r.count === 0);
    root.append(head('Coverage', doc.file, h('span', { class: 'badge ' + (cold.length ? 'warn' : 'good') }, cold.length ? `${cold.length} expressions never evaluated` : 'everything was evaluated')));
    const body = h('div', { class: 'scroll', tabindex: 0 });
    root.append(body);
    if (doc.actions) {
        const most = Math.max(1, ...doc.actions.map(a => a.generated || 0));
        body.append(h('h2', {}, 'Actions'), h('table', { class: 'plain' }, h('thead', {}, h('tr', {}, ['action', 'states', 'new', ''].map(x => h('th', {}, x)))), h('tbody', {}, doc.actions.map(a => {
            const bar = h('span', { class: 'meter' });
            bar.style.width = (a.generated || 0) / most * 260 + 'px';
            return h('tr', {}, h('td', { class: 'mono' }, t(a.name)), h('td', { class: 'num ' + (a.generated ? '' : 'failed') }, a.generated ? count(a.generated) : 'never'), h('td', { class: 'num' }, count(a.distinct || 0)), h('td', {}, bar));
        }))), h('br'));
    }
    for (const name of modules) {
        const mine = rows.filter(r => r.place.module === name), mod = sources[name];
        body.append(h('h2', {}, t(name), mod ? [' · ', t(mod.file)] : ''));
        if (!mod) {
            body.append(h('p', { class: 'sub' }, 'The source is not here: give the specification with --spec SPEC.tla.'), h('table', { class: 'plain' }, h('tbody', {}, mine.map(r => h('tr', {}, h('td', {}, `line ${r.place.line}, column ${r.place.column}`), h('td', { class: 'num ' + (r.count ? '' : 'failed') }, r.count ? count(r.count) : 'never'))))));
            continue;
        }
        const out = h('div', { class: 'source counted' });
        mod.text.split('\n').forEach((raw, i) => {
            const line = raw.replace(/\r$/, ''), number = i + 1;
            const begin = mine.filter(r => r.place.line === number);
            const never = mine.filter(r => r.count === 0 && r.place.line <= number && r.place.end_line >= number);
            const marks = never.map(r => ({ from: r.place.line === number ? r.place.column : 1 + line.search(/\S|$/), to: r.place.end_line === number ? r.place.end_column : line.length, class: 'cold' }));
            const most = begin.length ? Math.max(...begin.map(r => r.count)) : null;
            out.append(h('div', { class: 'l' + (begin.length && most === 0 ? ' never' : '') }, h('span', { class: 'n' }, number), h('span', { class: 'c' }, most === null ? '' : most ? count(most) : 'never'), h('span', {}, sourceLine(line, marks))));
        });
        body.append(out);
    }
    return { keys: {}, help: [] };
}

// ---- the numbers of a check ----

export function plot(title, rows, of, unit, least = 1) {
    const points = rows.map(r => [r.t, of(r)]);
    const most = Math.max(least, ...points.map(x => x[1])), end = Math.max(.001, ...points.map(x => x[0]));
    const at = ([x, y]) => `${(40 + x / end * 320).toFixed(1)},${(100 - y / most * 84).toFixed(1)}`;
    return h('div', {}, h('h2', {}, title), s('svg', { width: 380, height: 122, role: 'img', 'aria-label': `${title}, at most ${unit(most)}` },
        s('path', { class: 'axis', d: 'M40 100H362M40 12V100' }), s('polyline', { class: 'plot', points: points.map(at).join(' ') }), s('text', { x: 42, y: 11 }, unit(most)), s('text', { x: 330, y: 116 }, end.toFixed(1) + ' s')));
}

export const bytes = n => (n >= 2 ** 30 ? (n / 2 ** 30).toFixed(1) + ' GiB' : n >= 2 ** 20 ? (n / 2 ** 20).toFixed(1) + ' MiB' : (n / 1024).toFixed(0) + ' KiB');

const MOST_ROWS = 2000;

export function statisticsPage(doc, all, root) {
    return followed(doc, root, drawStatistics);
}

// A document that may still change: it is drawn, and while it is live and there is a server it is asked for anew every second, as long as this page
// is shown.
export function followed(doc, root, draw) {
    const box = h('div', { class: 'fill' });
    root.append(box);
    draw(doc, box);
    if (doc.live && server()) again(doc, box, draw);
    return { keys: {}, help: [] };
}

async function again(doc, box, draw) {
    for (;;) {
        await new Promise(done => { setTimeout(done, 1000); });
        if (!box.isConnected) return;
        let now = null;
        try {
            now = await ask({});
        } catch {
            doc.live = false;
            doc.verdict = doc.verdict === 'running' ? 'no longer there' : doc.verdict;
        }
        if (now) Object.assign(doc, now);
        const at = box.querySelector('.scroll')?.scrollTop || 0;
        box.textContent = '';
        draw(doc, box);
        box.querySelector('.scroll').scrollTop = at;
        if (!doc.live) return;
    }
}

function drawStatistics(doc, root) {
    const good = doc.verdict === 'ok', running = doc.live === true;
    root.append(head('Check', doc.file, h('span', { class: 'badge ' + (running ? '' : good ? 'good' : 'bad'), role: 'status' }, t(doc.verdict)), running ? h('span', { class: 'sub' }, 'the page follows it') : h('span', { class: 'sub' }, `exit status ${doc.exit}`)));
    const st = doc.states || {};
    const rows = (doc.progress || []).slice(-MOST_ROWS);
    const facts = [['specification', doc.spec], ['configuration', doc.config], ['states', st.generated !== undefined ? `${count(st.generated)} generated, ${count(st.distinct)} distinct, ${count(st.queued)} left` : null], ['depth', doc.depth ?? st.depth], ['complete', doc.complete === undefined ? null : doc.complete ? 'yes' : 'no: the search ended before all was seen'],
        ['time', doc.time_s !== undefined ? doc.time_s.toFixed(3) + ' s' : null], ['speed', doc.time_s > 0 ? count(Math.round(st.generated / doc.time_s)) + ' states/s' : null], ['workers', doc.workers], ['memory', doc.memory_bytes ? bytes(doc.memory_bytes) : null], ['failure', doc.failure]];
    const body = h('div', { class: 'scroll', tabindex: 0 }, h('dl', { class: 'facts' }, facts.filter(x => x[1] !== null && x[1] !== undefined && x[1] !== '').map(([k, v]) => [h('dt', {}, k), h('dd', {}, t(v))])));
    if (rows.length > 1) {
        const speed = rows.map((r, i) => ({ t: r.t, v: i ? Math.max(0, r.generated - rows[i - 1].generated) / Math.max(.001, r.t - rows[i - 1].t) : 0 })).slice(1);
        const plots = h('div', { class: 'plots' }, plot('States per second', speed, r => r.v, x => count(Math.round(x))), plot('Queue', rows, r => r.queued, count), plot('Distinct states', rows, r => r.distinct, count), plot('Memory', rows, r => r.memory, bytes));
        body.append(plots);
    } else if (running) {
        body.append(h('p', { class: 'note' }, 'There is a row every second.'));
    }
    if (doc.properties?.length) body.append(h('h2', {}, 'Properties'), h('table', { class: 'plain' }, h('tbody', {}, doc.properties.map(p => h('tr', {}, h('td', { class: 'mono' }, t(p.name)), h('td', {}, t(p.kind)))))));
    if (doc.actions?.length) body.append(h('h2', {}, 'Actions'), h('table', { class: 'plain' }, h('tbody', {}, doc.actions.map(a => h('tr', {}, h('td', { class: 'mono' }, t(a.name)), h('td', { class: 'num' }, a.generated ? count(a.generated) : 'never'), h('td', { class: 'num' }, a.distinct !== undefined ? count(a.distinct) : ''))))));
    root.append(body);
}

// ---- reports ----

export function reportPage(doc, all, root) {
    const n = doc.counts;
    root.append(head(`assay ${doc.command}`, doc.file, h('span', { class: 'badge ' + (n.failed + n.error ? 'bad' : 'good') }, `${n.passed} passed, ${n.failed} failed, ${n.error} errors, ${n.skipped} skipped`), h('span', { class: 'sub' }, t(doc.subject || ''))));
    const body = h('div', { class: 'scroll', tabindex: 0 });
    for (const f of doc.findings) {
        body.append(h('article', { class: 'finding' }, h('h1', {}, h('span', { class: 'badge bad' }, t(f.rule)), ' ', t(f.message)), f.place ? h('p', { class: 'sub' }, t(`${f.place.file}${f.place.line ? ':' + f.place.line : ''}`)) : null, f.details ? h('pre', {}, t(f.details, 6000)) : null, f.artifact ? command('assay replay ' + quote(f.artifact)) : null));
    }
    body.append(h('table', { class: 'plain' }, h('thead', {}, h('tr', {}, ['outcome', 'of', 'case', ''].map(x => h('th', {}, x)))), h('tbody', {}, doc.cases.slice(0, 5000).map(c => h('tr', {}, h('td', { class: c.outcome }, c.outcome), h('td', {}, t(c.group)), h('td', {}, t(c.name)), h('td', {}, t(c.message || '')))))));
    root.append(body);
    return { keys: {}, help: [] };
}

export function judgementPage(doc, all, root) {
    root.append(head('Verdict on a history', doc.file, h('span', { class: 'badge ' + (doc.verdict === 'consistent' ? 'good' : 'bad') }, t(doc.verdict)), h('span', { class: 'sub' }, `${doc.consistency} ${doc.model}, ${count(doc.operations)} operations`)), h('div', { class: 'scroll' }, h('pre', {}, t(doc.explanation, 8000))));
    return { keys: {}, help: [] };
}
