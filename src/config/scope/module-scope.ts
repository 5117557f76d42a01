import { TypeChecker, type NameTypes } from '../../expressions/evaluate/check-types.ts';
import type { ExpressionFunctions } from '../../expressions/functions/define.ts';
import { NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { findDataSource } from '../../kinds/data-sources.ts';
import { listDataEntries } from './data-values.ts';
import { readNodeText } from '../source/read-fields.ts';
import {
  expressionCollectionNames,
  type DeclaredNames,
  type NamesWithMembers,
} from './check-names.ts';
import { toCelType } from '../variables/cel-type.ts';
import { checkVariableValidations } from './check-validations.ts';
import { emptyEachBinding, type EachBinding } from './each.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type YamlScalarNode,
} from '../source/located-node.ts';
import { makeModuleGroups, type ModuleGroup, type ModuleInputs } from './module-group.ts';
import {
  prepareTemplate,
  type PreparedTemplate,
  type ExpressionVocabulary,
} from './prepare-template.ts';
import { makeResourceGroups } from './make-groups.ts';
import type { ResourceCollections } from './resource-group.ts';
import { readModuleNameRoots, readResourceNameRoots } from './resource-names.ts';
import { evaluateValue } from './resolve-node.ts';
import { EvaluationCell, type EvaluationSession } from './evaluation-session.ts';
import type {
  BlockExpressionNames,
  UnevaluatedValue,
  ModuleExpressionContext,
  ParsedModuleFiles,
} from './space.ts';
import type { PublicKeyReader } from '../source/read-public-keys.ts';

/** Inputs that a module's scope gets from its surroundings. */
interface ScopeInputs extends ModuleInputs {
  readonly session: EvaluationSession;
  readonly functions: ExpressionFunctions;
  /** Functions with access to files and environment, for the modules used in this one. */
  readonly moduleFunctions: ExpressionFunctions;
  readonly publicKeys: PublicKeyReader;
}

/** Types of the attributes of each `data` entry, for checks of names. */
function listDataTypes(tree: ParsedModuleFiles['tree']): NameTypes | string {
  const entries = [...listDataEntries(tree)].map(
    ([key, { value }]): [string, NameTypes | string] => [
      key,
      findDataSource(readNodeText(findYamlMapChild(value, 'kind')))?.attributes ?? 'dyn',
    ],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : 'dyn';
}

function listTypes({ variables, tree }: ParsedModuleFiles): NameTypes {
  const types = [...variables].map(([name, { type }]) => [name, toCelType(type)] as const);
  return {
    var: types.length > 0 ? Object.fromEntries(types) : 'dyn',
    local: 'dyn',
    data: listDataTypes(tree),
    each: 'dyn',
    path: { module: 'string' },
    modules: 'dyn',
    ...Object.fromEntries([...expressionCollectionNames.keys()].map((name) => [name, 'dyn'])),
  };
}

/** Lists a module's scope with those of all modules below it. */
export function listModuleScopes(scope: ModuleScope): readonly ModuleScope[] {
  const inner = [...scope.modules.values()].flatMap((module) => [...module.spaces()]);
  return [scope, ...inner.flatMap(listModuleScopes)];
}

/** The scope of a configuration, or of one module instance: its files with the values of their names. */
export class ModuleScope implements ModuleExpressionContext {
  readonly source: ParsedModuleFiles;
  readonly session: EvaluationSession;
  readonly prefix: string;
  readonly functions: ExpressionFunctions;
  readonly publicKeys: PublicKeyReader;
  /** Blocks of the module's resources, by collection. */
  readonly collections: ResourceCollections;
  readonly modules: ReadonlyMap<string, ModuleGroup<ModuleScope>>;
  readonly #locals: ReadonlyMap<string, EvaluationCell<ScopeValue>>;
  readonly #outputs: ReadonlyMap<string, EvaluationCell<ScopeValue>>;
  readonly #roots: ReadonlyMap<string, NameTree>;
  readonly #scope: NameTree;
  readonly #names: DeclaredNames;
  readonly #variableOrigin: (name: string) => UnevaluatedValue | undefined;
  readonly #givenPlace: ModuleInputs['givenPlace'];
  /** Evaluates a variable that nothing reads, so that its faults are reported. */
  readonly #readAlone: (name: string) => void;
  #types: TypeChecker | undefined;

  constructor(source: ParsedModuleFiles, inputs: ScopeInputs) {
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
    this.#locals = this.#makeCells('local', findYamlMapChild(tree, 'locals'), ({ value }) => value);
    this.#outputs = this.#makeCells('outputs', findYamlMapChild(tree, 'outputs'), ({ value }) => {
      return findYamlMapChild(value, 'value');
    });
    this.collections = makeResourceGroups(this);
    this.modules = makeModuleGroups(
      this,
      (module, given) =>
        new ModuleScope(module, { ...inputs, functions: inputs.moduleFunctions, ...given }),
    );
    this.#names = {
      variables,
      locals: [...this.#locals.keys()],
      tree,
      others: {},
      each: emptyEachBinding,
      kind: undefined,
      outputsOf: (key) => {
        const module = source.modules.get(key);
        return module && [...listYamlMapEntries(findYamlMapChild(module.tree, 'outputs')).keys()];
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
        readModuleNameRoots(this.modules),
        ...readResourceNameRoots(this.collections),
      ].map((root) => [root.label, root]),
    );
    this.#scope = this.scopeOf({ kind: 'none', names: NameTree.of('each', {}) });
  }

  scopeOf(each: EachBinding): NameTree {
    if (each === emptyEachBinding) return this.#scope;
    return new NameTree(
      '',
      () => [...this.#roots.keys(), 'each'],
      (name) =>
        name === 'each' ? (each.names ?? new Unknown('each', true)) : this.#roots.get(name),
    );
  }

  originOf(root: 'local' | 'var', name: string): UnevaluatedValue | undefined {
    if (root === 'var') return this.#variableOrigin(name);
    const node = findYamlMapChild(findYamlMapChild(this.source.tree, 'locals'), name);
    return node && { node, space: this, each: emptyEachBinding };
  }

  readOutput(name: string): ScopeValue | undefined {
    return this.#outputs.get(name)?.read();
  }

  get outputNames(): readonly string[] {
    return [...this.#outputs.keys()];
  }

  prepare(
    node: YamlScalarNode,
    each: EachBinding,
    address: ResourceAddress | undefined,
  ): PreparedTemplate {
    const known = this.source.prepared.get(node);
    if (known) return known;
    const kind = address === undefined ? undefined : parseResourceAddress(address)?.kind;
    const vocabulary = this.#vocabularyWith({ each, kind });
    const made = prepareTemplate(node, vocabulary, address, this.session.faults);
    this.source.prepared.set(node, made);
    return made;
  }

  vocabularyWith(others: NamesWithMembers, block: BlockExpressionNames = {}): ExpressionVocabulary {
    return this.#vocabularyWith({ others, ...block });
  }

  #vocabularyWith(own: Partial<DeclaredNames>): ExpressionVocabulary {
    this.#types ??= new TypeChecker(listTypes(this.source));
    return { names: { ...this.#names, ...own }, types: this.#types, functions: this.functions };
  }

  /** Computes every local, output and variable, so that faults of unused ones are reported too. */
  settle(): void {
    for (const cell of this.#locals.values()) cell.read();
    for (const cell of this.#outputs.values()) cell.read();
    for (const name of this.source.variables.keys()) this.#readAlone(name);
    checkVariableValidations(this, this.#givenPlace);
  }

  #readVariable(name: string, inputs: ScopeInputs): ScopeValue | undefined {
    const declaration = this.source.variables.get(name);
    if (!declaration) return undefined;
    if (declaration.isSensitive) this.session.read.isSensitive = true;
    return inputs.readVariable(name);
  }

  #makeCells(
    root: string,
    node: Parameters<typeof listYamlMapEntries>[0],
    pick: (entry: YamlEntry) => YamlEntry['value'] | undefined,
  ): ReadonlyMap<string, EvaluationCell<ScopeValue>> {
    const cells = [...listYamlMapEntries(node)].map(
      ([name, entry]): [string, EvaluationCell<ScopeValue>] => {
        const label = `${root}.${name}`;
        const value = pick(entry);
        const cell = new EvaluationCell<ScopeValue>(
          this.session,
          { label: `${this.prefix}${label}`, place: entry.key },
          () => (value ? evaluateValue(value, { space: this, each: emptyEachBinding }) : null),
          new Unknown(label, true),
        );
        return [name, cell];
      },
    );
    return new Map(cells);
  }
}
