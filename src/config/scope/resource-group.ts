import { Unknown } from '../../expressions/values/scope.ts';
import { mayKeepFieldValue } from '../../kinds/may-stay.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { formatResourceKey, type ResourceAddress, type InstanceKey } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Value } from '../../model/value.ts';
import {
  countInstances,
  findRepetitionOfKind,
  listInstanceKeys,
  bindEach,
  type EachBinding,
  type BlockRepetition,
  type InstanceSet,
} from './each.ts';
import { readFieldAsAttribute } from './interpret-field.ts';
import { findReferenceKey } from './key-of-reference.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { readNodeTexts } from '../source/read-fields.ts';
import { readInstances } from './read-instances.ts';
import { readResourceName } from './read-name.ts';
import { hasExpression, evaluateYamlNode, usesEach } from './resolve-node.ts';
import { EvaluationCell } from './evaluation-session.ts';
import type { ConfiguredBlock, ModuleExpressionContext } from './space.ts';
import { validateField } from '../schema/validate-field.ts';

/** Position and source of a group. */
interface GroupOptions {
  readonly kind: KindName;
  /** Address of the project of the resources; undefined for a project itself. */
  readonly project: ResourceAddress | undefined;
  readonly address: ResourceAddress;
  readonly key: string;
  /** The block in the YAML, with missing fields filled in from `defaults`. */
  readonly entry: YamlEntry;
  /** Keys of the YAML that lead to the block. */
  readonly path: readonly string[];
  /** The values of `each` in the surrounding block. */
  readonly outer: EachBinding;
  /** Makes the groups within the block of an instance; absent for kinds that hold none. */
  readonly makeNested?: (
    group: ResourceGroup,
    instance: InstanceKey | undefined,
  ) => ResourceCollections;
}

const noCollections: ResourceCollections = new Map();

/** Blocks of one collection of resources, by key. */
export type ResourceGroups = ReadonlyMap<string, ResourceGroup>;

/** Blocks of resources by collection, under the names that the YAML has for them, such as `vms`. */
export type ResourceCollections = ReadonlyMap<string, ResourceGroups>;

/** A field of one instance with its expressions evaluated: absent, a tree, or unknown (until apply, or because of a fault). */
export type EvaluatedFieldNode = LocatedYamlNode | Unknown | undefined;

/** Explains why a field must be known before apply; undefined where it may be known later. */
function explainNeed(kind: KindName, field: string): string | undefined {
  const known = kindRegistry[kind].fields[field];
  if (known?.deferrable) return undefined;
  return known
    ? `\`${field}\` names other resources, and the plan is put in order by it.`
    : `\`${field}\` says how the plan is made.`;
}

/** Splits the probes of a rollout off the other fields of a block. */
function splitProbes(
  fields: ReadonlyMap<string, YamlEntry>,
): Pick<ResourceGroup, 'fields' | 'probes'> {
  const rollout = fields.get('rollout');
  const probes = findYamlMapChild(rollout?.value, 'ready');
  if (rollout?.value.kind !== 'map' || !probes) return { fields, probes: undefined };
  const entries = new Map(rollout.value.entries);
  entries.delete('ready');
  const rest = { ...rollout, value: { ...rollout.value, entries } };
  return { fields: new Map([...fields, ['rollout', rest]]), probes };
}

/** Everything under one key of a collection: one resource, or its instances. Fields are worked out when asked for. */
export class ResourceGroup implements ConfiguredBlock {
  readonly space: ModuleExpressionContext;
  readonly kind: KindName;
  readonly address: ResourceAddress;
  readonly key: string;
  readonly entry: YamlEntry;
  readonly path: readonly string[];
  readonly fields: ReadonlyMap<string, YamlEntry>;
  /** The probes of its rollout as they are written: their expressions are worked out later than all others. */
  readonly probes: LocatedYamlNode | undefined;
  readonly eachKind: BlockRepetition;
  readonly #project: ResourceAddress | undefined;
  readonly #outer: EachBinding;
  readonly #instances: EvaluationCell<InstanceSet>;
  /** Computed values of fields with expressions, by field and instance. */
  readonly #cells = new Map<
    string,
    Map<InstanceKey | undefined, EvaluationCell<EvaluatedFieldNode>>
  >();
  readonly #varies = new Map<string, boolean>();
  readonly #makeNested: GroupOptions['makeNested'];
  readonly #nested = new Map<InstanceKey | undefined, ResourceCollections>();
  readonly #publicKeys = new Map<
    InstanceKey | undefined,
    EvaluationCell<string | Unknown | undefined>
  >();

  constructor(space: ModuleExpressionContext, options: GroupOptions) {
    const { kind, project, address, key, entry, path, outer } = options;
    this.space = space;
    this.kind = kind;
    this.#project = project;
    this.#outer = outer;
    this.address = address;
    this.key = key;
    this.entry = entry;
    this.path = path;
    const { fields, probes } = splitProbes(listYamlMapEntries(entry.value));
    this.fields = fields;
    this.probes = probes;
    this.eachKind = findRepetitionOfKind(kind, entry.value);
    this.#makeNested = options.makeNested;
    this.#instances = new EvaluationCell<InstanceSet>(
      space.session,
      {
        label: this.#nameOf(undefined, this.eachKind === 'none' ? undefined : this.eachKind),
        place: entry.key,
      },
      () => this.#readInstances(),
      { kind: 'unknown' },
    );
  }

  /** Tells whether the block has neither a repetition nor `enabled`, so that it is always exactly one resource. */
  get isFixed(): boolean {
    return this.eachKind === 'none' && !this.fields.has('enabled');
  }

  /** The instances of the block, computed at the first use. */
  get instances(): InstanceSet {
    return this.isFixed ? { kind: 'one' } : this.#instances.read();
  }

  /** Reads the instances and counts them against the limit before any is made. */
  #readInstances(): InstanceSet {
    const { space, fields, address, path, kind } = this;
    const each = this.#outer;
    const instances = readInstances({ space, fields, each, address, path, definition: kind });
    // A block without instances counts as a line of the configuration all the same.
    const count = Math.max(1, countInstances(instances));
    const isAllowed = space.session.expansion.claimResources(count, this.entry.key);
    return isAllowed ? instances : { kind: 'unknown' };
  }

  /** The collections in the block of an instance: the port forwards of a public IP. */
  nestedOf(instance: InstanceKey | undefined): ResourceCollections {
    if (!this.#makeNested) return noCollections;
    const made = this.#nested.get(instance) ?? this.#makeNested(this, instance);
    this.#nested.set(instance, made);
    return made;
  }

  /** Lists blocks directly within instances of this block. */
  listNested(): readonly ResourceGroup[] {
    if (!this.#makeNested) return [];
    return listInstanceKeys(this.instances).flatMap((key) =>
      listTopResourceGroups(this.nestedOf(key)),
    );
  }

  /** The project that an instance belongs to: a project to itself. */
  projectOf(instance: InstanceKey | undefined): ResourceAddress {
    return this.#project ?? this.addressOf(instance);
  }

  /** Address of its collection; empty for a kind with one resource per account. */
  get collection(): ResourceAddress {
    return this.address.slice(0, -this.key.length - 1);
  }

  /** The address of one instance of the block. */
  addressOf(instance: InstanceKey | undefined): ResourceAddress {
    return `${this.address.slice(0, -this.key.length)}${formatResourceKey(this.key, instance)}`;
  }

  /** Name of an instance, or of one of its attributes, in an expression. */
  labelOf(instance: InstanceKey | undefined, attribute?: string): string {
    const own = this.addressOf(instance).slice(this.space.prefix.length);
    return attribute === undefined ? own : `${own}.${attribute}`;
  }

  /** The name in messages, which includes the modules around the block. */
  #nameOf(instance: InstanceKey | undefined, attribute: string | undefined): string {
    return this.space.prefix + this.labelOf(instance, attribute);
  }

  /** The meaning of `each` in an instance: that of the nearest block around it that is repeated. */
  eachOf(instance: InstanceKey | undefined): EachBinding {
    if (this.eachKind === 'none') return this.#outer;
    return bindEach(this.eachKind, this.instances, instance, this.fields, this.#outer);
  }

  /** Tells whether a field may differ between instances, as it reads `each`. */
  varies(field: string): boolean {
    // A public key read from a file differs if the file's name does.
    if (field === 'publicKey' && this.varies('publicKeyFile')) return true;
    const node = this.fields.get(field)?.value;
    if (!node || this.eachKind === 'none' || !hasExpression(node)) return false;
    let varies = this.#varies.get(field);
    if (varies === undefined) {
      const each = bindEach(this.eachKind, { kind: 'unknown' }, undefined, this.fields);
      varies = usesEach(node, { space: this.space, each, address: this.address });
      this.#varies.set(field, varies);
    }
    return varies;
  }

  /** A field of an instance, its expressions evaluated and its shape checked. */
  readField(field: string, instance: InstanceKey | undefined): EvaluatedFieldNode {
    const node = this.fields.get(field)?.value;
    if (!node || !hasExpression(node)) return node;
    const key = this.varies(field) ? instance : undefined;
    const cells =
      this.#cells.get(field) ??
      new Map<InstanceKey | undefined, EvaluationCell<EvaluatedFieldNode>>();
    this.#cells.set(field, cells);
    let cell = cells.get(key);
    if (!cell) {
      const label = this.labelOf(key, field);
      cell = new EvaluationCell<EvaluatedFieldNode>(
        this.space.session,
        { label: this.#nameOf(key, field), place: node },
        () => this.#resolveField(field, node, key),
        new Unknown(label, true),
      );
      cells.set(key, cell);
    }
    return cell.read();
  }

  /** Tells whether the live value of a field may differ from the configured one, as for a field in `ignoreChanges`. */
  mayStay(field: string, instance: InstanceKey | undefined): boolean {
    return mayKeepFieldValue(this.kind, field, {
      ignoreChanges: this.#readList('lifecycle', 'ignoreChanges', instance),
      rebuildOn: this.#readList('rebuild', 'on', instance),
    });
  }

  /** Reads a list within a field, without evaluating the rest of the field where the list has no expressions. */
  #readList(field: string, key: string, instance: InstanceKey | undefined) {
    const written = this.fields.get(field)?.value;
    const list = written?.kind === 'map' ? findYamlMapChild(written, key) : written;
    if (!list) return undefined;
    const node = hasExpression(list) ? this.readField(field, instance) : written;
    const read = node instanceof Unknown ? undefined : findYamlMapChild(node, key);
    return read && readNodeTexts(read);
  }

  /** Reads a field as an attribute: the configured value, or the default; unknown until apply, or because of a fault. */
  readAttribute(name: string, instance: InstanceKey | undefined): Value | Unknown | undefined {
    if (name === 'publicKey') return this.#readPublicKey(instance);
    const node = this.readField(name, instance);
    if (node instanceof Unknown) return node;
    const value = readFieldAsAttribute(this, name, instance, node);
    return name === 'name' && typeof value === 'string' ? readResourceName(this, value) : value;
  }

  #resolveField(
    field: string,
    node: LocatedYamlNode,
    instance: InstanceKey | undefined,
  ): EvaluatedFieldNode {
    const { space, address, kind, path } = this;
    const each = this.eachOf(instance);
    const mustBeKnown = explainNeed(kind, field);
    const project = this.projectOf(instance);
    let hasGaps = false;
    const resolved = evaluateYamlNode(node, {
      space,
      each,
      address,
      ...(mustBeKnown !== undefined && { mustBeKnown }),
      ...(kindRegistry[kind].fields[field]?.isReference && {
        keyOf: (target: ResourceAddress) =>
          findReferenceKey({ kind, project, address }, field, target),
        ...(kindRegistry[kind].fields[field].isSet && { keyList: node }),
      }),
      onGap: () => (hasGaps = true),
    });
    if (resolved instanceof Unknown) return resolved;
    // An expression with the result null counts as a field that is left out.
    if (resolved.kind === 'scalar' && resolved.value === null) return undefined;
    const subject = {
      path: [...path, field],
      node: resolved,
      key: this.fields.get(field)?.key ?? node,
    };
    const { faults } = space.session;
    const isFitting = validateField(kind, field, subject, address, faults, hasGaps);
    return isFitting ? resolved : new Unknown(this.labelOf(instance, field), true);
  }

  #readPublicKey(of: InstanceKey | undefined): string | Unknown | undefined {
    const { space, address, entry } = this;
    const instance = this.varies('publicKey') ? of : undefined;
    const place = this.fields.get('publicKey')?.key ?? entry.key;
    let cell = this.#publicKeys.get(instance);
    if (!cell) {
      cell = new EvaluationCell<string | Unknown | undefined>(
        space.session,
        { label: this.#nameOf(instance, 'publicKey'), place },
        () => {
          const inline = this.readField('publicKey', instance);
          const file = this.readField('publicKeyFile', instance);
          if (inline instanceof Unknown) return inline;
          if (file instanceof Unknown) return file;
          return space.publicKeys.read(inline, file, address);
        },
        new Unknown('', true),
      );
      this.#publicKeys.set(instance, cell);
    }
    return cell.read();
  }
}

/** Lists the blocks of collections, without blocks nested in others. */
export function listTopResourceGroups(collections: ResourceCollections): readonly ResourceGroup[] {
  return [...collections.values()].flatMap((one) => [...one.values()]);
}

function listWhole(group: ResourceGroup): readonly ResourceGroup[] {
  return [group, ...group.listNested().flatMap(listWhole)];
}

/** Lists the groups of collections, and all groups nested in their instances. */
export function listAllResourceGroups(collections: ResourceCollections): readonly ResourceGroup[] {
  return listTopResourceGroups(collections).flatMap(listWhole);
}
