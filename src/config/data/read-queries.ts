import { EvaluationBudget } from '../../expressions/values/budget.ts';
import { Unknown } from '../../expressions/values/scope.ts';
import { ExpressionError } from '../../expressions/parse/expression-fault.ts';
import { matchPattern } from '../../expressions/notation/pattern.ts';
import { findDataSource, listDataSelectors, type DataSource } from '../../kinds/data-sources.ts';
import type { DataKind, DataQuery, DataSelector } from '../../model/data.ts';
import { projectKind } from '../../model/kind-table.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import { isTrueNode, readNodeText } from '../source/read-fields.ts';
import { validateField } from '../schema/validate-field.ts';
import { emptyEachBinding } from '../scope/each.ts';
import { listModuleScopes, type ModuleScope } from '../scope/module-scope.ts';
import { evaluateYamlNode } from '../scope/resolve-node.ts';
import type { ConfigurationFault } from '../source/fault-list.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { toSourceRange, type SourceTextRange } from '../source/source-file.ts';
import { listDataEntries } from '../scope/data-values.ts';

const mustBeKnown = 'The account is asked for it before any plan is made.';
const readsNoData = 'All entries of `data` are read at once, so none of them can use another.';

/** Reader of one entry, with its expressions evaluated. Fields without a value are left out. */
class EntryReader {
  readonly #space: ModuleScope;
  readonly #key: string;
  readonly #entry: YamlEntry;
  readonly #nodes = new Map<string, LocatedYamlNode>();
  /** Tells whether a fault was reported or a field has no value, so that the `data` entry is left out. */
  isBroken = false;

  constructor(space: ModuleScope, key: string, entry: YamlEntry) {
    this.#space = space;
    this.#key = key;
    this.#entry = entry;
    for (const [name, field] of listYamlMapEntries(entry.value)) this.#resolve(name, field);
  }

  #resolve(name: string, { key, value }: YamlEntry): void {
    const { session } = this.#space;
    const around = { space: this.#space, each: emptyEachBinding, mustBeKnown, readsNoData };
    const { value: node, isSensitive } = session.trace(() => evaluateYamlNode(value, around));
    if (isSensitive) {
      this.report({
        code: 'sensitive-data',
        summary: `\`${name}\` of \`data.${this.#key}\` depends on a sensitive value`,
        detail: 'Messages and saved plans show what is looked for.',
        hint: 'Find it by something that is not sensitive.',
        place: value,
      });
    }
    if (node instanceof Unknown) this.isBroken = true;
    else if (node === value || this.#fits(name, node, key)) this.#nodes.set(name, node);
    else this.isBroken = true;
  }

  #fits(name: string, node: LocatedYamlNode, key: SourceTextRange): boolean {
    const subject = { path: ['data', this.#key, name], node, key };
    return validateField('data', name, subject, undefined, this.#space.session.faults);
  }

  has(name: string): boolean {
    return listYamlMapEntries(this.#entry.value).has(name);
  }

  /** Tells whether the `data` entry has a key that the schema does not know. */
  get hasUnknownKeys(): boolean {
    const known = new Set(['kind', projectKind, 'match', 'newest', ...listDataSelectors()]);
    return [...listYamlMapEntries(this.#entry.value).keys()].some((name) => !known.has(name));
  }

  textOf(name: string): string | undefined {
    return readNodeText(this.#nodes.get(name));
  }

  isTrue(name: string): boolean {
    return isTrueNode(this.#nodes.get(name));
  }

  placeOf(name: string): SourceTextRange {
    return findYamlMapChild(this.#entry.value, name) ?? this.#entry.key;
  }

  report(fault: ConfigurationFault): void {
    this.isBroken = true;
    this.#space.session.faults.add(fault);
  }

  /** Name of the `data` entry in messages. */
  get label(): string {
    return `\`data.${this.#key}\``;
  }

  get place(): SourceTextRange {
    return this.#entry.key;
  }
}

/** Checks that an entry names a project exactly where its kind lies in one. */
function checkProject(reader: EntryReader, { isInProject, label, article }: DataSource): void {
  const isGiven = reader.has(projectKind);
  if (isGiven === isInProject) return;
  reader.report(
    isInProject
      ? {
          code: 'missing-key',
          summary: `${reader.label} has no \`project\``,
          detail: `Every ${label} is in a project.`,
          hint: `Add \`project\`, the name or the id of the live project.`,
          place: reader.place,
        }
      : {
          code: 'unknown-key',
          summary: `${reader.label} has a \`project\`, but ${article} ${label} belongs to none`,
          hint: 'Remove it.',
          place: reader.placeOf(projectKind),
        },
  );
}

/** The selector of an entry; undefined where a fault was reported. */
function readSelector(reader: EntryReader, source: DataSource): DataSelector | undefined {
  const own = ['id', source.calledBy];
  const alien = listDataSelectors().find((name) => !own.includes(name) && reader.has(name));
  if (alien !== undefined) {
    reader.report({
      code: 'unknown-key',
      summary: `${reader.label} has the key \`${alien}\`, which ${source.article} ${source.label} does not have`,
      hint: `Find it by ${formatNameList([source.calledBy, 'match', 'id'])}.`,
      place: reader.placeOf(alien),
    });
    return undefined;
  }
  const given = [...own, 'match'].filter((name) => reader.has(name));
  const [name] = given;
  // A misspelt key was reported, and may be the one that is missing.
  if (name === undefined && reader.hasUnknownKeys) return undefined;
  if (name === undefined || given.length > 1) {
    const all = formatNameList([source.calledBy, 'match', 'id']);
    reader.report({
      code: name === undefined ? 'missing-key' : 'exclusive-keys',
      summary: `${reader.label} needs exactly one of ${all}`,
      hint: name === undefined ? 'Add one of them.' : 'Remove all but one of them.',
      place: name === undefined ? reader.place : reader.placeOf(given.at(-1) ?? name),
    });
    return undefined;
  }
  const value = reader.textOf(name);
  if (value === undefined) return undefined;
  return name === 'match'
    ? checkPattern(reader, value)
    : { attribute: name, value: value.normalize('NFC') };
}

function checkPattern(reader: EntryReader, pattern: string): DataSelector | undefined {
  try {
    matchPattern('', pattern, new EvaluationBudget());
    return { pattern };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message: summary, hint } = error;
    reader.report({ code, summary, hint, place: reader.placeOf('match') });
    return undefined;
  }
}

function readQuery(space: ModuleScope, key: string, entry: YamlEntry): DataQuery | undefined {
  const reader = new EntryReader(space, key, entry);
  const kind = reader.textOf('kind');
  const source = findDataSource(kind);
  // A missing or unknown `kind` was already reported by the schema.
  if (!source) return undefined;
  checkProject(reader, source);
  const selector = readSelector(reader, source);
  const isNewest = reader.isTrue('newest');
  if (isNewest && selector && !('pattern' in selector) && selector.attribute === 'id') {
    reader.report({
      code: 'conflicting-fields',
      summary: `${reader.label} has an \`id\`, and \`newest\` besides`,
      detail: 'An id means one entry.',
      hint: 'Remove `newest`.',
      place: reader.placeOf('newest'),
    });
  }
  if (reader.isBroken || !selector) return undefined;
  const project = reader.textOf(projectKind);
  return {
    name: `${space.prefix}data.${key}`,
    kind: kind as DataKind,
    ...(project !== undefined && { project: project.normalize('NFC') }),
    selector,
    isNewest,
    source: toSourceRange(entry.key),
  };
}

/** Reads the `data` queries of a configuration and of its modules. Entries with faults are left out. */
export function readDataQueries(root: ModuleScope): readonly DataQuery[] {
  return listModuleScopes(root).flatMap((space) =>
    [...listDataEntries(space.source.tree)].flatMap(
      ([key, entry]) => readQuery(space, key, entry) ?? [],
    ),
  );
}

/** Reports the needed `data` entries whose query found nothing, or more than one match. */
export function reportFailedDataQueries(root: ModuleScope, needed?: ReadonlySet<string>): void {
  for (const { source, prefix, session } of listModuleScopes(root)) {
    for (const [key, entry] of listDataEntries(source.tree)) {
      const query = `${prefix}data.${key}`;
      const outcome = session.data.outcomeOf(query);
      if (outcome?.kind !== 'fault' || needed?.has(query) === false) continue;
      const { field, ...fault } = outcome.fault;
      const node = field === undefined ? undefined : findYamlMapChild(entry.value, field);
      session.faults.add({ ...fault, place: node ?? entry.key });
    }
  }
}
