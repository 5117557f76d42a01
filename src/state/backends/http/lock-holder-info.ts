// What a state server says of a lock's holder. Servers keep Terraform's keys; some drop all others, some echo those of
// whoever asks, and some answer with something else altogether.
import { decodeInfo, type LockInfo } from '../../lock/lock-info.ts';
import { cleanText } from '../clean-text.ts';

/** The holder that a text names; undefined when it names none. What is missing is `unknown`. */
export function readHolder(text: string | undefined): LockInfo | undefined {
  const info = decodeInfo(text ?? '') as Readonly<Record<string, unknown>> | undefined;
  if (!info) return undefined;
  const say = (key: string) => (typeof info[key] === 'string' ? cleanText(info[key]) : 'unknown');
  const isMarked = typeof info['Host'] === 'string' && typeof info['Pid'] === 'number';
  return {
    ID: say('ID'),
    Operation: say('Operation'),
    Info: typeof info['Info'] === 'string' ? cleanText(info['Info']) : '',
    Who: say('Who'),
    Version: say('Version'),
    Created: say('Created'),
    Path: say('Path'),
    ...(isMarked ? { Pid: info['Pid'] as number, Host: say('Host'), ...readMark(info) } : nowhere),
    ...(typeof info['Epoch'] === 'number' && { Epoch: info['Epoch'] }),
    ...(typeof info['Lease'] === 'number' && { Lease: info['Lease'] }),
    ...(info['Kept'] === true && { Kept: true }),
  };
}

/** A process that no machine takes for one of its own. */
const nowhere = { Pid: 0, Host: 'unknown', Realm: 'unknown' } as const;

function readMark({ Realm, Started }: Readonly<Record<string, unknown>>) {
  return {
    ...(typeof Realm === 'string' && { Realm }),
    ...(typeof Started === 'string' && { Started }),
  };
}
