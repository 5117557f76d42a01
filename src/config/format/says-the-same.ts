import { isAlias, isMap, isPair, isScalar, isSeq, Parser, type CST, type Document } from 'yaml';
import { FaultList } from '../source/fault-list.ts';
import { restoreSoftenedText } from '../source/soften-brackets.ts';
import { parsableText, parseYaml } from '../source/parse-yaml.ts';
import { readTree } from '../source/read-tree.ts';
import { SourceFile } from '../source/source-file.ts';

/** True when a new text has the values of the old one, and all of its comments. Entries of maps may have changed places. */
export function hasSameYamlContent(
  before: { readonly text: string; readonly document: Document },
  after: string,
): boolean {
  const faults = new FaultList();
  const file = new SourceFile('', after);
  const document = parseYaml(file, faults);
  // The tree knows of aliases that stand above their anchors.
  readTree(file, faults);
  if (!document || !faults.isEmpty) return false;
  const [left, right] = [before.text, after].map((text) => listTokens(text, 'comment').sort());
  return (
    isSame(before.document.contents, document.contents) && left?.join('\n') === right?.join('\n')
  );
}

/** Compares two nodes. The value of an alias is compared where it is written, at its anchor. */
function isSame(left: unknown, right: unknown): boolean {
  if (isNothing(left)) return isNothing(right);
  if (isAlias(left)) return isAlias(right) && left.source === right.source;
  if (isScalar(left)) {
    return isScalar(right) && Object.is(left.value, right.value) && isMarkedAlike(left, right);
  }
  if (isSeq(left)) {
    if (!isSeq(right) || !isMarkedAlike(left, right)) return false;
    if (left.items.length !== right.items.length) return false;
    return left.items.every((item, index) => isSame(item, right.items[index]));
  }
  if (isPair(left))
    return isPair(right) && isSame(left.key, right.key) && isSame(left.value, right.value);
  if (!isMap(left)) return left === right;
  if (!isMap(right) || !isMarkedAlike(left, right)) return false;
  if (left.items.length !== right.items.length) return false;
  const others = new Map(right.items.map((item) => [nameOf(item.key), item]));
  return left.items.every((item) => isSame(item, others.get(nameOf(item.key))));
}

/** A value that is left out, with its colon or without. */
function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function nameOf(key: unknown): string {
  return isScalar(key) ? `${typeof key.value}:${String(key.value)}` : '';
}

interface Marked {
  readonly anchor?: string | undefined;
  readonly tag?: string | undefined;
}

function isMarkedAlike(left: Marked, right: Marked): boolean {
  return left.anchor === right.anchor && left.tag === right.tag;
}

/** Texts of all tokens of one sort, in no order. */
export function listTokens(text: string, wanted: 'comment' | 'anchor'): string[] {
  const found: string[] = [];
  const open: unknown[] = [...new Parser().parse(parsableText(text))];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const { type, source } = one as Partial<CST.SourceToken>;
    if (type === wanted && source !== undefined) found.push(restoreSoftenedText(source.trimEnd()));
    const { start, sep, end, props, key, value, items } = one as Record<string, unknown>;
    for (const part of [start, sep, end, props, items]) {
      if (Array.isArray(part)) open.push(...part);
      else open.push(part);
    }
    open.push(key, value);
  }
  return found;
}
