// What of a resource no request changes: by it a create tells what it made from what is merely called the same.
import type { ResolvedCommand } from '../model/account/command.ts';
import type { LiveAccessToken, LiveResource, LiveVm } from '../model/account/live.ts';

/** Equal in all that no request changes, as far as the service tells it. */
export function hasUnchanging(command: ResolvedCommand, live: LiveResource): boolean {
  if (command.kind === 'createVm' && live.kind === 'vm') return isSameVm(command, live);
  if (command.kind === 'createSshKey' && live.kind === 'sshKey') {
    return isSameOrUntold(keyBody(live.publicKey), keyBody(command.publicKey));
  }
  if (command.kind === 'createPortForward' && live.kind === 'portForward') {
    return isSameOrUntold(live.vmId, command.vm) && live.vmPort === command.vmPort;
  }
  if (command.kind === 'createToken' && live.kind === 'accessToken') {
    return isSameToken(command, live);
  }
  return true;
}

/** So far apart the ends of tokens may lie that were asked for again and again. */
const sameEndMs = 2 * 3_600_000;

function isSameToken(
  { scopes, expiresAt }: Extract<ResolvedCommand, { kind: 'createToken' }>,
  live: LiveAccessToken,
): boolean {
  if (!isSameSet(live.scopes, scopes)) return false;
  if (expiresAt === null || live.expiresAt === null) return expiresAt === live.expiresAt;
  return Math.abs(Date.parse(expiresAt) - live.expiresAt) <= sameEndMs;
}

function isSameVm(command: Extract<ResolvedCommand, { kind: 'createVm' }>, live: LiveVm): boolean {
  return (
    isSameOrUntold(live.configurationId, command.configurationId) &&
    isSameOrUntold(live.tariffId, command.tariffId) &&
    isSameOrUntold(live.imageId, command.imageId) &&
    isSameSetOrUntold(live.sshKeyIds, command.sshKeys) &&
    isSameSetOrUntold(live.plugins, command.plugins) &&
    hasAskedAddress(command.publicIp, live.publicIpId)
  );
}

function hasAskedAddress(asked: string, publicIpId: string | null): boolean {
  if (asked === 'none') return publicIpId === null;
  // It may be given a while after the VM.
  return asked === 'new' || publicIpId === null || publicIpId === asked;
}

function isSameOrUntold(told: string, asked: string): boolean {
  return told === '' || told === asked;
}

function isSameSetOrUntold(told: readonly string[], asked: readonly string[]): boolean {
  return told.length === 0 || isSameSet(told, asked);
}

function isSameSet(told: readonly string[], asked: readonly string[]): boolean {
  return told.length === asked.length && asked.every((one) => told.includes(one));
}

/** A public key without its comment, which a service may leave out. */
function keyBody(publicKey: string): string {
  return publicKey.trim().split(/\s+/).slice(0, 2).join(' ');
}
