/** What a report does in a browser: filter, search, open. It asks for nothing. */
export const reportScript = `
'use strict';
(() => {
  const one = (id) => document.getElementById(id);
  const reveal = () => {
    const target = location.hash === '' ? null : one(decodeURIComponent(location.hash.slice(1)));
    if (!(target instanceof HTMLDetailsElement)) return;
    target.parentElement.hidden = false;
    target.open = true;
    target.scrollIntoView();
    target.querySelector('summary').focus({ preventScroll: true });
  };
  addEventListener('hashchange', reveal);
  const form = one('filters');
  if (form) {
    const items = [...one('list').children].map((element) => ({
      element,
      details: element.firstElementChild,
      text: undefined,
      ...element.dataset,
    }));
    // What is not built yet stands as markup in one text.
    const signs = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
    const readText = (element) => {
      const held = element.querySelector('noscript');
      if (!held) return element.textContent;
      const text = held.textContent.replace(/<[^>]*>/g, ' ');
      const plain = text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => signs[name]);
      return element.textContent.replace(held.textContent, () => plain);
    };
    const build = ({ target }) => {
      const held = target.querySelector(':scope > noscript');
      if (held && target.open) held.outerHTML = held.textContent;
    };
    one('list').addEventListener('toggle', build, true);
    const boxes = [...form.querySelectorAll('input[name=action]')];
    const format = (count) => count.toLocaleString('en');
    const isFound = (item, words) => {
      if (words.length === 0) return true;
      item.text ??= readText(item.element).toLowerCase();
      return words.every((word) => item.text.includes(word));
    };
    const filter = () => {
      const words = one('text').value.toLowerCase().split(/\\s+/).filter(Boolean);
      const actions = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
      const [kind, project] = [one('kind').value, one('project').value];
      let shown = 0;
      for (const item of items) {
        const isShown =
          actions.has(item.action) &&
          (kind === '' || item.kind === kind) &&
          (project === '' || item.project === project) &&
          isFound(item, words);
        if (item.element.hidden === isShown) item.element.hidden = !isShown;
        if (isShown) shown += 1;
      }
      one('shown').textContent =
        (shown === items.length ? '' : format(shown) + ' of ') +
        format(items.length) + (items.length === 1 ? ' change' : ' changes');
    };
    let due = 0;
    const soon = () => {
      clearTimeout(due);
      due = setTimeout(filter, 60);
    };
    const openAll = (isOpen) => () => {
      for (const { element, details } of items) if (!element.hidden) details.open = isOpen;
    };
    form.hidden = false;
    form.addEventListener('input', soon);
    form.addEventListener('reset', soon);
    form.addEventListener('submit', (event) => event.preventDefault());
    one('open').addEventListener('click', openAll(true));
    one('close').addEventListener('click', openAll(false));
    addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
      event.preventDefault();
      one('text').focus();
    });
  }
  reveal();
})();
`;
