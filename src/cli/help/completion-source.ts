import type { Command, Option } from 'commander';
import type { CandidateSource } from '../../commands/completion/list-candidates.ts';
import { commandPathOf } from './examples.ts';

const addressNames: ReadonlySet<string> = new Set(['address', 'addresses', 'from', 'to']);

/** The flag whose value is a name, an equals sign and what the name stands for. */
export const variableFlag = '--var';

/** Source of an argument's values for completion, by the argument's name; for arguments without choices of their own. */
export function sourceOfArgument(command: Command, name: string): CandidateSource | undefined {
  const path = commandPathOf(command);
  if (path === 'output' && name === 'name') return 'outputs';
  if (path === 'catalog' && name === 'list') return 'catalog lists';
  return sourceOfAddress(path, name);
}

/** Source of a flag's values for completion. */
export function sourceOfFlag(
  command: Command,
  { long, flags }: Pick<Option, 'long' | 'flags'>,
): CandidateSource | undefined {
  if (long === variableFlag) return 'variables';
  // `address` for `--target <address>`.
  const name = /[<[]([\w-]+)/.exec(flags)?.[1] ?? '';
  return name === 'dir' ? 'directories' : sourceOfAddress(commandPathOf(command), name);
}

function sourceOfAddress(path: string, name: string): CandidateSource | undefined {
  // That of a sandbox is one of the network.
  if (!addressNames.has(name) || path === 'sandbox') return undefined;
  return path.startsWith('state ') ? 'managed' : 'addresses';
}
