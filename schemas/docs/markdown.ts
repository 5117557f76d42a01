// What all generated pages are written with.

/** The name that a link to a heading has, on code hosts and on the site. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** In lines of at most `width` characters; code stays in one piece. */
export function wrap(text: string, width = 98): string {
  const words = text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g) ?? [];
  const lines = [''];
  for (const word of glue(words)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

/** What begins a list at the head of a line stays behind the word before it. */
function glue(words: readonly string[]): readonly string[] {
  return words.reduce<string[]>((all, word) => {
    const last = all.at(-1);
    if (last === undefined || !/^(?:\d+[.)]|[-+*])$/.test(word)) return [...all, word];
    return [...all.slice(0, -1), `${last} ${word}`];
  }, []);
}

/** An item of a list; its further lines are indented. */
export function item(text: string): string {
  return wrap(`- ${text}`, 96).replaceAll('\n', '\n  ');
}

/** The first letter large, a full stop at the end. */
export function sentence(text: string): string {
  // What is spelled as in the language keeps its first letter.
  const isSpelled = /^[\w-]+(?::|\.\w)/.test(text);
  return closed(isSpelled ? text : text.charAt(0).toUpperCase() + text.slice(1));
}

/** With a full stop at the end. */
export function closed(text: string): string {
  return /[.:?!]$/.test(text) ? text : `${text}.`;
}

/** What is code in a text that has none marked: expressions, variables of the environment, flags, `true` and `false`. */
const code = /\$\{[^}]*\}|\b[A-Z]+(?:_[A-Z]+)+\b|--[a-z][a-z-]*|\b(?:true|false)(?=:)|\{ .*? \}/g;

/** A text in which Markdown and the site see nothing of their own, with what is code as code. */
export function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : markCode(part)))
    .join('');
}

function markCode(text: string): string {
  return text
    .replace(code, '`$&`')
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[<*[\]]/g, String.raw`\$&`)))
    .join('');
}
