import type { Command } from 'commander';
import type { CandidateSource } from '../../commands/completion/list-candidates.ts';
import { pathOf } from './examples.ts';

const addressNames: ReadonlySet<string> = new Set(['address', 'addresses', 'from', 'to']);

/** Where the values of an argument or of a flag come from that has none of its own: known by what it is called. */
export function sourceOf(command: Command, valueName: string): CandidateSource | undefined {
  const path = pathOf(command);
  if (path === 'output' && valueName === 'name') return 'outputs';
  // That of a sandbox is one of the network.
  if (!addressNames.has(valueName) || path === 'sandbox') return undefined;
  return path.startsWith('state ') ? 'managed' : 'addresses';
}

/** `address` for `--target <address>`. */
export function valueNameOf(flags: string): string {
  return /[<[]([\w-]+)/.exec(flags)?.[1] ?? '';
}
