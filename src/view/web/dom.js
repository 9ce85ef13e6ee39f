// Elements, and text of strangers. Everything from programs and specifications becomes text nodes only; characters that change the
// direction of text, or that nobody sees, are shown as what they are.

export function h(tag, props, ...kids) {
    const e = document.createElement(tag);
    for (const [key, value] of Object.entries(props || {})) {
        if (value === undefined || value === null || value === false) continue;
        if (key === 'class') e.className = value;
        else if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
        else if (key === 'value' || key === 'checked') e[key] = value;
        else e.setAttribute(key, value === true ? '' : String(value));
    }
    add(e, kids);
    return e;
}

export function add(e, kids) {
    for (const kid of kids) {
        if (kid === undefined || kid === null || kid === false) continue;
        if (Array.isArray(kid)) add(e, kid);
        else e.append(kid instanceof Node ? kid : document.createTextNode(String(kid)));
    }
    return e;
}

export function s(tag, props, ...kids) {
    const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [key, value] of Object.entries(props || {})) {
        if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
        else e.setAttribute(key, String(value));
    }
    return add(e, kids);
}

// Controls (but tab and newline), marks of direction, spaces without a width, tags, and halves of pairs.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const LONG = 600;

export function plain(text) {
    return String(text).replace(HIDDEN, c => 'U+' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'));
}

function pieces(text, into) {
    let at = 0;
    for (const m of text.matchAll(HIDDEN)) {
        into.append(text.slice(at, m.index), h('span', { class: 'ctl', title: 'a character that is not seen' }, plain(m[0])));
        at = m.index + m[0].length;
    }
    into.append(text.slice(at));
}

// Text of strangers, apart from the direction of what surrounds it; of a long one the beginning.
export function t(text, long = LONG) {
    const e = h('bdi');
    text = String(text);
    pieces(text.length > long ? text.slice(0, long) : text, e);
    if (text.length > long) {
        const more = h('button', { class: 'more', type: 'button' }, `… ${count(text.length)} characters: show ${count(Math.min(text.length, 100000))}`);
        more.addEventListener('click', event => {
            event.stopPropagation();
            e.textContent = '';
            pieces(text.slice(0, 100000), e);
            if (text.length > 100000) e.append(h('span', { class: 'ctl' }, `… ${count(text.length - 100000)} characters more`));
        });
        e.append(more);
    }
    return e;
}

export function count(n) {
    return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function command(text) {
    const button = h('button', { type: 'button', 'aria-label': 'Copy the command' }, 'Copy');
    button.addEventListener('click', async () => {
        try {
            await navigator.clipboard.writeText(text);
            button.textContent = 'Copied';
        } catch {
            const range = document.createRange();
            range.selectNodeContents(button.previousSibling);
            getSelection().removeAllRanges();
            getSelection().addRange(range);
        }
    });
    return h('div', { class: 'command' }, h('code', {}, t(text, 4000)), button);
}

export function quote(word) {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

export function download(name, text) {
    const link = h('a', { href: URL.createObjectURL(new Blob([text], { type: 'application/json' })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function css(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// The part of the address that says what is looked at: #doc=0&step=3
export const link = {
    get(name) {
        return new URLSearchParams(location.hash.slice(1)).get(name);
    },
    set(values) {
        const all = new URLSearchParams(location.hash.slice(1));
        for (const [key, value] of Object.entries(values)) {
            if (value === null || value === undefined || value === '') all.delete(key);
            else all.set(key, value);
        }
        history.replaceState(null, '', '#' + all);
    },
};

export async function ask(body) {
    const answer = await fetch('api', { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
    const json = await answer.json();
    if (json.error) throw new Error(json.error);
    return json;
}

export const server = () => document.body.dataset.server === 'yes';
export const canStep = () => document.body.dataset.step === 'yes';
