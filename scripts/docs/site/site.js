// The search of the documentation. Everything else works without a script. What is searched is loaded when the box gets the focus.

const root = document.currentScript.dataset.root;
const box = document.querySelector('input[type=search]');
const list = document.querySelector('#site-found');
const MOST = 12;
let index;
let active = -1;

box.addEventListener('focus', load, { once: true });
box.addEventListener('input', show);
box.form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.children[Math.max(active, 0)]?.click();
});
box.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
  else if (event.key === 'ArrowDown') move(1);
  else if (event.key === 'ArrowUp') move(-1);
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  box.focus();
});
document.addEventListener('click', (event) => {
  if (!list.contains(event.target) && event.target !== box) close();
});

function load() {
  const script = document.createElement('script');
  script.src = `${root}search.js`;
  script.onload = () => {
    index = new window.MiniSearch({
      fields: ['title', 'page', 'text'],
      storeFields: ['title', 'page', 'url', 'text'],
      searchOptions: {
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        boost: { title: 4, page: 2 },
        weights: { prefix: 0.5, fuzzy: 0.1 }, // "calibrat" means calibrated rather than Calibre
        combineWith: 'AND',
      },
    });
    index.addAll(window.TAGLOOM_SECTIONS);
    show();
  };
  document.head.append(script);
}

function show() {
  const query = box.value.trim();
  if (index === undefined || query === '') return close();
  const found = index.search(query).slice(0, MOST);
  active = -1;
  list.replaceChildren(...(found.length === 0 ? [nothing(query)] : found.map((one, i) => entry(one, i, query))));
  list.hidden = false;
  box.setAttribute('aria-expanded', 'true');
  box.removeAttribute('aria-activedescendant');
}

function entry({ title, page, url, text }, i, query) {
  const link = document.createElement('a');
  Object.assign(link, { href: root + url, id: `result-${i}`, tabIndex: -1 });
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  const [where, what] = [document.createElement('strong'), document.createElement('span')];
  where.textContent = title === page ? title : `${page}: ${title}`;
  what.textContent = excerpt(text, query);
  link.append(where, what);
  link.addEventListener('click', close);
  return link;
}

function nothing(query) {
  const line = document.createElement('div');
  line.setAttribute('role', 'option');
  line.setAttribute('aria-selected', 'false');
  line.textContent = `Nothing found for “${query}”. Try a shorter word.`;
  return line;
}

/** The part of a text where the first word of the query stands. */
function excerpt(text, query) {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0]);
  const from = Math.max(0, at - 40);
  return (from > 0 ? '… ' : '') + text.slice(from, from + 140);
}

function move(by) {
  if (list.hidden || list.children.length === 0) return;
  list.children[active]?.setAttribute('aria-selected', 'false');
  active = (active + by + list.children.length) % list.children.length;
  const chosen = list.children[active];
  chosen.setAttribute('aria-selected', 'true');
  chosen.scrollIntoView({ block: 'nearest' });
  box.setAttribute('aria-activedescendant', chosen.id);
}

function close() {
  list.hidden = true;
  active = -1;
  box.setAttribute('aria-expanded', 'false');
  box.removeAttribute('aria-activedescendant');
}
