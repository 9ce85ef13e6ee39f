// A ranking of budgets: a plot of what each combination reaches against what it costs, the table beside it, and the branches that the
// chosen one does not take.
import { h, s, t, count, plain, link } from './dom.js';
import { sourceLine } from './value.js';

const AXES = [
    ['states', 'states visited', p => p.states],
    ['depth', 'depth of the deepest walk', p => p.depth],
    ['mean', 'mean depth', p => p.mean_depth],
    ['coverage', 'branches taken', p => p.coverage],
    ['diversity', 'actions taken', p => p.diversity],
    ['violations', 'walks that failed', p => p.violations],
];
const WIDE = 460, HIGH = 300, LEFT = 52, LOW = 34;

const budgets = p => Object.entries(p.budget).map(([name, value]) => `${name} = ${value}`).join(', ');

export function rankPage(doc, all, root) {
    const sources = all.find(d => d.kind === 'sources')?.modules || {};
    let at = Math.min(+(link.get('step') || 1) - 1, doc.configurations.length - 1), chosen = 0, across = 0, up = 3;
    at = at >= 0 ? at : 0;
    const top = h('div', { class: 'headline' }), bar = h('div', { class: 'bar' });
    const plotBox = h('section', { 'aria-label': 'Plot' }), tableBox = h('section', { 'aria-label': 'Ranking' });
    const grid = h('div', { class: 'columns ranking' }, tableBox, plotBox);
    root.append(top, bar, grid);

    function drawHead() {
        const c = doc.configurations[at], best = c.points[0];
        top.textContent = '';
        top.append(h('h1', {}, 'Ranking of ', t((doc.spec || '').split('/').pop())), best ? h('span', { class: 'badge good' }, t(budgets(best), 120)) : null,
            h('span', { class: 'sub' }, `${count(c.points.length)} combinations, ${doc.walks ? count(doc.walks) + ' walks each' : doc.time_s + ' s each'}, seed ${doc.seed} · by ${doc.sort} · `, t(doc.file)));
        bar.textContent = '';
        if (doc.configurations.length > 1) {
            const pick = h('select', { 'aria-label': 'Configuration', onchange: () => open(+pick.value) }, doc.configurations.map((x, i) => h('option', { value: i, selected: i === at }, plain(told(x)))));
            bar.append(pick);
        }
        const axis = (name, value, set) => {
            const e = h('select', { 'aria-label': name, onchange: () => { set(+e.value); drawPlot(); } }, AXES.map(([, what], i) => h('option', { value: i, selected: i === value }, what)));
            return h('label', { class: 'check' }, name, e);
        };
        bar.append(axis('across', across, v => { across = v; }), axis('upwards', up, v => { up = v; }));
    }

    const told = c => `Configuration ${c.number}: ${Object.entries(c.instance).map(([k, v]) => `${k} = ${v}`).join(', ') || c.config}`;

    function drawTable() {
        const c = doc.configurations[at], names = Object.keys(c.points[0]?.budget || {});
        const most = Math.max(1, ...c.points.map(p => p.states));
        tableBox.textContent = '';
        if (!c.points.length) { tableBox.append(h('p', { class: 'note' }, 'No combination was walked to its end.')); return; }
        tableBox.append(h('table', { class: 'plain' }, h('thead', {}, h('tr', {}, ['', ...names].map(x => h('th', {}, t(x))), ['coverage', 'actions', 'depth', 'mean', 'states', 'failed'].map(x => h('th', { class: 'num' }, x)), h('th', {}, ''))),
            h('tbody', {}, c.points.map((p, i) => {
                const meter = h('span', { class: 'meter' });
                meter.style.width = Math.max(1, p.states / most * 90) + 'px';
                return h('tr', { class: i === chosen ? 'chosen' : '', onclick: () => choose(i) }, h('td', {}, h('button', { type: 'button', 'aria-pressed': i === chosen, 'aria-label': `Rank ${p.rank}: ${plain(budgets(p))}` }, p.rank)), names.map(n => h('td', { class: 'mono' }, t(p.budget[n]))),
                    h('td', { class: 'num' }, p.branches ? `${(p.coverage / p.branches * 100).toFixed(1)}%` : ''), h('td', { class: 'num' }, `${p.diversity}/${p.actions}`), h('td', { class: 'num' }, p.depth), h('td', { class: 'num' }, p.mean_depth.toFixed(1)), h('td', { class: 'num' }, count(p.states)),
                    h('td', { class: 'num ' + (p.violations || p.failed ? 'failed' : '') }, p.failed ? '!' : count(p.violations)), h('td', {}, meter));
            }))));
    }

    function drawPlot() {
        const points = doc.configurations[at].points;
        plotBox.textContent = '';
        if (!points.length) return;
        const [, xName, xOf] = AXES[across], [, yName, yOf] = AXES[up];
        const span = of => { const v = points.map(of), low = Math.min(...v), high = Math.max(...v); return [low === high ? low - 1 : low, high === low ? high + 1 : high]; };
        const [x0, x1] = span(xOf), [y0, y1] = span(yOf);
        const X = p => LEFT + 12 + (xOf(p) - x0) / (x1 - x0) * (WIDE - LEFT - 30), Y = p => HIGH - LOW - 12 - (yOf(p) - y0) / (y1 - y0) * (HIGH - LOW - 30);
        const shown = x => count(Math.round(x * 10) / 10);
        const svg = s('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, class: 'scatter', role: 'img', 'aria-label': `${yName} against ${xName} of ${points.length} combinations` },
            s('path', { class: 'axis', d: `M${LEFT} 8V${HIGH - LOW}H${WIDE - 6}` }), s('text', { x: LEFT, y: HIGH - 8 }, `${xName}: ${shown(x0)} to ${shown(x1)}`), s('text', { x: 14, y: HIGH - LOW - 6, transform: `rotate(-90 14 ${HIGH - LOW - 6})` }, `${yName}: ${shown(y0)} to ${shown(y1)}`));
        points.forEach((p, i) => svg.append(s('circle', { class: 'point' + (i === 0 ? ' best' : '') + (p.violations || p.failed ? ' bad' : '') + (i === chosen ? ' on' : ''), cx: X(p), cy: Y(p), r: i === chosen ? 7 : 4.5, onclick: () => choose(i) }, s('title', {}, `${p.rank}: ${plain(budgets(p))}`))));
        if (points[chosen]) svg.append(svg.querySelector('.on')); // over the others
        plotBox.append(svg, details(points[chosen]));
    }

    function details(p) {
        if (!p) return '';
        const box = h('div', { 'aria-live': 'polite' }, h('h2', {}, `Rank ${p.rank}`), h('p', { class: 'mono' }, t(budgets(p))),
            h('p', { class: 'sub' }, `${count(p.walks)} walks, ${count(p.steps)} steps; ${count(p.ended)} ended, ${count(p.cut)} were cut off; ${count(p.events)} labels with arguments.`),
            p.violated ? h('p', { class: 'failed' }, 'Violated: ', t(p.violated)) : null, p.failed ? h('p', { class: 'failed' }, t(p.failed, 2000)) : null);
        box.append(h('h2', {}, p.missed.length ? `Branches not taken (${p.missed.length} of ${p.branches})` : 'Every branch was taken'));
        const list = h('div', { class: 'source' });
        for (const place of p.missed) {
            const m = /^(.*):(\d+):(\d+)$/.exec(place), line = m && sources[m[1]]?.text.split('\n')[m[2] - 1];
            list.append(h('div', { class: 'l' }, h('span', { class: 'n' }, m ? m[2] : ''), h('span', {}, line !== undefined && line !== null ? sourceLine(line.replace(/\r$/, ''), [{ from: +m[3], to: line.length, class: 'cold' }]) : t(place))));
        }
        box.append(list);
        return box;
    }

    function choose(i) {
        const n = doc.configurations[at].points.length;
        chosen = Math.max(0, Math.min(n - 1, i));
        drawTable();
        drawPlot();
        tableBox.querySelector('tr.chosen')?.scrollIntoView({ block: 'nearest' });
    }

    function open(i) {
        at = (i + doc.configurations.length) % doc.configurations.length;
        chosen = 0;
        link.set({ step: at + 1 });
        drawHead();
        choose(0);
    }
    open(at);
    const down = () => choose(chosen + 1), above = () => choose(chosen - 1);
    const turn = (value, by) => (value + by) % AXES.length;
    return {
        keys: { ArrowDown: down, j: down, ArrowUp: above, k: above, Home: () => choose(0), c: () => open(at + 1), x: () => { across = turn(across, 1); drawHead(); drawPlot(); }, y: () => { up = turn(up, 1); drawHead(); drawPlot(); } },
        help: [['↑ ↓ or k j', 'combination before, next'], ['c', 'next configuration'], ['x y', 'another axis']],
    };
}
