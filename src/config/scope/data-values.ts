// Values of `data` in expressions: unread while the configuration is checked without an account, results of the queries
// later.
import { NameTree, Unknown, UnreadValue, type ScopeValue } from '../../expressions/values/scope.ts';
import { findDataSource } from '../../kinds/data-sources.ts';
import type { DataQueryOutcome, DataQuery, UsedDataResult } from '../../model/data.ts';
import { readNodeText } from '../source/read-fields.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type YamlMapNode,
} from '../source/located-node.ts';

/** Lists the entries of `data` in the files of a configuration or of a module. */
export function listDataEntries(tree: YamlMapNode): ReadonlyMap<string, YamlEntry> {
  return listYamlMapEntries(findYamlMapChild(tree, 'data'));
}

/** Results of the `data` queries for one evaluation of a configuration, with the attributes that its expressions use. */
export class DataValues {
  /** Results by the name of the query; undefined before anything was read. */
  readonly #outcomes: ReadonlyMap<string, DataQueryOutcome> | undefined;
  readonly #used = new Map<string, Set<string>>();
  /** Called for each entry that an expression reads, with the name of its query. */
  onRead: (query: string) => void = () => undefined;

  constructor(outcomes?: ReadonlyMap<string, DataQueryOutcome>) {
    this.#outcomes = outcomes;
  }

  /** Result of a `data` query; undefined before queries were sent. */
  outcomeOf(name: string): DataQueryOutcome | undefined {
    return this.#outcomes?.get(name);
  }

  /**
   * Returns the names below `data` as the expressions of one module read them; `prefix` is the start of the module's
   * addresses.
   */
  namesOf(tree: YamlMapNode, prefix: string): NameTree {
    const entries = listDataEntries(tree);
    const made = new Map<string, NameTree>();
    return new NameTree(
      'data',
      () => [...entries.keys()],
      (key) => {
        const entry = entries.get(key);
        if (!entry) return undefined;
        const known = made.get(key) ?? this.#makeEntry(key, entry, prefix);
        made.set(key, known);
        return known;
      },
    );
  }

  #makeEntry(key: string, { value }: YamlEntry, prefix: string): NameTree {
    const attributes =
      findDataSource(readNodeText(findYamlMapChild(value, 'kind')))?.attributes ?? {};
    const label = `data.${key}`;
    return new NameTree(
      label,
      () => Object.keys(attributes),
      (name) =>
        Object.hasOwn(attributes, name) ? this.#read(prefix + label, name, label) : undefined,
    );
  }

  #read(query: string, name: string, label: string): ScopeValue {
    const outcome = this.#outcomes?.get(query);
    this.onRead(query);
    if (outcome?.kind === 'found') {
      const used = this.#used.get(query) ?? new Set<string>();
      this.#used.set(query, used.add(name));
      return outcome.values[name] ?? null;
    }
    const reference = `${label}.${name}`;
    return this.#outcomes ? new Unknown(reference, true) : new UnreadValue(reference);
  }

  /** Lists the results of `data` queries that expressions have used, in the order of the queries. */
  listReadings(queries: readonly DataQuery[]): readonly UsedDataResult[] {
    return queries.flatMap((query): UsedDataResult[] => {
      const outcome = this.#outcomes?.get(query.name);
      if (outcome?.kind !== 'found') return [];
      const names = [...(this.#used.get(query.name) ?? [])].sort();
      const values = Object.fromEntries(names.map((name) => [name, outcome.values[name] ?? null]));
      const { id, projectName } = outcome;
      return [{ query, id, ...(projectName !== undefined && { projectName }), values }];
    });
  }
}
