import { createHash } from 'node:crypto';
import {
  makeChildAddress,
  parseResourceAddress,
  makeTopLevelAddress,
  type ResourceAddress,
} from '../../src/model/address.ts';
import type { KindName } from '../../src/model/kind-places.ts';
import type { DesiredGraph, DesiredResource, Rollout } from '../../src/model/resource.ts';
import type { SourceRange } from '../../src/model/source.ts';
import { readAttributeText, type Attributes, type Value } from '../../src/model/value.ts';
import { claim, expectSense } from './nonsense.ts';

/** A VM as a test gives it: what it does not say has a value that the tests do not care about. */
export interface VmConfig {
  readonly name?: string;
  readonly image?: string;
  readonly configuration?: string;
  readonly tariff?: string;
  readonly sshKeys?: readonly string[];
  readonly networks?: readonly string[];
  readonly publicIp?: string;
  readonly plugins?: readonly string[];
  readonly power?: 'running' | 'stopped';
  readonly renewal?: 'active' | 'cancelled';
  readonly rebuildOn?: readonly string[];
  readonly restoresFailedRebuild?: boolean;
  readonly deleteBackupsOnRebuild?: boolean;
  readonly backupBeforeRebuild?: boolean;
  readonly maxBackupAgeMs?: number;
  readonly rollout?: Rollout;
  readonly createBeforeDestroy?: boolean;
  readonly ignoreChanges?: readonly string[];
  /** Addresses. */
  readonly replaceTriggeredBy?: readonly ResourceAddress[];
}

export interface ForwardConfig {
  readonly protocol?: 'tcp' | 'udp';
  readonly publicPort: number;
  readonly vm: string;
  readonly vmPort?: number;
}

/** A project by the keys of the YAML; VMs by their local key, `web` or `web[0]`. */
export interface ProjectConfig {
  readonly name?: string;
  readonly sshKeys?: Readonly<Record<string, { name?: string; publicKey?: string }>>;
  readonly networks?: Readonly<Record<string, { name?: string }>>;
  readonly publicIps?: Readonly<Record<string, Readonly<Record<string, ForwardConfig>>>>;
  readonly vms?: Readonly<Record<string, VmConfig>>;
}

/** Projects by key. */
export type Config = Readonly<Record<string, ProjectConfig>>;

/** The public key that a test means when it gives none: one that could be somebody's. */
export function publicKeyOf(name: string): string {
  const type = Buffer.from('ssh-ed25519');
  const material = createHash('sha256').update(name).digest();
  const blob = [[0, 0, 0, type.length], type, [0, 0, 0, material.length], material];
  const encoded = Buffer.concat(blob.map((part) => Buffer.from(part))).toString('base64');
  return `ssh-ed25519 ${encoded} ${name}`;
}

const timeouts = { createMs: 1_200_000, updateMs: 1_200_000, deleteMs: 600_000 };

/** `web[0]` is named `web-0`, as the configuration does it. */
export function nameOfKey(local: string): string {
  return local.replace(/\[(?:(\d+)|"([^"]*)")\]$/, (_, index?: string, key?: string) => {
    return `-${index ?? key ?? ''}`;
  });
}

/**
 * The graph that such a YAML would be read as. Every resource has a line of its own, and every attribute its own
 * column: so that a test sees where a finding points.
 * @throws NonsenseError for what the reader of the configuration refuses
 */
export function makeDesired(config: Config): DesiredGraph {
  const resources: DesiredResource[] = [];
  const add = (
    kind: KindName,
    address: string,
    attributes: Attributes,
    besides: Partial<DesiredResource> = {},
  ) => {
    const line = resources.length + 1;
    const project = parseResourceAddress(address)?.project ?? '';
    expectSense(
      parseResourceAddress(address)?.kind === kind,
      `${address} is no address of a ${kind}`,
    );
    resources.push({
      address,
      kind,
      project,
      attributes,
      ...besides,
      timeouts,
      source: placeAt(line, 1),
      attributeSources: Object.fromEntries(
        Object.keys(attributes).map((name, index) => [name, placeAt(line, 10 * (index + 1))]),
      ),
    });
  };
  for (const [key, project] of Object.entries(config)) {
    const at = makeTopLevelAddress('project', key);
    add('project', at, { name: project.name ?? key });
    for (const [local, { name, publicKey }] of Object.entries(project.sshKeys ?? {})) {
      const attributes = { name: name ?? local, publicKey: publicKey ?? publicKeyOf(local) };
      add('sshKey', makeChildAddress(at, 'sshKey', local), attributes);
    }
    for (const [local, { name }] of Object.entries(project.networks ?? {})) {
      add('network', makeChildAddress(at, 'network', local), { name: name ?? local });
    }
    for (const [local, vm] of Object.entries(project.vms ?? {})) {
      const {
        rebuildOn,
        restoresFailedRebuild,
        maxBackupAgeMs,
        deleteBackupsOnRebuild,
        backupBeforeRebuild,
        rollout,
        createBeforeDestroy,
        ignoreChanges,
        replaceTriggeredBy,
        ...given
      } = vm;
      const attributes: Record<string, Value> = {
        name: nameOfKey(local),
        image: 'ubuntu-24.04',
        configuration: 'c1-r1-d20',
        tariff: 'monthly',
        power: 'running',
        ...given,
      };
      add('vm', makeChildAddress(at, 'vm', local), attributes, {
        ...(rebuildOn && { rebuildOn }),
        ...(restoresFailedRebuild && { restoresFailedRebuild, backupBeforeRebuild: true }),
        ...(maxBackupAgeMs !== undefined && { maxBackupAgeMs }),
        ...(deleteBackupsOnRebuild && { deleteBackupsOnRebuild }),
        ...(backupBeforeRebuild && { backupBeforeRebuild }),
        ...(rollout && { rollout }),
        ...((createBeforeDestroy ?? ignoreChanges ?? replaceTriggeredBy) && {
          lifecycle: {
            ...{ preventDestroy: false, createBeforeDestroy: createBeforeDestroy ?? false },
            ignoreChanges: ignoreChanges ?? [],
            replaceTriggeredBy: replaceTriggeredBy ?? [],
          },
        }),
      });
    }
    for (const [local, forwards] of Object.entries(project.publicIps ?? {})) {
      const publicIp = makeChildAddress(at, 'publicIp', local);
      add('publicIp', publicIp, {});
      for (const [forward, { protocol, publicPort, vm, vmPort }] of Object.entries(forwards)) {
        add('portForward', makeChildAddress(publicIp, 'portForward', forward), {
          protocol: protocol ?? 'tcp',
          publicPort,
          vm,
          vmPort: vmPort ?? publicPort,
        });
      }
    }
  }
  refuseNonsense(resources);
  return { resources };
}

function placeAt(line: number, column: number): SourceRange {
  return { file: 'main.yaml', line, column, endLine: line, endColumn: column + 1 };
}

function refuseNonsense(resources: readonly DesiredResource[]): void {
  const addresses = new Set(resources.map(({ address }) => address));
  const taken = new Set<string>();
  for (const { address, kind, project, attributes } of resources) {
    const scope = kind === 'project' ? 'the account' : project;
    if (typeof attributes.name === 'string') claim(taken, `${kind} ${attributes.name} of ${scope}`);
    const needs = (to: KindName, local: string) => {
      const wanted = makeChildAddress(project, to, local);
      expectSense(addresses.has(wanted), `${address} needs ${wanted}, which is not there`);
    };
    if (kind === 'portForward') {
      const parent = parseResourceAddress(address)?.parent ?? '';
      needs('vm', readAttributeText(attributes, 'vm'));
      const port = readAttributeText(attributes, 'publicPort');
      claim(taken, `${readAttributeText(attributes, 'protocol')} ${port} of ${parent}`);
    }
    if (kind !== 'vm') continue;
    for (const [kindOfList, field] of [
      ['sshKey', 'sshKeys'],
      ['network', 'networks'],
    ] as const) {
      const list = (attributes[field] ?? []) as string[];
      expectSense(new Set(list).size === list.length, `${address} names one of ${field} twice`);
      for (const key of list) needs(kindOfList, key);
    }
    const publicIp = readAttributeText(attributes, 'publicIp');
    if (publicIp === '' || publicIp === 'new') continue;
    needs('publicIp', publicIp);
    claim(taken, `the use of ${project} ${publicIp}`);
  }
}
