import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Document,
  type Pair,
  type Scalar,
} from 'yaml';
import { formatSourcePlace } from '../../model/source.ts';
import { keepLongNumberAsText } from '../../model/text/whole-numbers.ts';
import type { ConfigurationFaultList } from './fault-list.ts';
import {
  describeYamlNode,
  type YamlEntry,
  type LocatedYamlNode,
  type YamlMapNode,
} from './located-node.ts';
import { makePrintable } from './frame.ts';
import { toSourceRange, type SourceTextRange, type SourceFile } from './source-file.ts';

/** The most values that aliases may add to one file: a few lines of nested aliases can stand for billions. */
const maxAliasedValues = 100_000;

/** An anchored value; `size` counts the values in it, undefined while it is being read. */
interface Anchored {
  readonly node: LocatedYamlNode;
  readonly size: number | undefined;
}

/** Turns one parsed document into a tree: aliases and merge keys resolved, doubled keys reported. */
class TreeBuilder {
  readonly #file: SourceFile;
  readonly #faults: ConfigurationFaultList;
  readonly #anchors = new Map<string, Anchored>();
  /** Values built so far, those behind aliases counted again at each alias. */
  #size = 0;
  #aliased = 0;
  /** Tells whether an alias without an anchor was found and reported, so that the tree is incomplete. */
  hasGap = false;

  constructor(file: SourceFile, faults: ConfigurationFaultList) {
    this.#file = file;
    this.#faults = faults;
  }

  /** Builds the tree below a parsed node. A missing value, which has no text, takes the place `around`. */
  build(node: unknown, around: SourceTextRange): LocatedYamlNode {
    if (isAlias(node)) return this.#resolveAlias(node.source, this.#place(node, around));
    const place = this.#place(node, around);
    const before = this.#size;
    this.#size += 1;
    const anchor = (isScalar(node) || isMap(node) || isSeq(node)) && node.anchor;
    const nothing: LocatedYamlNode = { kind: 'scalar', value: null, ...place };
    if (anchor) this.#anchors.set(anchor, { node: nothing, size: undefined });
    const built = this.#buildValue(node, place) ?? nothing;
    if (anchor) this.#anchors.set(anchor, { node: built, size: this.#size - before });
    return built;
  }

  #buildValue(node: unknown, place: SourceTextRange): LocatedYamlNode | undefined {
    if (isSeq(node)) {
      const items = node.items.map((item) => {
        // In YAML, `[a: 1]` is a list with one map of a single key.
        return isPair(item) ? this.#buildMap([item], place) : this.build(item, place);
      });
      return { kind: 'list', items, ...place };
    }
    if (isMap(node)) return this.#buildMap(node.items, place);
    return isScalar(node) ? { kind: 'scalar', value: readScalar(node), ...place } : undefined;
  }

  #place(node: unknown, around: SourceTextRange): SourceTextRange {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : null;
    if (!range || range[1] <= range[0]) return around;
    return { file: this.#file, start: range[0], end: range[1] };
  }

  #buildMap(pairs: readonly Pair[], around: SourceTextRange): YamlMapNode {
    const own = new Map<string, YamlEntry>();
    const merged: YamlMapNode[] = [];
    for (const pair of pairs) {
      const key = this.#place(pair.key, around);
      const name = this.#readKey(pair.key, key);
      const value = this.build(pair.value, key);
      if (name === undefined) continue;
      if (name === '<<') merged.push(...this.#readMerge(value, key));
      else this.#addEntry(own, name, { key, value });
    }
    // Keys of the map itself win over merged ones, and an earlier merge over a later one.
    for (const { entries } of merged) {
      for (const [name, entry] of entries) if (!own.has(name)) own.set(name, entry);
    }
    return { kind: 'map', entries: own, ...around };
  }

  #addEntry(entries: Map<string, YamlEntry>, name: string, entry: YamlEntry): void {
    const first = entries.get(name);
    if (!first) {
      entries.set(name, entry);
      return;
    }
    this.#faults.add({
      code: 'duplicate-key',
      summary: `The key \`${makePrintable(name)}\` is in one map twice`,
      detail: `It is first at ${formatSourcePlace(toSourceRange(first.key))}.`,
      hint: 'Remove one of the two, or give it another key.',
      place: entry.key,
    });
  }

  #readKey(key: unknown, place: SourceTextRange): string | undefined {
    if (isScalar(key)) {
      return typeof key.value === 'string' ? key.value : (key.source ?? '');
    }
    this.#faults.add({
      code: 'invalid-key',
      summary: 'A key must be text',
      detail: 'A list, a map or an alias cannot be a key here.',
      hint: 'Write a plain word before the colon.',
      place,
    });
    return undefined;
  }

  #readMerge(value: LocatedYamlNode, key: SourceTextRange): YamlMapNode[] {
    // An empty merge is no fault, and a broken alias was reported.
    if (value.kind === 'scalar' && value.value === null) return [];
    const sources = value.kind === 'list' ? value.items : [value];
    const maps = sources.filter((source) => source.kind === 'map');
    if (maps.length < sources.length) {
      this.#faults.add({
        code: 'invalid-merge',
        summary: 'The merge key `<<` takes a map or a list of maps',
        detail: `Got ${value.kind === 'list' ? 'a list with something else in it' : describeYamlNode(value)}.`,
        hint: 'Write `<<: *name`, where `&name` is before a map.',
        place: key,
      });
    }
    return maps;
  }

  #resolveAlias(name: string, place: SourceTextRange): LocatedYamlNode {
    const target = this.#anchors.get(name);
    const nothing = (): LocatedYamlNode => {
      this.hasGap = true;
      return { kind: 'scalar', value: null, ...place };
    };
    if (target?.size === undefined) {
      this.#faults.add({
        code: 'invalid-alias',
        summary: target
          ? `The alias \`*${name}\` is inside the value that it repeats`
          : `There is no anchor \`&${name}\` before this alias`,
        hint: target
          ? 'Move the alias out of the anchored value.'
          : 'Put `&NAME` before the value that is to be repeated, further up in the same file; put a text that begins with * in quotes.',
        place,
      });
      return nothing();
    }
    this.#size += target.size;
    this.#aliased += target.size;
    if (this.#aliased > maxAliasedValues) {
      this.#faults.add({
        code: 'too-many-aliases',
        summary: 'The aliases of this file repeat too many values',
        detail: `Together they repeat more than ${maxAliasedValues} values.`,
        hint: 'Use `count`, or write out what is repeated.',
        place: { file: this.#file, start: 0, end: 0 },
      });
      return nothing();
    }
    return { ...target.node, ...place };
  }
}

function readScalar({ value, source }: Scalar): string | number | boolean | null {
  switch (typeof value) {
    case 'number':
      return keepLongNumberAsText(value, source);
    case 'string':
    case 'boolean':
      return value;
    default:
      return value === null ? null : (source ?? null);
  }
}

/**
 * Builds the tree of one YAML document; `tree` is undefined for an empty document, and there is no result where an
 * alias has no anchor.
 */
export function buildYamlTree(
  document: Document,
  file: SourceFile,
  faults: ConfigurationFaultList,
): { readonly tree: LocatedYamlNode | undefined } | undefined {
  if (document.contents === null) return { tree: undefined };
  const start = document.range?.[0] ?? 0;
  const builder = new TreeBuilder(file, faults);
  const tree = builder.build(document.contents, { file, start, end: start });
  if (builder.hasGap) return undefined;
  return { tree: tree.kind === 'scalar' && tree.value === null ? undefined : tree };
}
