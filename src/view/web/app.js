// The documents of the page, one tab each; keys; light and dark.
import { h, t, link, plain } from './dom.js';
import { tracePage } from './trace.js';
import { runPage } from './run.js';
import { rankPage } from './rank.js';
import { watchPage } from './watch.js';
import { differencePage, historyPage, graphPage, coveragePage, statisticsPage, reportPage, judgementPage } from './pages.js';

const PAGES = { trace: tracePage, run: runPage, difference: differencePage, history: historyPage, graph: graphPage, coverage: coveragePage, statistics: statisticsPage, report: reportPage, judgement: judgementPage, rank: rankPage, watch: watchPage };
const documents = JSON.parse(document.getElementById('documents').textContent);
documents.forEach((doc, i) => { doc.index = i; });
const shown = documents.filter(doc => PAGES[doc.kind]);
const main = document.getElementById('main'), nav = document.getElementById('documents-nav'), keys = document.getElementById('keys');
let page = { keys: {}, help: [] }, current = null;

function open(doc, fresh) {
    current = doc;
    if (fresh) history.replaceState(null, '', '#doc=' + doc.index);
    else link.set({ doc: doc.index });
    main.textContent = '';
    page = PAGES[doc.kind](doc, documents, main);
    [...nav.children].forEach((b, i) => (shown[i] === doc ? b.setAttribute('aria-current', 'page') : b.removeAttribute('aria-current')));
    document.title = `${plain(doc.property || doc.title || doc.file || doc.kind).slice(0, 80)} — assay`;
}

for (const doc of shown) {
    nav.append(h('button', { type: 'button', onclick: () => open(doc, true) }, h('small', {}, doc.kind), t((doc.property || doc.title || doc.file || '').split('/').pop() || doc.kind, 40)));
}
nav.hidden = shown.length < 2;

function theme() {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    page.redraw?.();
}

function help() {
    const rows = [...(page.help || []), ['[ ]', 'document before, next'], ['t', 'light or dark'], ['?', 'this']];
    keys.textContent = '';
    keys.append(h('table', { class: 'plain' }, h('tbody', {}, rows.map(([k, what]) => h('tr', {}, h('td', {}, k.split(' ').map(x => [h('kbd', {}, x), ' '])), h('td', {}, what))))), h('form', { method: 'dialog' }, h('button', { onclick: event => { event.preventDefault(); keys.close(); } }, 'Close')));
    keys.showModal();
}

document.getElementById('theme').addEventListener('click', theme);
document.getElementById('help').addEventListener('click', help);
document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox') {
        if (event.key === 'Escape') event.target.blur();
        return;
    }
    if (event.target.tagName === 'BUTTON' && (event.key === 'Enter' || event.key === ' ')) return;
    const step = by => open(shown[(shown.indexOf(current) + by + shown.length) % shown.length], true);
    const all = { ...page.keys, t: theme, '?': help, ']': () => step(1), '[': () => step(-1) };
    if (Object.hasOwn(all, event.key)) {
        event.preventDefault();
        all[event.key]();
    }
});
addEventListener('hashchange', () => { const doc = documents[+(link.get('doc') || 0)]; if (doc && PAGES[doc.kind]) open(doc, false); });

const wanted = documents[+(link.get('doc') ?? -1)];
if (!shown.length) main.append(h('p', { class: 'note' }, 'There is nothing to show.'));
else open(wanted && PAGES[wanted.kind] ? wanted : shown[0], false);
