import { childAddress, projectAddress, type Address } from '../model/address.ts';
import type { DesiredResource, KindName } from '../model/resource.ts';
import type { Attributes } from '../model/value.ts';
import { Declarations, type Declaration } from './declarations.ts';
import { expandVms } from './expand-vms.ts';
import type { FaultList } from './fault-list.ts';
import { childOf, entriesOf, type Entry, type LocatedNode } from './located-node.ts';
import {
  compact,
  defaultTimeouts,
  locateAttributes,
  nodesOf,
  readName,
  readNumber,
  type Nodes,
} from './read-fields.ts';
import type { PublicKeys } from './read-public-keys.ts';
import { locate } from './source-file.ts';
import { readText } from './template.ts';

interface Described {
  readonly kind: KindName;
  readonly address: Address;
  readonly project: Address;
  readonly entry: Entry;
  readonly attributes: Attributes;
  readonly nodes?: Nodes;
}

function declare({ entry, nodes, ...rest }: Described): Declaration {
  const known = nodes ?? nodesOf(entry.value);
  const resource: DesiredResource = {
    ...rest,
    timeouts: defaultTimeouts,
    source: locate(entry.key),
    attributeSources: locateAttributes(rest.attributes, known, entry.key),
  };
  return { resource, key: entry.key, nodes: known };
}

function expandForwards(project: Address, publicIp: Address, body: LocatedNode): Declaration[] {
  return [...entriesOf(childOf(body, 'forwards'))].map(([key, entry]) =>
    declare({
      kind: 'portForward',
      address: childAddress(publicIp, 'portForward', key),
      project,
      entry,
      attributes: compact({
        protocol: readText(childOf(entry.value, 'protocol')),
        publicPort: readNumber(childOf(entry.value, 'publicPort')),
        vm: readText(childOf(entry.value, 'vm')),
        vmPort: readNumber(childOf(entry.value, 'vmPort')),
      }),
    }),
  );
}

/** Fields of the kinds that have no instances and nothing below them. */
const plainKinds = [
  ['sshKey', 'sshKeys'],
  ['network', 'networks'],
  ['publicIp', 'publicIps'],
] as const;

function readPlain(
  kind: (typeof plainKinds)[number][0],
  key: string,
  body: LocatedNode,
  keys: PublicKeys,
): Attributes {
  if (kind === 'publicIp') return {};
  const name = readName(body, key);
  return kind === 'network' ? compact({ name }) : compact({ name, publicKey: keys.get(body) });
}

function expandProject(
  key: string,
  entry: Entry,
  keys: PublicKeys,
  declarations: Declarations,
  faults: FaultList,
): void {
  const project = projectAddress(key);
  const name = readName(entry.value, key);
  declarations.all.push(
    declare({ kind: 'project', address: project, project, entry, attributes: compact({ name }) }),
  );
  for (const [kind, collection] of plainKinds) {
    for (const [local, one] of entriesOf(childOf(entry.value, collection))) {
      declarations.declareKey(project, kind, local, 'one');
      const attributes = readPlain(kind, local, one.value, keys);
      const nodes = nodesOf(one.value);
      const file = nodes.publicKeyFile;
      declarations.all.push(
        declare({
          kind,
          address: childAddress(project, kind, local),
          project,
          entry: one,
          attributes,
          nodes: { ...nodes, ...(file && { publicKey: file }) },
        }),
      );
    }
  }
  expandVms(project, childOf(entry.value, 'vms'), declarations, faults);
  for (const [local, { value }] of entriesOf(childOf(entry.value, 'publicIps'))) {
    const publicIp = childAddress(project, 'publicIp', local);
    declarations.all.push(...expandForwards(project, publicIp, value));
  }
}

/** Turns the tree into resources, `count` expanded. Resources with faults are there in part. */
export function expandResources(
  tree: LocatedNode | undefined,
  keys: PublicKeys,
  faults: FaultList,
): Declarations {
  const declarations = new Declarations();
  for (const [key, entry] of entriesOf(childOf(tree, 'projects'))) {
    expandProject(key, entry, keys, declarations, faults);
  }
  return declarations;
}
