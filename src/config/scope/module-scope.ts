import { TypeChecker, type NameTypes } from '../../expressions/evaluate/check-types.ts';
import type { HostFunctions } from '../../expressions/functions/define.ts';
import { NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { parseAddress, type Address } from '../../model/address.ts';
import { findDataSource } from '../../kinds/data-sources.ts';
import { listEntries } from './data-values.ts';
import { readText } from '../source/read-fields.ts';
import { resourceNames, type DeclaredNames, type OtherNames } from './check-names.ts';
import { toCelType } from '../variables/cel-type.ts';
import { checkValidations } from './check-validations.ts';
import { noEach, type Each, type EachKind } from './each.ts';
import { childOf, entriesOf, type Entry, type ScalarNode } from '../source/located-node.ts';
import { makeModules, type ModuleGroup, type ModuleInputs } from './module-group.ts';
import { prepareTemplate, type Prepared, type Vocabulary } from './prepare-template.ts';
import { makeGroups } from './make-groups.ts';
import type { Collections } from './resource-group.ts';
import { readModules, readResources } from './resource-names.ts';
import { evaluateValue } from './resolve-node.ts';
import { Cell, type Session } from './evaluation-session.ts';
import type { BlockNames, Origin, Space, SpaceSource } from './space.ts';
import type { PublicKeyReader } from '../source/read-public-keys.ts';

/** What a scope is given from outside. */
interface ScopeInputs extends ModuleInputs {
  readonly session: Session;
  readonly functions: HostFunctions;
  /** The same for the modules that it uses. */
  readonly moduleFunctions: HostFunctions;
  readonly publicKeys: PublicKeyReader;
}

/** The attributes of each `data` entry. */
function listDataTypes(tree: SpaceSource['tree']): NameTypes | string {
  const entries = [...listEntries(tree)].map(([key, { value }]): [string, NameTypes | string] => [
    key,
    findDataSource(readText(childOf(value, 'kind')))?.attributes ?? 'dyn',
  ]);
  return entries.length > 0 ? Object.fromEntries(entries) : 'dyn';
}

function listTypes({ variables, tree }: SpaceSource): NameTypes {
  const types = [...variables].map(([name, { type }]) => [name, toCelType(type)] as const);
  return {
    var: types.length > 0 ? Object.fromEntries(types) : 'dyn',
    local: 'dyn',
    data: listDataTypes(tree),
    each: 'dyn',
    path: { module: 'string' },
    modules: 'dyn',
    ...Object.fromEntries([...resourceNames.keys()].map((name) => [name, 'dyn'])),
  };
}

/** The scope, and those of the modules that it uses, and so on. */
export function listScopes(scope: ModuleScope): readonly ModuleScope[] {
  const inner = [...scope.modules.values()].flatMap((module) => [...module.spaces()]);
  return [scope, ...inner.flatMap(listScopes)];
}

/** One use of a configuration's files: what its names stand for. The configuration itself, or an instance of a module. */
export class ModuleScope implements Space {
  readonly source: SpaceSource;
  readonly session: Session;
  readonly prefix: string;
  readonly functions: HostFunctions;
  readonly publicKeys: PublicKeyReader;
  /** What it configures. */
  readonly collections: Collections;
  readonly modules: ReadonlyMap<string, ModuleGroup<ModuleScope>>;
  readonly #locals: ReadonlyMap<string, Cell<ScopeValue>>;
  readonly #outputs: ReadonlyMap<string, Cell<ScopeValue>>;
  readonly #roots: ReadonlyMap<string, NameTree>;
  readonly #scope: NameTree;
  readonly #names: DeclaredNames;
  readonly #variableOrigin: (name: string) => Origin | undefined;
  readonly #givenPlace: ModuleInputs['givenPlace'];
  /** Works a variable out for its faults. */
  readonly #readAlone: (name: string) => void;
  #types: TypeChecker | undefined;

  constructor(source: SpaceSource, inputs: ScopeInputs) {
    const { session, prefix, functions, publicKeys } = inputs;
    this.source = source;
    this.session = session;
    this.prefix = prefix;
    this.functions = functions;
    this.publicKeys = publicKeys;
    this.#variableOrigin = (name) => inputs.originOf(name);
    this.#givenPlace = (name) => inputs.givenPlace(name);
    this.#readAlone = (name) => void session.trace(() => inputs.readVariable(name));
    const { tree, variables } = source;
    this.#locals = this.#makeCells('local', childOf(tree, 'locals'), ({ value }) => value);
    this.#outputs = this.#makeCells('outputs', childOf(tree, 'outputs'), ({ value }) => {
      return childOf(value, 'value');
    });
    this.collections = makeGroups(this);
    this.modules = makeModules(
      this,
      (module, given) =>
        new ModuleScope(module, { ...inputs, functions: inputs.moduleFunctions, ...given }),
    );
    this.#names = {
      variables,
      locals: [...this.#locals.keys()],
      tree,
      others: {},
      each: 'none',
      kind: undefined,
      outputsOf: (key) => {
        const module = source.modules.get(key);
        return module && [...entriesOf(childOf(module.tree, 'outputs')).keys()];
      },
    };
    this.#roots = new Map(
      [
        new NameTree(
          'var',
          () => [...variables.keys()],
          (name) => this.#readVariable(name, inputs),
        ),
        new NameTree(
          'local',
          () => this.#names.locals,
          (name) => this.#locals.get(name)?.read(),
        ),
        NameTree.of('path', { module: source.path }),
        session.data.namesOf(tree, prefix),
        readModules(this.modules),
        ...readResources(this.collections),
      ].map((root) => [root.label, root]),
    );
    this.#scope = this.scopeOf({ kind: 'none', names: NameTree.of('each', {}) });
  }

  scopeOf(each: Each): NameTree {
    if (each === noEach) return this.#scope;
    return new NameTree(
      '',
      () => [...this.#roots.keys(), 'each'],
      (name) =>
        name === 'each' ? (each.names ?? new Unknown('each', true)) : this.#roots.get(name),
    );
  }

  originOf(root: 'local' | 'var', name: string): Origin | undefined {
    if (root === 'var') return this.#variableOrigin(name);
    const node = childOf(childOf(this.source.tree, 'locals'), name);
    return node && { node, space: this, each: noEach };
  }

  readOutput(name: string): ScopeValue | undefined {
    return this.#outputs.get(name)?.read();
  }

  get outputNames(): readonly string[] {
    return [...this.#outputs.keys()];
  }

  prepare(node: ScalarNode, each: EachKind, address: Address | undefined): Prepared {
    const known = this.source.prepared.get(node);
    if (known) return known;
    const kind = address === undefined ? undefined : parseAddress(address)?.kind;
    const vocabulary = this.#vocabularyWith({ each, kind });
    const made = prepareTemplate(node, vocabulary, address, this.session.faults);
    this.source.prepared.set(node, made);
    return made;
  }

  vocabularyWith(others: OtherNames, block: BlockNames = {}): Vocabulary {
    return this.#vocabularyWith({ others, ...block });
  }

  #vocabularyWith(own: Partial<DeclaredNames>): Vocabulary {
    this.#types ??= new TypeChecker(listTypes(this.source));
    return { names: { ...this.#names, ...own }, types: this.#types, functions: this.functions };
  }

  /** Works out what nothing may have asked for, so that its faults are reported too. */
  settle(): void {
    for (const cell of this.#locals.values()) cell.read();
    for (const cell of this.#outputs.values()) cell.read();
    for (const name of this.source.variables.keys()) this.#readAlone(name);
    checkValidations(this, this.#givenPlace);
  }

  #readVariable(name: string, inputs: ScopeInputs): ScopeValue | undefined {
    const declaration = this.source.variables.get(name);
    if (!declaration) return undefined;
    if (declaration.isSensitive) this.session.read.isSensitive = true;
    return inputs.readVariable(name);
  }

  #makeCells(
    root: string,
    node: Parameters<typeof entriesOf>[0],
    pick: (entry: Entry) => Entry['value'] | undefined,
  ): ReadonlyMap<string, Cell<ScopeValue>> {
    const cells = [...entriesOf(node)].map(([name, entry]): [string, Cell<ScopeValue>] => {
      const label = `${root}.${name}`;
      const value = pick(entry);
      const cell = new Cell<ScopeValue>(
        this.session,
        { label: `${this.prefix}${label}`, place: entry.key },
        () => (value ? evaluateValue(value, { space: this, each: noEach }) : null),
        new Unknown(label, true),
      );
      return [name, cell];
    });
    return new Map(cells);
  }
}
