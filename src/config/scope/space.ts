import type { HostFunctions } from '../../expressions/functions/define.ts';
import type { NameTree, ScopeValue } from '../../expressions/values/scope.ts';
import type { Address, InstanceKey } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { PublicKeyReader } from '../source/read-public-keys.ts';
import type { Entry, LocatedNode, MapNode, ScalarNode } from '../source/located-node.ts';
import type { DeclaredNames, OtherNames } from './check-names.ts';
import type { VariableDeclaration } from '../variables/variable-declaration.ts';
import type { Each, EachKind, InstanceSet } from './each.ts';
import type { Session } from './evaluation-session.ts';
import type { Prepared, Vocabulary } from './prepare-template.ts';

/** The files of a configuration or of a module, read once however often it is used. */
export interface SpaceSource {
  readonly tree: MapNode;
  /** Relative to the directory of the configuration; `.` for the configuration itself. */
  readonly path: string;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  /** The modules that it uses by key; undefined for one that could not be read. */
  readonly modules: ReadonlyMap<string, SpaceSource | undefined>;
  readonly prepared: WeakMap<ScalarNode, Prepared>;
}

/** What is written for a value, and where its names are looked up. */
export interface Origin {
  readonly node: LocatedNode;
  readonly space: Space;
  readonly each: Each;
}

/** What the names of an expression mean for the block that it stands in. */
export type BlockNames = Partial<Pick<DeclaredNames, 'each' | 'kind'>>;

/** One use of a module, or its instances, as expressions read them. */
export interface ModuleUse {
  readonly key: string;
  readonly instances: InstanceSet;
  /** How an expression writes an instance. */
  labelOf(instance: InstanceKey | undefined): string;
  /** The space of an instance; undefined when the module could not be read. */
  spaceOf(instance: InstanceKey | undefined): Space | undefined;
}

/** What the expressions of one use of a configuration's files are worked out with. `ModuleScope` makes it of the files. */
export interface Space {
  readonly source: SpaceSource;
  readonly session: Session;
  /** Empty for the configuration itself, `modules.shopEu["eu"].` for a module. */
  readonly prefix: string;
  readonly functions: HostFunctions;
  readonly publicKeys: PublicKeyReader;
  readonly modules: ReadonlyMap<string, ModuleUse>;
  /** The names of the outputs. */
  readonly outputNames: readonly string[];
  /** The value of an output; undefined when there is no such output. */
  readOutput(name: string): ScopeValue | undefined;
  /** What names stand for within one instance of a body. */
  scopeOf(each: Each): NameTree;
  /** What is written for a local, or for what a variable of a module is set to; undefined where nothing is. */
  originOf(root: 'local' | 'var', name: string): Origin | undefined;
  /** Reads and checks a text with expressions, once; its faults are reported. */
  prepare(node: ScalarNode, each: EachKind, address: Address | undefined): Prepared;
  /** What expressions are checked against; `others` are names that only some of them have, `block` is what they stand in. */
  vocabularyWith(others: OtherNames, block?: BlockNames): Vocabulary;
}

/** The block under one key of a collection, as far as a reader of one of its fields needs it. */
export interface Block {
  readonly space: Space;
  readonly kind: KindName;
  readonly address: Address;
  readonly key: string;
  /** With defaults merged under it. */
  readonly entry: Entry;
  readonly fields: ReadonlyMap<string, Entry>;
  readonly eachKind: EachKind;
  /** True when a field differs between instances. */
  varies(field: string): boolean;
}
