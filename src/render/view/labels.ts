import type { Severity } from '../../model/diagnostic.ts';
import type { QuotaName } from '../../model/account/live.ts';
import type { KindName } from '../../model/resource.ts';

/** How kinds are called in a sentence: one of them, several of them. */
const kindLabels: Readonly<Record<KindName, readonly [string, string]>> = {
  project: ['project', 'projects'],
  sshKey: ['SSH key', 'SSH keys'],
  network: ['network', 'networks'],
  publicIp: ['public IP', 'public IPs'],
  vm: ['VM', 'VMs'],
  portForward: ['port forward', 'port forwards'],
  account: ['account', 'accounts'],
  accessToken: ['access token', 'access tokens'],
};

/** How severities are called in front of a summary. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  error: 'Error',
  warning: 'Warning',
  note: 'Note',
};

/** How quotas are called in a table. */
export const quotaLabels: Readonly<Record<QuotaName, string>> = {
  projects: 'projects',
  accessTokens: 'access tokens',
  networks: 'networks',
  publicIps: 'public IPs',
  vmCpu: 'VM cores',
  vmRam: 'VM RAM (GB)',
  vmDisk: 'VM disk (GB)',
};

/** `VM`, `public IP`. */
export function kindLabel(kind: KindName): string {
  return kindLabels[kind][0];
}

/** `1 VM`, `3 VMs`. */
export function countKind(kind: KindName, count: number): string {
  return `${count} ${kindLabels[kind][count === 1 ? 0 : 1]}`;
}

/** `1 error`, `3 errors`. */
export function countNoun(noun: string, count: number): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
