import type { LiveSnapshot, Quota, QuotaName } from '../../model/account/live.ts';
import { tableEntries } from '../../model/tables.ts';
import { ampleNetworkPrefixLength } from '../rules/networks.ts';
import { defaultVmCapacity, makeSandboxCatalog } from '../store/catalog.ts';
import type { RowCountRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';
import type {
  NameLengthCaps,
  SandboxQuotaName as OwnQuotaName,
  SandboxRules,
} from '../store/world.ts';

/** Names of the sandbox's quotas, by the names that the rest of the program has for them. */
export const sandboxNamesOfQuotas: Readonly<Record<QuotaName, OwnQuotaName>> = {
  projects: 'projects',
  accessTokens: 'accessTokens',
  networks: 'networks',
  publicIps: 'publicIps',
  vmCpu: 'cpu',
  vmRam: 'ram',
  vmDisk: 'disk',
};

const unlimited = Number.POSITIVE_INFINITY;

/** Rules of the sandbox that a copy of an account takes from it. */
type MirroredRules = Pick<SandboxRules, 'quotas' | 'nameLengths' | 'networkPrefix' | 'catalog'>;

/**
 * Makes the rules of a sandbox from those of an account: its limits, the size of its networks and its catalog. A limit
 * that the service does not report is taken for unlimited.
 */
export function mirrorAccountRules(live: LiveSnapshot): MirroredRules {
  const { limits, nameLengths, catalog } = live;
  const limitOf = (name: QuotaName) => limits.quotas[name]?.limit ?? unlimited;
  const names = tableEntries(sandboxNamesOfQuotas);
  const quotas = Object.fromEntries(names.map(([name, own]) => [own, limitOf(name)] as const));
  return {
    quotas: {
      ...(quotas as Record<OwnQuotaName, number>),
      maxSshKeysPerProject: limits.maxSshKeysPerProject ?? unlimited,
    },
    nameLengths: capAll(nameLengths),
    networkPrefix: mirrorNetworkPrefix(live),
    // With room for any number of VMs: the service's figures are advisory, and the plan warns of them.
    catalog: makeSandboxCatalog(catalog, () => defaultVmCapacity),
  };
}

function capAll(given: LiveSnapshot['nameLengths']): NameLengthCaps {
  const capOf = (name: keyof NameLengthCaps) => given[name] ?? unlimited;
  return {
    project: capOf('project'),
    network: capOf('network'),
    vm: capOf('vm'),
    sshKey: capOf('sshKey'),
    sshPublicKey: capOf('sshPublicKey'),
    accessToken: capOf('accessToken'),
  };
}

/** Chooses the size of new networks: that of the largest network in the account, since the contract has no rule for it. */
export function mirrorNetworkPrefix({ resources }: Pick<LiveSnapshot, 'resources'>): number {
  const prefixes = resources.flatMap((one) => {
    const [, length] = /^[\d.]+\/(\d+)$/.exec((one.kind === 'network' && one.cidr) || '') ?? [];
    return length === undefined ? [] : [Number(length)];
  });
  return prefixes.length === 0 ? ampleNetworkPrefixLength : Math.max(8, Math.min(...prefixes));
}

/** Sets the use of quotas to that of the account: most of it may come from projects that were not read. */
export function setMirroredQuotaUse(
  store: SandboxStore,
  { quotas }: { readonly quotas: Readonly<Partial<Record<QuotaName, Quota>>> },
): void {
  for (const [name, own] of tableEntries(sandboxNamesOfQuotas)) {
    const used = quotas[name]?.used ?? null;
    if (used === null) continue;
    const counted: RowCountRow = { owner: 'account', kind: own, amount: used };
    store.delete(sandboxTables.tallies, { owner: counted.owner, kind: own });
    store.insert(sandboxTables.tallies, counted);
  }
}
