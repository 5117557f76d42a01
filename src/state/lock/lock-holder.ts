// Evidence about the process that holds a lock: "gone" is answered only where its end is proven.
import { readFileSync, readlinkSync } from 'node:fs';
import { readErrorCode } from '../../model/errors.ts';

/** Identity of a process, by which it differs from every other, as far as the system shows that. */
export interface ProcessIdentity {
  readonly Pid: number;
  readonly Host: string;
  /** The boot of the machine and the process namespace in which `Pid` has a meaning; Linux only. */
  readonly Realm?: string;
  /** Start of the process, in ticks since the boot: protects against a pid that was assigned again; Linux only. */
  readonly Started?: string;
}

/** Makes the identity of a process on this computer. */
export function identifyProcess(pid: number, host: string): ProcessIdentity {
  const realm = readRealm();
  const started = readProcess(pid)?.started;
  return {
    Pid: pid,
    Host: host,
    ...(realm !== undefined && { Realm: realm }),
    ...(started !== undefined && { Started: started }),
  };
}

/**
 * Tells whether this process could see the other one: in the same boot of the same machine and in the same process namespace,
 * whatever the host is called. Without these, the name of the host has to do.
 */
export function isProcessInSight(mark: ProcessIdentity, host: string): boolean {
  const realm = readRealm();
  if (realm === undefined && mark.Realm === undefined) return mark.Host === host;
  return mark.Realm === realm;
}

/**
 * Tells whether the process is known to have ended. `host` is this machine's name. The end of a process that is out of sight
 * is never known; a stopped or suspended one has not ended.
 */
export function isProcessGone(mark: ProcessIdentity, host: string): boolean {
  if (!isProcessInSight(mark, host)) return false;
  if (!isPidInUse(mark.Pid)) return true;
  const running = readProcess(mark.Pid);
  if (!running) return false;
  return running.isZombie || (mark.Started !== undefined && mark.Started !== running.started);
}

/** Tells whether two identities are of one process. */
export function isSameProcess(left: ProcessIdentity, right: ProcessIdentity): boolean {
  return (['Pid', 'Host', 'Realm', 'Started'] as const).every((key) => left[key] === right[key]);
}

function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return readErrorCode(error) !== 'ESRCH';
  }
}

function readRealm(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

function readProcess(pid: number): { started: string; isZombie: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [status] = fields;
    const started = fields[19];
    return started === undefined
      ? undefined
      : { started, isZombie: status === 'Z' || status === 'X' };
  } catch {
    return undefined;
  }
}
