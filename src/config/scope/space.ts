import type { ExpressionFunctions } from '../../expressions/functions/define.ts';
import type { NameTree, ScopeValue } from '../../expressions/values/scope.ts';
import type { ResourceAddress, InstanceKey } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { PublicKeyReader } from '../source/read-public-keys.ts';
import type {
  YamlEntry,
  LocatedYamlNode,
  YamlMapNode,
  YamlScalarNode,
} from '../source/located-node.ts';
import type { DeclaredNames, NamesWithMembers } from './check-names.ts';
import type { VariableDeclaration } from '../variables/variable-declaration.ts';
import type { EachBinding, BlockRepetition, InstanceSet } from './each.ts';
import type { EvaluationSession } from './evaluation-session.ts';
import type { PreparedTemplate, ExpressionVocabulary } from './prepare-template.ts';

/** Parsed files of a configuration or of a module, read once however often the module is used. */
export interface ParsedModuleFiles {
  readonly tree: YamlMapNode;
  /** Relative to the directory of the configuration; `.` for the configuration itself. */
  readonly path: string;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  /** Modules that this module's files use, by key; undefined for one that could not be read. */
  readonly modules: ReadonlyMap<string, ParsedModuleFiles | undefined>;
  readonly prepared: WeakMap<YamlScalarNode, PreparedTemplate>;
}

/** Source of a value that is not evaluated yet, with the context in which its names are looked up. */
export interface UnevaluatedValue {
  readonly node: LocatedYamlNode;
  readonly space: ModuleExpressionContext;
  readonly each: EachBinding;
}

/** The values of `each` and `self` in the block that holds an expression. */
export type BlockExpressionNames = Partial<Pick<DeclaredNames, 'each' | 'kind'>>;

/** Use of a module with its instances, from which expressions read the outputs. */
export interface ModuleUse {
  readonly key: string;
  readonly instances: InstanceSet;
  /** Name of an instance of the module in expressions. */
  labelOf(instance: InstanceKey | undefined): string;
  /** Returns the expression context of an instance; undefined when the module could not be read. */
  spaceOf(instance: InstanceKey | undefined): ModuleExpressionContext | undefined;
}

/** Context for evaluating the expressions of a configuration, or of one module instance: the interface of `ModuleScope`. */
export interface ModuleExpressionContext {
  readonly source: ParsedModuleFiles;
  readonly session: EvaluationSession;
  /** Empty for the configuration itself, `modules.shopEu["eu"].` for a module. */
  readonly prefix: string;
  readonly functions: ExpressionFunctions;
  readonly publicKeys: PublicKeyReader;
  readonly modules: ReadonlyMap<string, ModuleUse>;
  /** Names of the outputs that the module declares. */
  readonly outputNames: readonly string[];
  /** The value of an output; undefined when there is no such output. */
  readOutput(name: string): ScopeValue | undefined;
  /** The values of all names in one instance of a block. */
  scopeOf(each: EachBinding): NameTree;
  /** Source of a local, or of the value that a variable of a module is set to; undefined where there is none. */
  originOf(root: 'local' | 'var', name: string): UnevaluatedValue | undefined;
  /** Reads and checks a text with expressions, once; its faults are reported. */
  prepare(
    node: YamlScalarNode,
    each: EachBinding,
    address: ResourceAddress | undefined,
  ): PreparedTemplate;
  /**
   * Names and types that expressions are checked against; `others` are names that only some expressions may use, `block` has
   * those of their block.
   */
  vocabularyWith(others: NamesWithMembers, block?: BlockExpressionNames): ExpressionVocabulary;
}

/** The block under one key of a collection, as far as a reader of one of its fields needs it. */
export interface ConfiguredBlock {
  readonly space: ModuleExpressionContext;
  readonly kind: KindName;
  readonly address: ResourceAddress;
  readonly key: string;
  /** The block in the YAML, with missing fields filled in from `defaults`. */
  readonly entry: YamlEntry;
  readonly fields: ReadonlyMap<string, YamlEntry>;
  readonly eachKind: BlockRepetition;
  /** Tells whether a field may differ between instances, as it reads `each`. */
  varies(field: string): boolean;
}
