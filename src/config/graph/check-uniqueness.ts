import { normalize } from 'node:path';
import { parseAddress } from '../../model/address.ts';
import { isOutsideProjects } from '../../model/resource.ts';
import { formatPlace } from '../../model/source.ts';
import { readWriteTo } from '../../model/write-to.ts';
import { kinds } from '../../kinds/registry.ts';
import type { Declaration, Declarations } from '../scope/declarations.ts';
import type { Fault, FaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import { locate, type Place } from '../source/source-file.ts';

/** Something of which there can be one only: a name, a port, the use of a public IP. */
interface Claim {
  readonly id: string;
  /** The attribute that claims it. */
  readonly attribute: string;
  readonly explain: (first: Declaration, second: Declaration) => Omit<Fault, 'place' | 'address'>;
}

/** A declaration with the place of one of its attributes. */
export function describeFirst({ resource, key, nodes }: Declaration, attribute: string): string {
  const place = formatPlace(locate(nodes[attribute] ?? key));
  return `${resource.address} at ${place}`;
}

function claimName({ resource }: Declaration): Claim[] {
  const { kind, project, attributes } = resource;
  const { name } = attributes;
  if (typeof name !== 'string') return [];
  const scope = isOutsideProjects(kind) ? 'the account' : project;
  return [
    {
      id: `${scope} ${kind} ${name}`,
      attribute: 'name',
      explain: (first, second) => ({
        code: 'duplicate-name',
        summary: `Two ${kinds[kind].label}s of ${scope} have the name \`${makePrintable(name)}\``,
        detail: `${second.resource.address} and ${describeFirst(first, 'name')}.`,
        hint:
          first.nodes === second.nodes
            ? 'Put `${each.index}` into the name, for example `web-${each.index}`.'
            : 'Give one of the two another `name`.',
      }),
    },
  ];
}

function claimPort({ resource }: Declaration): Claim[] {
  const { address, attributes } = resource;
  const { protocol, publicPort } = attributes;
  const publicIp = parseAddress(address)?.parent;
  if (publicIp === undefined || typeof protocol !== 'string' || typeof publicPort !== 'number') {
    return [];
  }
  const port = `${protocol} port ${publicPort}`;
  return [
    {
      id: `${publicIp} ${port}`,
      attribute: 'publicPort',
      explain: (first, second) => ({
        code: 'duplicate-port',
        summary: `${publicIp} forwards its ${port} twice`,
        detail: `${second.resource.address} and ${describeFirst(first, 'publicPort')}.`,
        hint: 'Give one of the two another publicPort, or remove it.',
      }),
    },
  ];
}

function claimPublicIp({ resource }: Declaration, declarations: Declarations): Claim[] {
  const { project, attributes } = resource;
  const { publicIp } = attributes;
  // `new` is one for each; what is not there is reported as missing.
  if (typeof publicIp !== 'string') return [];
  if (declarations.instancesOf(project, 'publicIp', publicIp) === undefined) return [];
  return [
    {
      id: `${project} holder of ${publicIp}`,
      attribute: 'publicIp',
      explain: (first, second) => ({
        code: 'public-ip-shared',
        summary: `Two VMs of ${project} use the public IP \`${makePrintable(publicIp)}\``,
        detail: `${second.resource.address} and ${describeFirst(first, 'publicIp')}. One VM can hold a public IP.`,
        hint:
          first.nodes === second.nodes
            ? 'Use a public IP for each, for example `edge-${each.index}`, or `new`.'
            : 'Give one of the two another public IP, or `new`; port forwards reach several VMs through one.',
      }),
    },
  ];
}

function claimSecretFile({ resource }: Declaration): Claim[] {
  const { file } = readWriteTo(resource.attributes);
  if (file === undefined) return [];
  return [
    {
      id: `secret file ${normalize(file)}`,
      attribute: 'writeTo',
      explain: (first, second) => ({
        code: 'duplicate-file',
        summary: `Two access tokens are written to \`${makePrintable(file)}\``,
        detail: `${second.resource.address} and ${describeFirst(first, 'writeTo')}.`,
        hint: 'Give each a file of its own, for example `secrets/${each.key}.token`.',
      }),
    },
  ];
}

function listClaims(declaration: Declaration, declarations: Declarations): Claim[] {
  switch (declaration.resource.kind) {
    case 'portForward':
      return claimPort(declaration);
    case 'vm':
      return [...claimName(declaration), ...claimPublicIp(declaration, declarations)];
    case 'accessToken':
      return [...claimName(declaration), ...claimSecretFile(declaration)];
    default:
      return claimName(declaration);
  }
}

/** Reports what two resources claim and only one can have, once for each place. */
export function checkUniqueness(declarations: Declarations, faults: FaultList): void {
  const holders = new Map<string, Declaration>();
  const reported = new Set<Place>();
  for (const declaration of declarations.all) {
    for (const { id, attribute, explain } of listClaims(declaration, declarations)) {
      const first = holders.get(id);
      if (!first) {
        holders.set(id, declaration);
        continue;
      }
      const place = declaration.nodes[attribute] ?? declaration.key;
      if (reported.has(place)) continue;
      reported.add(place);
      faults.add({
        ...explain(first, declaration),
        address: declaration.resource.address,
        place,
      });
    }
  }
}
