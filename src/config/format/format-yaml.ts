// The canonical form of a YAML file: order of keys, indentation, quotes, with every comment in its place. It does not depend
// on the file's meaning, and each time compares the values of the new text with those of the old one.
import { isAlias, isMap, isPair, isScalar, isSeq, Parser, type Document } from 'yaml';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { assembleSchema } from '../schema/assemble-schema.ts';
import { ConfigurationFaultList } from '../source/fault-list.ts';
import { parseYaml, escapeYamlForParser } from '../source/parse-yaml.ts';
import { readYamlTree } from '../source/read-tree.ts';
import { decodeBracketsInText } from '../source/soften-brackets.ts';
import { SourceFile } from '../source/source-file.ts';
import {
  UnknownYamlLayoutError,
  type YamlCollectionLayout,
  type YamlFileLayout,
  type YamlItemLayout,
  type YamlNodeLayout,
} from './layout.ts';
import { readYamlLayout } from './read-layout.ts';
import { writeYamlLayout } from './write-layout.ts';
import { isJsonObject, type JsonObject } from '../../model/json-object.ts';

/** YAML file in its canonical form; the text is absent where the file has a fault or no canonical form. */
export interface FormattedYaml {
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface FormatOptions {
  /** Tells whether the keys of maps are put in the order of the schema. */
  readonly isOrdered: boolean;
  /** Secrets that messages must not show. */
  readonly secrets?: readonly string[];
}

/** Formats the YAML text of a file; `path` is its name in messages. */
export function formatYaml(
  path: string,
  written: string,
  { isOrdered, secrets = [] }: FormatOptions,
): FormattedYaml {
  const text = written.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const faults = new ConfigurationFaultList(secrets);
  const file = new SourceFile(path, text, { secrets: faults.secrets });
  readYamlTree(file, faults);
  if (!faults.isEmpty) return { diagnostics: faults.toDiagnostics() };
  const before = parseYaml(file, faults);
  if (!before) return { text: writeYamlLayout(readYamlLayout(text)), diagnostics: [] };
  // An alias stands for the last anchor of its name above it, which another order would change.
  const anchors = listYamlTokenTexts(text, 'anchor');
  const mayOrder = isOrdered && new Set(anchors).size === anchors.length;
  for (const orders of mayOrder ? [true, false] : [false]) {
    const after = writeOnce(text, orders);
    if (after !== undefined && hasSameYamlContent({ text, document: before }, after)) {
      return { text: after, diagnostics: [] };
    }
  }
  return { diagnostics: [keep(path)] };
}

function writeOnce(text: string, orders: boolean): string | undefined {
  try {
    const layout = readYamlLayout(text);
    if (orders) orderKeys(layout);
    return writeYamlLayout(layout);
  } catch (error) {
    if (error instanceof UnknownYamlLayoutError) return undefined;
    throw error;
  }
}

function keep(path: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'format-unknown',
    summary: `${path} is left as it is: it has YAML for which there is no canonical form`,
    detail: 'Examples are keys that begin with `?`, and keys over several lines.',
    hint: 'Write it without them, as the pages of the language do.',
  };
}

/** Tells whether a new text has the values of the old one, and all of its comments. Entries of maps may have changed places. */
function hasSameYamlContent(
  before: { readonly text: string; readonly document: Document },
  after: string,
): boolean {
  const faults = new ConfigurationFaultList();
  const file = new SourceFile('', after);
  const document = parseYaml(file, faults);
  // Only building the tree finds aliases that stand above their anchors.
  readYamlTree(file, faults);
  if (!document || !faults.isEmpty) return false;
  const [left, right] = [before.text, after].map((text) =>
    listYamlTokenTexts(text, 'comment').sort(),
  );
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

/** Tells whether an entry has no value: `key:` or `key` alone. */
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

/** Lists the texts of all comments or anchors in a YAML text, in no order, to check that formatting has kept each. */
export function listYamlTokenTexts(text: string, wanted: 'comment' | 'anchor'): string[] {
  const found: string[] = [];
  const open: unknown[] = [...new Parser().parse(escapeYamlForParser(text))];
  while (open.length > 0) {
    const one = open.pop();
    if (!isJsonObject(one)) continue;
    const { type, source, start, sep, end, props, key, value, items } = one;
    if (type === wanted && typeof source === 'string')
      found.push(decodeBracketsInText(source.trimEnd()));
    for (const part of [start, sep, end, props, items]) {
      if (Array.isArray(part)) open.push(...part);
      else open.push(part);
    }
    open.push(key, value);
  }
  return found;
}

// The order of keys: that of the schema, as in the documentation. Chosen names, as those of resources and variables, keep
// their order.

class KeyOrder {
  readonly #definitions: JsonObject;
  readonly #root: JsonObject;

  constructor(schema: { readonly $defs: JsonObject }) {
    this.#root = schema;
    this.#definitions = schema.$defs;
  }

  sort(file: YamlFileLayout): void {
    const { root, header } = file;
    if (!root) return;
    const [first] = root.kind === 'map' ? root.items : [];
    this.#sortNode(root, this.#resolve(this.#root));
    const [next] = root.kind === 'map' ? root.items : [];
    if (root.kind !== 'map' || next?.key === first?.key) return;
    // A comment at the head of the file stays there, unless comments stand above both entries and so are theirs.
    const isOfFile = next?.before.every((line) => line === '') === true;
    const kept = isOfFile ? (first?.before ?? []) : [];
    root.items = root.items.map((item) =>
      item.key === first?.key
        ? { ...item, before: item.before.slice(0, item.before.length - kept.length) }
        : item,
    );
    const above = [...header, ...kept];
    // An empty line keeps the header from becoming a comment about the new first entry.
    file.header = above.length > 0 && above.at(-1) !== '' ? [...above, ''] : above;
  }

  /** A schema and all schemas that it refers to or combines: the keys of any of them are valid. */
  #resolve(piece: unknown): readonly JsonObject[] {
    if (!isJsonObject(piece)) return [];
    const { $ref, anyOf, oneOf, allOf } = piece;
    const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
    const parts = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
    return [
      piece,
      ...(name === undefined ? [] : this.#resolve(this.#definitions[name])),
      ...parts.flatMap((part) => this.#resolve(part)),
    ];
  }

  #sortNode(node: YamlNodeLayout, pieces: readonly JsonObject[]): void {
    if (node.kind === 'list') {
      const items = pieces.flatMap(({ items: of }) => this.#resolve(of));
      for (const { value } of node.items) if (value) this.#sortNode(value, items);
    }
    if (node.kind !== 'map') return;
    for (const { key, value } of node.items) {
      if (value) this.#sortNode(value, this.#childOf(pieces, key?.value ?? ''));
    }
    sortItems(node, [
      ...new Set(
        pieces.flatMap(({ properties }) => Object.keys(isJsonObject(properties) ? properties : {})),
      ),
    ]);
  }

  #childOf(pieces: readonly JsonObject[], key: string): readonly JsonObject[] {
    return pieces.flatMap(({ properties, additionalProperties }) => {
      const own =
        isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
      return this.#resolve(own ?? additionalProperties);
    });
  }
}

/** Puts the items in the order of the names, where it has all of them. */
function sortItems(node: YamlCollectionLayout, names: readonly string[]): void {
  const rank = new Map(names.map((name, index) => [name, index]));
  const rankOf = ({ key }: YamlItemLayout) => rank.get(key?.value ?? '');
  if (node.items.some((item) => rankOf(item) === undefined)) return;
  const sorted = node.items.toSorted((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
  const [formerFirst] = node.items;
  const [first] = sorted;
  if (!first || !formerFirst || first === formerFirst) {
    node.items = sorted;
    return;
  }
  // The new first item has no empty line above it; the former first one gets the one that it had.
  const hasBlank = first.before[0] === '';
  node.items = sorted.map((item) => {
    if (item === first && hasBlank) return { ...item, before: item.before.slice(1) };
    return item === formerFirst && hasBlank ? { ...item, before: ['', ...item.before] } : item;
  });
}

let order: KeyOrder | undefined;

/** Puts the keys of a configuration in order; a map with a key that the schema does not have stays as it is. */
function orderKeys(file: YamlFileLayout): void {
  order ??= new KeyOrder(assembleSchema());
  order.sort(file);
}
