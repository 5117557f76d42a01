import { Unknown } from '../../expressions/values/scope.ts';
import { mayStay } from '../../kinds/may-stay.ts';
import { kinds } from '../../kinds/registry.ts';
import { localKey, type Address, type InstanceKey } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Value } from '../../model/value.ts';
import {
  countInstances,
  eachKindOf,
  makeEach,
  noEach,
  type Each,
  type EachKind,
  type InstanceSet,
} from './each.ts';
import { interpretField } from './interpret-field.ts';
import { keyOfReference } from './key-of-reference.ts';
import { childOf, entriesOf, type Entry, type LocatedNode } from '../source/located-node.ts';
import { readTexts } from '../source/read-fields.ts';
import { readInstances } from './read-instances.ts';
import { readName } from './read-name.ts';
import { hasExpression, resolveNode, usesEach } from './resolve-node.ts';
import { Cell } from './evaluation-session.ts';
import type { Block, Space } from './space.ts';
import { validateField } from '../schema/validate-field.ts';

/** Where a group stands, and what it is made of. */
interface GroupOptions {
  readonly kind: KindName;
  readonly project: Address;
  readonly address: Address;
  readonly key: string;
  /** With defaults merged under it. */
  readonly entry: Entry;
  /** The way through the YAML. */
  readonly path: readonly string[];
  /** Makes what lies in its blocks. */
  makeNested(): Collections;
}

/** What stands in a collection, by key. */
export type Groups = ReadonlyMap<string, ResourceGroup>;

/** Collections by the names that the YAML has for them. */
export type Collections = ReadonlyMap<string, Groups>;

/** A field of one instance with its expressions evaluated: absent, a tree, or unknown: until apply, or for a fault. */
export type FieldNode = LocatedNode | Unknown | undefined;

/** Why a field must be known before apply; undefined where it may be known later. */
function explainNeed(kind: KindName, field: string): string | undefined {
  const known = kinds[kind].fields[field];
  if (known?.deferrable) return undefined;
  return known
    ? `\`${field}\` names other resources, and the plan is put in order by it.`
    : `\`${field}\` says how the plan is made.`;
}

/** Everything under one key of a collection: one resource, or its instances. Fields are worked out when asked for. */
export class ResourceGroup implements Block {
  readonly space: Space;
  readonly kind: KindName;
  readonly project: Address;
  readonly address: Address;
  readonly key: string;
  readonly entry: Entry;
  readonly path: readonly string[];
  readonly fields: ReadonlyMap<string, Entry>;
  readonly eachKind: EachKind;
  readonly #instances: Cell<InstanceSet>;
  /** Fields with expressions, by name and instance. */
  readonly #cells = new Map<string, Map<InstanceKey | undefined, Cell<FieldNode>>>();
  readonly #varies = new Map<string, boolean>();
  readonly #makeNested: () => Collections;
  #nested: Collections | undefined;
  #publicKey: Cell<string | Unknown | undefined> | undefined;

  constructor(space: Space, options: GroupOptions) {
    const { kind, project, address, key, entry, path } = options;
    this.space = space;
    this.kind = kind;
    this.project = project;
    this.address = address;
    this.key = key;
    this.entry = entry;
    this.path = path;
    this.fields = entriesOf(entry.value);
    this.eachKind = eachKindOf(kind, entry.value);
    this.#makeNested = () => options.makeNested();
    this.#instances = new Cell<InstanceSet>(
      space.session,
      {
        label: this.#nameOf(undefined, this.eachKind === 'none' ? undefined : this.eachKind),
        place: entry.key,
      },
      () => this.#readInstances(),
      { kind: 'unknown' },
    );
  }

  /** Its instances. */
  get instances(): InstanceSet {
    return this.eachKind === 'none' ? { kind: 'one' } : this.#instances.read();
  }

  /** Counted before anything is made of them. */
  #readInstances(): InstanceSet {
    const { space, fields, address, path, kind } = this;
    const instances = readInstances({ space, fields, address, path, definition: kind });
    // One that is there no times is a line of the configuration all the same.
    const count = Math.max(1, countInstances(instances));
    const isAllowed = space.session.expansion.claimResources(count, this.entry.key);
    return isAllowed ? instances : { kind: 'unknown' };
  }

  /** What lies in its blocks: the port forwards of a public IP. */
  get nested(): Collections {
    this.#nested ??= this.#makeNested();
    return this.#nested;
  }

  /** The address of the collection that it stands in; empty for what stands in none. */
  get collection(): Address {
    return this.address.slice(0, -this.key.length - 1);
  }

  /** The address of an instance. */
  addressOf(instance: InstanceKey | undefined): Address {
    return `${this.address.slice(0, -this.key.length)}${localKey(this.key, instance)}`;
  }

  /** How an expression writes an instance, or one of its attributes. */
  labelOf(instance: InstanceKey | undefined, attribute?: string): string {
    const own = this.addressOf(instance).slice(this.space.prefix.length);
    return attribute === undefined ? own : `${own}.${attribute}`;
  }

  /** The same in messages, where the modules that it stands in are named, too. */
  #nameOf(instance: InstanceKey | undefined, attribute: string | undefined): string {
    return this.space.prefix + this.labelOf(instance, attribute);
  }

  /** What `each` means in an instance. */
  eachOf(instance: InstanceKey | undefined): Each {
    return makeEach(this.eachKind, this.instances, instance, this.fields.get('forEach'));
  }

  /** True when a field differs between instances. */
  varies(field: string): boolean {
    const node = this.fields.get(field)?.value;
    if (!node || this.eachKind === 'none' || !hasExpression(node)) return false;
    let varies = this.#varies.get(field);
    if (varies === undefined) {
      const each: Each = { ...noEach, kind: this.eachKind, names: undefined };
      varies = usesEach(node, { space: this.space, each, address: this.address });
      this.#varies.set(field, varies);
    }
    return varies;
  }

  /** A field of an instance, its expressions evaluated and its shape checked. */
  readField(field: string, instance: InstanceKey | undefined): FieldNode {
    const node = this.fields.get(field)?.value;
    if (!node || !hasExpression(node)) return node;
    const key = this.varies(field) ? instance : undefined;
    const cells = this.#cells.get(field) ?? new Map<InstanceKey | undefined, Cell<FieldNode>>();
    this.#cells.set(field, cells);
    let cell = cells.get(key);
    if (!cell) {
      const label = this.labelOf(key, field);
      cell = new Cell<FieldNode>(
        this.space.session,
        { label: this.#nameOf(key, field), place: node },
        () => this.#resolveField(field, node, key),
        new Unknown(label, true),
      );
      cells.set(key, cell);
    }
    return cell.read();
  }

  /** True for a field of which the configuration does not tell what an existing resource has. */
  mayStay(field: string, instance: InstanceKey | undefined): boolean {
    return mayStay(this.kind, field, {
      ignoreChanges: this.#readList('lifecycle', 'ignoreChanges', instance),
      rebuildOn: this.#readList('rebuild', 'on', instance),
    });
  }

  /** A list within a field; nothing else of the field is worked out for one that is written out. */
  #readList(field: string, key: string, instance: InstanceKey | undefined) {
    const written = this.fields.get(field)?.value;
    const list = written?.kind === 'map' ? childOf(written, key) : written;
    if (!list) return undefined;
    const node = hasExpression(list) ? this.readField(field, instance) : written;
    const read = node instanceof Unknown ? undefined : childOf(node, key);
    return read && readTexts(read);
  }

  /** A field as an attribute: what the configuration says, or the default; unknown until apply, or for a fault. */
  readAttribute(name: string, instance: InstanceKey | undefined): Value | Unknown | undefined {
    if (name === 'publicKey') return this.#readPublicKey();
    const node = this.readField(name, instance);
    if (node instanceof Unknown) return node;
    const value = interpretField(this, name, instance, node);
    return name === 'name' && typeof value === 'string' ? readName(this, value) : value;
  }

  #resolveField(field: string, node: LocatedNode, instance: InstanceKey | undefined): FieldNode {
    const { space, address, kind, path } = this;
    const each = this.eachOf(instance);
    const mustBeKnown = explainNeed(kind, field);
    let hasGaps = false;
    const resolved = resolveNode(node, {
      space,
      each,
      address,
      ...(mustBeKnown !== undefined && { mustBeKnown }),
      ...(kinds[kind].fields[field]?.isReference && {
        keyOf: (target: Address) => keyOfReference(this, field, target),
        ...(kinds[kind].fields[field].isSet && { keyList: node }),
      }),
      onGap: () => (hasGaps = true),
    });
    if (resolved instanceof Unknown) return resolved;
    // An expression that gives null leaves the field out.
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

  #readPublicKey(): string | Unknown | undefined {
    const { space, address, entry } = this;
    const place = this.fields.get('publicKey')?.key ?? entry.key;
    this.#publicKey ??= new Cell<string | Unknown | undefined>(
      space.session,
      { label: this.#nameOf(undefined, 'publicKey'), place },
      () => {
        const inline = this.readField('publicKey', undefined);
        const file = this.readField('publicKeyFile', undefined);
        if (inline instanceof Unknown) return inline;
        if (file instanceof Unknown) return file;
        return space.publicKeys.read(inline, file, address);
      },
      new Unknown('', true),
    );
    return this.#publicKey.read();
  }
}

/** The groups of collections, and all that lies in them. */
export function listGroups(collections: Collections): readonly ResourceGroup[] {
  const groups = [...collections.values()].flatMap((one) => [...one.values()]);
  return groups.flatMap((one) => [one, ...listGroups(one.nested)]);
}
