import type { EmptyBlockValue } from '../../model/state/projected-state.ts';
import { NameTree, type ScopeValue } from '../values/scope.ts';

/** Keys and indexes that lead to a name's value: `["web", 0, "name"]`. */
export type NamePath = readonly (string | number)[];

/** Tree that gathers values by their paths, before it is converted to names. */
export class NameTrie {
  readonly #children = new Map<string | number, NameTrie>();
  #value: ScopeValue | undefined;

  /** Stores a value at the end of a path. */
  put(way: NamePath, value: ScopeValue): void {
    const [step, ...rest] = way;
    if (step === undefined) {
      this.#value = value;
      return;
    }
    const child = this.#children.get(step) ?? new NameTrie();
    this.#children.set(step, child);
    child.put(rest, value);
  }

  /** Converts the tree to values of names; numeric keys make a list. */
  toScope(label: string): ScopeValue {
    if (this.#children.size === 0) {
      return this.#value === undefined ? NameTree.of(label, {}) : this.#value;
    }
    // Names that stand above others, as those of a project do: what lies below them hides theirs.
    if (this.#value instanceof NameTree) return withBelow(this.#value, this.toTree(label));
    const keys = [...this.#children.keys()];
    const below = (key: string | number) =>
      this.#children.get(key)?.toScope(label === '' ? String(key) : `${label}.${key}`);
    if (keys.every((key) => typeof key === 'number')) {
      return Array.from({ length: Math.max(...keys) + 1 }, (_, index) => below(index) ?? null);
    }
    return this.toTree(label);
  }

  /** Converts the tree to names, each of which is built when it is first read. */
  toTree(label: string): NameTree {
    const made = new Map<string, ScopeValue | undefined>();
    return new NameTree(
      label,
      () => [...this.#children.keys()].map(String),
      (key) => {
        if (!made.has(key)) {
          made.set(key, this.#children.get(key)?.toScope(label === '' ? key : `${label}.${key}`));
        }
        return made.get(key);
      },
    );
  }
}

/** Adds to the names of one level those that lie below it. */
function withBelow(own: NameTree, below: NameTree): NameTree {
  return new NameTree(
    below.label,
    () => [...new Set([...own.keys(), ...below.keys()])],
    (key) => {
      const value = below.get(key);
      return value === undefined ? own.get(key) : value;
    },
  );
}

const step = /([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;

/** Splits an address into its steps: `projects`, `shop`, `vms`, `web`, 0. */
export function splitResourceAddress(address: string): NamePath {
  return [...address.matchAll(step)].map(([, key, index, quoted]) => {
    if (key !== undefined) return key;
    return index === undefined ? String(JSON.parse(quoted ?? '""')) : Number(index);
  });
}

/** Returns the value that expressions read of a block without a resource: an empty list or map, or null. */
export function readEmptyBlockValue({ address, reads }: EmptyBlockValue): ScopeValue {
  return { list: [], map: NameTree.of(address, {}), null: null }[reads];
}

/** Resource with the values that expressions read below its address; `values` is read anew each time. */
export interface NamedResource {
  readonly address: string;
  readonly values: Readonly<Record<string, ScopeValue>>;
  /** Called for each attribute that an expression reads. */
  onRead?(name: string): void;
}

/**
 * Builds the names below `projects` for the expressions of one module, from the resources whose addresses begin with
 * its prefix.
 */
export function makeProjectNames(
  resources: Iterable<NamedResource>,
  prefix = '',
  emptyGroups: readonly EmptyBlockValue[] = [],
): NameTree {
  const trie = new NameTrie();
  const wayOf = (address: string) =>
    address.startsWith(`${prefix}projects.`)
      ? splitResourceAddress(address.slice(prefix.length)).slice(1)
      : undefined;
  for (const resource of resources) {
    const { address } = resource;
    const way = wayOf(address);
    if (!way) continue;
    const names = new NameTree(
      address.slice(prefix.length),
      () => Object.keys(resource.values),
      (name) => {
        const { values } = resource;
        if (!Object.hasOwn(values, name)) return undefined;
        resource.onRead?.(name);
        return values[name];
      },
    );
    trie.put(way, names);
  }
  for (const group of emptyGroups) {
    const way = wayOf(group.address);
    const address = group.address.slice(prefix.length);
    if (way) trie.put(way, readEmptyBlockValue({ ...group, address }));
  }
  return trie.toTree('projects');
}
