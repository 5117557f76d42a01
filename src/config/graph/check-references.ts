import {
  accountAddress,
  removeInstanceKey,
  projectKindsByCollection,
  formatResourceKey,
  parseResourceAddress,
  topLevelKindsByCollection,
  type ResourceAddress,
  type InstanceKey,
} from '../../model/address.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { KindName } from '../../model/kind-places.ts';
import { describeNameScope } from '../../kinds/once-claims.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { Reference } from '../../kinds/kind.ts';
import {
  findCollectionAddress,
  describeInstances,
  type ResourceDeclaration,
  type ResourceDeclarations,
} from '../scope/declarations.ts';
import { listInstanceKeys, type InstanceSet } from '../scope/each.ts';
import type { ConfigurationFault, ConfigurationFaultList } from '../source/fault-list.ts';
import { hintAtBareExpression } from '../schema/bare-expressions.ts';
import { makePrintable } from '../source/frame.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import type { SourceTextRange } from '../source/source-file.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';

/** The parts of a reference: the key `web` and the instance 0 of `web[0]`. */
interface Target {
  readonly kind: KindName;
  /** Address of the collection in which it would be: `projects.shop.vms`. */
  readonly collection: ResourceAddress;
  readonly local: string;
  readonly key: string;
  /** The index or the key in the brackets; undefined without them. */
  readonly instance: InstanceKey | undefined;
}

/** Key in brackets: a number, or a text in quotes. NaN when it is neither. */
function readInstance(inside: string | undefined): InstanceKey | undefined {
  if (inside === undefined || !inside.startsWith('"'))
    return inside === undefined ? undefined : +inside;
  try {
    return String(JSON.parse(inside));
  } catch {
    return NaN;
  }
}

/** Parses a reference to another resource of the same project, or, outside of projects, to another one outside. */
export function parseReferenceTarget(
  resource: DesiredResource,
  address: ResourceAddress,
): Target | undefined {
  const near =
    resource.project === accountAddress ? topLevelKindsByCollection : projectKindsByCollection;
  for (const kind of near.values()) {
    const collection = findCollectionAddress(resource, kind);
    if (!address.startsWith(`${collection}.`)) continue;
    const local = address.slice(collection.length + 1);
    const [, key = local, inside] = /^([^[]*)(?:\[(.*)\])?$/s.exec(local) ?? [];
    return { kind, collection, local, key, instance: readInstance(inside) };
  }
  return undefined;
}

function isPresent(
  { collection, key, instance }: Target,
  declarations: ResourceDeclarations,
): boolean {
  const instances = declarations.instancesOf(collection, key);
  switch (instances?.kind) {
    case undefined:
    case 'disabled':
      return false;
    case 'unknown':
      return true;
    case 'one':
      return instance === undefined;
    case 'count':
      return typeof instance === 'number' && instance >= 0 && instance < instances.count;
    case 'keys':
      return typeof instance === 'string' && instances.values.has(instance);
  }
}

/** Explains a reference to a missing instance of a block that exists. */
function explainInstance({ key, instance }: Target, instances: InstanceSet) {
  const isCounted = instances.kind === 'count';
  if (instances.kind === 'disabled') {
    return {
      detail: `\`${key}\` is not enabled, so there is none.`,
      hint: 'Enable it, or remove what refers to it.',
    };
  }
  if (!isCounted && instances.kind !== 'keys') {
    return {
      detail: `\`${key}\` has no \`count\`: it is one.`,
      hint: `Write the key alone: \`${key}\`.`,
    };
  }
  const size = isCounted ? instances.count : instances.values.size;
  if (size === 0) {
    return {
      detail: isCounted
        ? `\`${key}\` has \`count: 0\`, so there is none.`
        : `The \`forEach\` of \`${key}\` is empty: there is none.`,
      hint: `${isCounted ? 'Raise its count' : 'Add a key to it'}, or remove what refers to it.`,
    };
  }
  const [first] = listInstanceKeys(instances);
  const what = isCounted ? `\`count: ${size}\`` : 'a `forEach`';
  return {
    detail: `\`${key}\` has ${what}; there are ${describeInstances(key, instances)}.`,
    hint:
      instance === undefined
        ? `Name one of them, for example \`${formatResourceKey(key, first)}\`.`
        : `Name one of them, or ${isCounted ? 'raise the count' : 'add the key'}.`,
  };
}

/** The first instance of each key of a collection, as suggestions for a reference. */
function listLocals(
  collection: ResourceAddress,
  declarations: ResourceDeclarations,
): readonly string[] {
  return declarations.keysOf(collection).flatMap((key) => {
    const instances = declarations.instancesOf(collection, key);
    const some = instances ? listInstanceKeys(instances).slice(0, 1) : [];
    return some.map((instance) => formatResourceKey(key, instance));
  });
}

/**
 * Keys of resources by other spellings that people write in their place: names on the service, and addresses within their
 * module, for the first instance also without its brackets.
 */
class OtherSpellings {
  readonly #declarations: ResourceDeclarations;
  #locals: Map<string, string> | undefined;

  constructor(declarations: ResourceDeclarations) {
    this.#declarations = declarations;
  }

  #index(): Map<string, string> {
    const locals = new Map<string, string>();
    for (const { resource } of this.#declarations.all) {
      const { address, attributes } = resource;
      const { local = '', module } = parseResourceAddress(address) ?? {};
      const collection = address.slice(0, -local.length - 1);
      const own = module === undefined ? address : address.slice(module.length + 1);
      for (const spelling of [attributes.name, own, removeInstanceKey(own)]) {
        if (typeof spelling !== 'string') continue;
        const key = `${collection} ${spelling}`;
        if (!locals.has(key)) locals.set(key, local);
      }
    }
    return locals;
  }

  /** The key, with its instance, of the resource that a text means in a collection; an attribute may follow the address. */
  findLocal(collection: ResourceAddress, written: string): string | undefined {
    this.#locals ??= this.#index();
    const without = written.replace(/\.\w+$/, '');
    return (
      this.#locals.get(`${collection} ${written}`) ?? this.#locals.get(`${collection} ${without}`)
    );
  }
}

function explainKey(
  { collection, kind, key, local }: Target,
  node: LocatedYamlNode | undefined,
  declarations: ResourceDeclarations,
  spellings: OtherSpellings,
) {
  const misused = kindRegistry[kind].traits.reservedKeys?.misused.get(key);
  if (misused) return misused;
  const known = listLocals(collection, declarations);
  const spelled = spellings.findLocal(collection, local);
  const meant = suggestNearestName(local, known);
  return {
    detail:
      known.length > 0
        ? `${collection} has ${formatNameList(known)}.`
        : `There is nothing in ${collection}.`,
    hint:
      spelled !== undefined
        ? `Write the key alone: \`${spelled}\`.`
        : ((node && hintAtBareExpression(node)) ??
          (meant === undefined
            ? `Add it to ${collection}, or correct the key.`
            : `Did you mean \`${meant}\`?`)),
  };
}

/** References at one place to resources that are missing; with `count` they may be many. */
interface Dangling {
  readonly declaration: ResourceDeclaration;
  readonly target: Target;
  /** The value, or the item of a list, that names the missing target. */
  readonly node: LocatedYamlNode | undefined;
  readonly place: SourceTextRange;
  readonly missing: Set<string>;
}

function explainDangling(
  { declaration, target, node, place, missing }: Dangling,
  declarations: ResourceDeclarations,
  spellings: OtherSpellings,
): ConfigurationFault {
  const { collection, kind, key, local } = target;
  const instances = declarations.instancesOf(collection, key);
  const { detail, hint } = instances
    ? explainInstance(target, instances)
    : explainKey(target, node, declarations, spellings);
  const others = [...missing].filter((other) => other !== local).map(makePrintable);
  return {
    code: 'dangling-reference',
    summary: `There is no ${kindRegistry[kind].label} \`${makePrintable(local)}\` in ${describeNameScope(declaration.resource)}`,
    detail: others.length > 0 ? `${detail} Missing too: ${formatNameList(others)}.` : detail,
    hint,
    address: declaration.resource.address,
    place,
  };
}

export function findReferenceYamlNode(
  { nodes }: ResourceDeclaration,
  { attribute, index }: Reference,
): LocatedYamlNode | undefined {
  const node = nodes[attribute];
  const item = node?.kind === 'list' && index !== undefined ? node.items[index] : undefined;
  return item ?? node;
}

/** Tells whether a value is a literal that cannot be a key, which the schema has reported. An expression may give an id. */
function isReported(node: LocatedYamlNode | undefined): boolean {
  if (node?.kind !== 'scalar' || /^[A-Za-z_$]/.test(String(node.value))) return false;
  return !node.file.text.slice(node.start, node.end).includes('${');
}

/** Reports every reference to something that is not configured, once for each place. */
export function checkReferences(
  declarations: ResourceDeclarations,
  faults: ConfigurationFaultList,
): void {
  const dangling = new Map<string, Dangling>();
  for (const declaration of declarations.all) {
    const { resource } = declaration;
    for (const reference of kindRegistry[resource.kind].references(resource)) {
      if (!Object.hasOwn(resource.attributes, reference.attribute)) continue;
      const target = parseReferenceTarget(resource, reference.address);
      if (!target || isPresent(target, declarations)) continue;
      const node = findReferenceYamlNode(declaration, reference);
      if (isReported(node)) continue;
      const place = node ?? declaration.key;
      const known = dangling.get(`${place.file.path}\n${place.start}`);
      if (known) known.missing.add(target.local);
      else {
        const missing = new Set([target.local]);
        dangling.set(`${place.file.path}\n${place.start}`, {
          declaration,
          target,
          node,
          place,
          missing,
        });
      }
    }
  }
  const spellings = new OtherSpellings(declarations);
  for (const one of dangling.values()) faults.add(explainDangling(one, declarations, spellings));
}
