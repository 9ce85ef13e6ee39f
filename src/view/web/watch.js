// A node that is followed by its specification: alarms, how far behind the monitor is, and how many explanations are kept open.
import { h, t, count } from './dom.js';
import { bytes, followed, plot } from './pages.js';

export function watchPage(doc, all, root) {
    return followed(doc, root, drawWatch);
}

const BADGES = { explained: 'good', alarm: 'bad', 'not decided': 'warn' };

function drawWatch(doc, root) {
    const running = doc.live === true, n = doc.counts || {}, rows = doc.rows || [], last = rows[rows.length - 1];
    const bad = doc.n_alarms > 0;
    root.append(h('div', { class: 'headline' }, h('h1', {}, t(doc.node)), h('span', { class: 'badge ' + (bad ? 'bad' : BADGES[doc.verdict] || ''), role: 'status' }, bad ? `${count(doc.n_alarms)} alarm${doc.n_alarms > 1 ? 's' : ''}` : t(doc.verdict)),
        last?.blind ? h('span', { class: 'badge' }, 'blind') : null, h('span', { class: 'sub' }, running ? 'the page follows it · ' : '', t(doc.spec), ' · ', t(doc.file || ''))));
    const facts = [['events', count(n.events ?? 0)], ['steps of the specification', count(n.steps ?? 0)], ['messages', n.messages ? count(n.messages) : null], ['not seen to leave', n.unseen ? count(n.unseen) : null],
        ['behind', last ? milliseconds(last.lag) : null], ['memory', n.bytes ? bytes(n.bytes) : null], ['explanations at most', n.states_most ? count(n.states_most) : null], ['not decided', doc.n_undecided ? count(doc.n_undecided) : null],
        ['records lost', n.lost_records ? count(n.lost_records) : null], ['blind', n.blind_times ? `${n.blind_times === 1 ? 'once' : count(n.blind_times) + ' times'}, ${count(n.blind_events)} events` : null]];
    const body = h('div', { class: 'scroll', tabindex: 0 }, h('dl', { class: 'facts' }, facts.filter(x => x[1] !== null).map(([k, v]) => [h('dt', {}, k), h('dd', {}, v)])));
    if (rows.length > 1) {
        const rate = rows.map((r, i) => ({ t: r.t, v: i ? Math.max(0, r.events - rows[i - 1].events) / Math.max(.001, r.t - rows[i - 1].t) : 0 })).slice(1);
        const plots = h('div', { class: 'plots' }, plot('Events per second', rate, r => r.v, x => count(Math.round(x))), plot('Behind', rows, r => r.lag, milliseconds, 1e-4), plot('Explanations kept, |S|', rows, r => r.states, x => count(Math.round(x * 10) / 10)), plot('Memory', rows, r => r.bytes, bytes));
        body.append(plots);
    } else if (running) {
        body.append(h('p', { class: 'note' }, 'There is a row every second.'));
    }
    body.append(h('h2', {}, doc.alarms?.length ? 'Alarms' : 'No alarm'));
    for (const a of (doc.alarms || []).slice().reverse()) {
        body.append(h('article', { class: 'finding' }, h('h1', {}, h('span', { class: 'badge ' + (a.certain ? 'bad' : '') }, a.certain ? 'alarm' : 'not decided'), ` after ${a.t.toFixed(1)} s`), h('pre', {}, t(a.text, 8000))));
    }
    root.append(body);
}

const milliseconds = s => (s >= 1 ? s.toFixed(1) + ' s' : (s * 1000).toFixed(1) + ' ms');
