/**
 * Script of a page's list: searches, filters and counts rows, goes from hit to hit and from row to row, keeps the
 * filters in the page's address, and builds the content of a row when it is opened.
 */
export const filterableListScript = `
const one = (id) => document.getElementById(id);
const form = one('filters');
const openGroups = (element) => {
  for (let at = element.parentElement; at; at = at.parentElement)
    if (at.tagName === 'DETAILS') at.open = true;
};
const reveal = () => {
  const target = /^#[a-z]/.test(location.hash) ? one(location.hash.slice(1)) : null;
  if (!(target instanceof HTMLDetailsElement)) return;
  target.parentElement.hidden = false;
  openGroups(target);
  target.open = true;
  target.scrollIntoView();
  target.querySelector('summary').focus({ preventScroll: true });
};
const build = ({ target }) => {
  const held = target.querySelector(':scope > noscript');
  if (held && target.open) held.outerHTML = held.textContent;
};
if (form) {
  const list = one('list');
  const noun = form.dataset.noun;
  const items = [...list.querySelectorAll('li[data-kind]')].map((element) => ({
    element,
    details: element.firstElementChild,
    text: undefined,
    ...element.dataset,
    count: Number(element.dataset.count ?? 1),
  }));
  const groups = [...list.querySelectorAll('.group')].reverse().map((element) => ({
    element,
    items: [],
    tallies: [...element.querySelectorAll(':scope > summary .tally')].map((node) => ({
      node,
      whole: node.textContent,
      action: node.dataset.action,
    })),
  }));
  const groupOf = new Map(groups.map((group) => [group.element, group]));
  for (const item of items)
    for (let at = item.element.parentElement; at !== list; at = at.parentElement) groupOf.get(at)?.items.push(item);
  // Items without elements yet are one text of markup each: a search reads that, without building them.
  const signs = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  const readText = (element) => {
    const held = element.querySelector('noscript');
    if (!held) return element.textContent;
    const text = held.textContent.replaceAll('<wbr>', '').replace(/<[^>]*>/g, ' ');
    const plain = text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => signs[name]);
    return element.textContent.replace(held.textContent, () => plain);
  };
  let current;
  const mark = (element) => {
    current?.removeAttribute('aria-current');
    current = element;
    current?.setAttribute('aria-current', 'true');
  };
  const boxes = [...form.querySelectorAll('input[name=action]')];
  const fields = { q: one('text'), kind: one('kind'), project: one('project') };
  const sum = (some) => some.reduce((total, { count }) => total + count, 0);
  const total = sum(items);
  const isFound = (item, words) => {
    if (words.length === 0) return true;
    item.text ??= readText(item.element).toLowerCase();
    return words.every((word) => item.text.includes(word));
  };
  const filter = () => {
    const words = fields.q.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const actions = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const [kind, project] = [fields.kind.value, fields.project.value];
    const shown = items.filter(
      (item) =>
        (item.action === undefined || actions.has(item.action)) &&
        (kind === '' || item.kind === kind) &&
        (project === '' || item.project === project) &&
        isFound(item, words),
    );
    const visible = new Set(shown);
    for (const item of items)
      if (item.element.hidden === visible.has(item)) item.element.hidden = !visible.has(item);
    for (const { element, items: own, tallies } of groups) {
      const seen = own.filter((item) => visible.has(item));
      element.hidden = seen.length === 0;
      for (const { node, whole, action } of tallies) {
        const isCounted = (item) => action === undefined || item.action === action;
        const [some, all] = [sum(seen.filter(isCounted)), sum(own.filter(isCounted))];
        node.textContent = some === all ? whole : some + ' of ' + whole;
      }
    }
    // A search opens the groups of its hits, unless there are so many that the page would be one long list.
    if (shown.length < items.length && shown.length <= 50) for (const { element } of shown) openGroups(element);
    const count = sum(shown);
    one('shown').textContent =
      (count === total ? '' : count + ' of ') + total + ' ' + noun + (total === 1 ? '' : 's');
    one('empty').hidden = shown.length > 0;
    mark(undefined);
    return shown;
  };
  // Hits are below the box, which stays.
  const see = (element) => {
    const row = element.querySelector('summary');
    const { top, bottom } = row.getBoundingClientRect();
    if (top < form.firstElementChild.getBoundingClientRect().bottom || bottom > innerHeight) row.scrollIntoView();
  };
  let due = 0;
  const search = () => {
    clearTimeout(due);
    due = 0;
    const [first] = filter();
    keep();
    if (first && document.activeElement === fields.q && fields.q.value !== '') {
      openGroups(first.element);
      see(first.element);
    }
  };
  const keep = () => {
    const state = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) state.set(name, field.value);
    if (boxes.some((box) => !box.checked))
      state.set('action', boxes.filter((box) => box.checked).map((box) => box.value).join(','));
    const text = state.toString();
    if (text === '' && !location.hash.startsWith('#?')) return;
    // A page within a frame without an address refuses this: its filters then stay out of the address.
    try { history.replaceState(null, '', text === '' ? '#' : '#?' + text); } catch {}
  };
  const restore = () => {
    if (!location.hash.startsWith('#?')) return;
    const state = new URLSearchParams(location.hash.slice(2));
    for (const [name, field] of Object.entries(fields)) field.value = state.get(name) ?? '';
    const actions = state.get('action')?.split(',');
    for (const box of boxes) box.checked = !actions || actions.includes(box.value);
    for (const name of ['kind', 'project']) if (fields[name].selectedIndex < 0) fields[name].value = '';
    filter();
  };
  const after = (milliseconds) => () => {
    clearTimeout(due);
    due = setTimeout(search, milliseconds);
  };
  const openAll = (isOpen) => () => {
    if (isOpen) for (const { element } of groups) element.open = true;
    for (const { element, details } of items) if (!element.hidden) details.open = isOpen;
  };
  const goFrom = (from, step) => {
    const shown = items.filter(({ element }) => !element.hidden).map(({ element }) => element);
    const at = shown.indexOf(from);
    return at === -1 ? shown.at(step > 0 ? 0 : -1) : shown[at + step];
  };
  const go = (step) => {
    const next = goFrom(document.activeElement.closest('li[data-kind]') ?? current, step);
    if (!next) return;
    mark(next);
    openGroups(next);
    next.querySelector('summary').focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
  };
  form.hidden = false;
  form.addEventListener('input', after(60));
  form.addEventListener('reset', after(0));
  form.addEventListener('submit', (event) => event.preventDefault());
  // From hit to hit, around the end, while the box keeps the cursor.
  fields.q.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    if (due > 0) search();
    const step = event.shiftKey ? -1 : 1;
    const next = goFrom(current, step) ?? goFrom(undefined, step);
    if (!next) return;
    mark(next);
    openGroups(next);
    see(next);
  });
  one('open').addEventListener('click', openAll(true));
  one('close').addEventListener('click', openAll(false));
  one('next').addEventListener('click', () => go(1));
  one('previous').addEventListener('click', () => go(-1));
  const keys = { '/': () => fields.q.focus(), n: () => go(1), j: () => go(1), p: () => go(-1), k: () => go(-1) };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName) && document.activeElement.type !== 'checkbox') return;
    event.preventDefault();
    keys[event.key]();
  });
  addEventListener('hashchange', restore);
  restore();
}
// On paper all is open, and then as it was.
let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('.tree .group:not([open]), .tree li > details:not([open])')];
  for (const details of closed) {
    details.open = true;
    build({ target: details });
  }
});
addEventListener('afterprint', () => {
  for (const details of closed) details.open = false;
});
addEventListener('hashchange', reveal);
document.addEventListener('toggle', build, true);
reveal();
`;
