// Links of the pages as the site can follow them.

/** What a link leads to on the site: a page of Markdown, the README of an example, or nothing. */
function targetOnSite(target) {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [path, anchor] = target.split('#');
  const page = /(?:^|\/)examples\/[a-z]+\/?$/.test(path)
    ? `${path.replace(/\/$/, '')}/README.md`
    : path;
  if (!page.endsWith('.md')) return undefined;
  return anchor === undefined ? page : `${page}#${anchor}`;
}

/** A plugin of markdown-it: what lies outside of the site is shown as text. */
export function followLinks(md) {
  md.core.ruler.push('follow-links', ({ tokens }) => {
    for (const { children } of tokens) followIn(children ?? []);
  });
}

function followIn(children) {
  let isOutside = false;
  for (const token of children) {
    if (token.type === 'link_open') {
      const target = targetOnSite(token.attrGet('href') ?? '');
      isOutside = target === undefined;
      if (!isOutside) token.attrSet('href', target);
    }
    if (!isOutside || !token.type.startsWith('link_')) continue;
    isOutside = token.type !== 'link_close';
    Object.assign(token, { type: 'text', content: '', tag: '', nesting: 0 });
  }
}
