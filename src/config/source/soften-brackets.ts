// Replacement of brackets that YAML wants quotes for inside { } and [ ], and that can only mean one thing: `vm: web[0]`,
// `region: ${each.key}`. The parser sees letters in their place.
import { isScalar, visit, type Document } from 'yaml';

/** Characters that end a value inside brackets; while the parser reads, each is replaced by one letter, so that places stay. */
const meaning = '{}[],:#';
const firstMark = 0xe000;
const anyMark = /[\ue000-\ue006]/;
const allMarks = /[\ue000-\ue006]/g;

const mark = (text: string) =>
  text.replace(/[{}[\],:#]/g, (one) => String.fromCharCode(firstMark + meaning.indexOf(one)));
/** Restores the brackets in a text from a YAML file whose brackets were replaced for parsing. */
export const decodeBracketsInText = (text: string) =>
  text.replace(allMarks, (one) => meaning.charAt(one.charCodeAt(0) - firstMark));

/** Offset of the `}` of an expression that begins at `${`; -1 when it is not closed on its line. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (one === '\n') return -1;
    if (quote !== '') {
      if (one === '\\') at += 1;
      else if (one === quote) quote = '';
    } else if (one === '"' || one === "'") quote = one;
    else if (one === '{') depth += 1;
    else if (one === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function markExpressions(text: string): string {
  let made = '';
  let done = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', done)) {
    const isEscaped = text.charAt(start - 1) === '$';
    const end = isEscaped ? -1 : findEnd(text, start);
    const next = end < 0 ? start + 2 : end + 1;
    made +=
      text.slice(done, start) + (end < 0 ? text.slice(start, next) : mark(text.slice(start, next)));
    done = next;
  }
  return made + text.slice(done);
}

/** Matches the brackets of instances in addresses: `web[0]`, `web["a"]`, `web[${each.index}]`. */
const instance = /(?<=[\w\ue001-])\[(?:\d+|"[^"\n]*"|'[^'\n]*'|\$\ue000[^\n\ue001]*\ue001)\]/g;

/**
 * Replaces the brackets of expressions and of instances by letters, for a parser that would end a value at them; the
 * length of the text stays the same. Undefined where there are no such brackets.
 */
export function encodeBracketsAsLetters(text: string): string | undefined {
  if (anyMark.test(text)) return undefined;
  const softened = markExpressions(text).replace(
    instance,
    (one) => mark('[') + one.slice(1, -1) + mark(']'),
  );
  return softened === text ? undefined : softened;
}

/** Restores the brackets in the values of a parsed document whose brackets were replaced by letters. */
export function decodeBracketsInDocument(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string') node.value = decodeBracketsInText(node.value);
      if (isScalar(node) && node.source !== undefined)
        node.source = decodeBracketsInText(node.source);
    },
  });
}
