import { collections, type Address } from '../model/address.ts';
import { kindNames, type KindName } from '../model/resource.ts';
import { kinds } from '../kinds/registry.ts';
import type { Reference } from '../kinds/kind.ts';
import { listInstances, type Declaration, type Declarations } from './declarations.ts';
import type { Fault, FaultList } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import type { LocatedNode } from './located-node.ts';
import type { Place } from './source-file.ts';
import { listNames, suggest } from '../expressions/suggest.ts';

/** What a reference names, taken apart: `web` and 0 of `web[0]`. */
interface Target {
  readonly project: Address;
  readonly kind: KindName;
  readonly local: string;
  readonly key: string;
  /** Undefined without brackets; NaN when they hold no number. */
  readonly index: number | undefined;
}

const kindOfCollection = new Map<string, KindName>(
  kindNames.map((kind) => [collections[kind], kind]),
);

function parseTarget(project: Address, address: Address): Target | undefined {
  const rest = address.slice(project.length + 1);
  const dot = rest.indexOf('.');
  const kind = kindOfCollection.get(rest.slice(0, dot));
  const local = rest.slice(dot + 1);
  const [, key = local, index] = /^([^[]*)(?:\[(.*)\])?$/s.exec(local) ?? [];
  return kind && { project, kind, local, key, index: index === undefined ? undefined : +index };
}

function isPresent({ project, kind, key, index }: Target, declarations: Declarations): boolean {
  const instances = declarations.instancesOf(project, kind, key);
  if (instances === undefined || instances === 'unknown') return instances === 'unknown';
  if (instances === 'one') return index === undefined;
  return index !== undefined && index >= 0 && index < instances;
}

/** The key is there, but not the instance. */
function explainInstance({ project, kind, key, index }: Target, declarations: Declarations) {
  const instances = declarations.instancesOf(project, kind, key);
  if (typeof instances !== 'number') {
    return {
      detail: `\`${key}\` has no \`count\`: it is one.`,
      hint: `Write \`${key}\` without brackets.`,
    };
  }
  if (instances === 0) {
    return {
      detail: `\`${key}\` has \`count: 0\`: there is none.`,
      hint: 'Raise its count, or remove what refers to it.',
    };
  }
  return {
    detail: `\`${key}\` has \`count: ${instances}\`; there are ${listInstances(key, instances)}.`,
    hint:
      index === undefined
        ? `Name one of them, for example \`${key}[0]\`.`
        : 'Name one of them, or raise the count.',
  };
}

function explainKey({ project, kind, key }: Target, declarations: Declarations) {
  const known = declarations.keysOf(project, kind);
  const meant = suggest(key, known);
  const collection = `${project}.${collections[kind]}`;
  if (kind === 'publicIp' && key === 'none') {
    return {
      detail: 'Only a key of publicIps or `new` can stand here.',
      hint: 'Leave publicIp out for none.',
    };
  }
  return {
    detail:
      known.length > 0
        ? `${collection} has ${listNames(known)}.`
        : `There is nothing in ${collection}.`,
    hint: meant ? `Did you mean \`${meant}\`?` : `Add it to ${collection}, or correct the key.`,
  };
}

/** What refers to missing things at one place: with `count` it may be many. */
interface Dangling {
  readonly declaration: Declaration;
  readonly target: Target;
  readonly place: Place;
  readonly missing: Set<string>;
}

function explainDangling(
  { declaration, target, place, missing }: Dangling,
  declarations: Declarations,
): Fault {
  const { project, kind, key, local } = target;
  const isKnown = declarations.instancesOf(project, kind, key) !== undefined;
  const { detail, hint } = isKnown
    ? explainInstance(target, declarations)
    : explainKey(target, declarations);
  const others = [...missing].filter((other) => other !== local).map(makePrintable);
  return {
    code: 'dangling-reference',
    summary: `There is no ${kinds[kind].label} \`${makePrintable(local)}\` in ${project}`,
    detail: others.length > 0 ? `${detail} Missing too: ${listNames(others)}.` : detail,
    hint,
    address: declaration.resource.address,
    place,
  };
}

function findNode(
  { nodes }: Declaration,
  { attribute, index }: Reference,
): LocatedNode | undefined {
  const node = nodes[attribute];
  const item = node?.kind === 'list' && index !== undefined ? node.items[index] : undefined;
  return item ?? node;
}

/** Begins like no key; the schema has said so. */
function isReported(node: LocatedNode | undefined): boolean {
  return node?.kind === 'scalar' && !/^[A-Za-z_$]/.test(String(node.value));
}

/** Reports every reference to something that is not configured, once for each place. */
export function checkReferences(declarations: Declarations, faults: FaultList): void {
  const dangling = new Map<string, Dangling>();
  for (const declaration of declarations.all) {
    const { resource } = declaration;
    for (const reference of kinds[resource.kind].references(resource)) {
      if (!Object.hasOwn(resource.attributes, reference.attribute)) continue;
      const target = parseTarget(resource.project, reference.address);
      if (!target || isPresent(target, declarations)) continue;
      const node = findNode(declaration, reference);
      if (isReported(node)) continue;
      const place = node ?? declaration.key;
      const known = dangling.get(`${place.file.path}\n${place.start}`);
      if (known) known.missing.add(target.local);
      else {
        const missing = new Set([target.local]);
        dangling.set(`${place.file.path}\n${place.start}`, { declaration, target, place, missing });
      }
    }
  }
  for (const one of dangling.values()) faults.add(explainDangling(one, declarations));
}
