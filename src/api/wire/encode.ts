import type { ResourceKindCodecs } from '../contract/codec.ts';
import type { WireRequest } from '../contract/types.ts';
import {
  type CommandName,
  commandSubjects,
  type ResolvedCommand,
} from '../../model/account/command.ts';

/** A command as the request that asks for it: the operation of its own name. */
export function encodeCommand(
  kinds: ResourceKindCodecs,
  command: ResolvedCommand,
): WireRequest<CommandName> {
  const { encode } = kinds[commandSubjects[command.kind].kind].wire;
  // The table is indexed by the command's own kind, which TypeScript cannot follow through a union.
  const encodeOne = encode[command.kind] as (command: ResolvedCommand) => object;
  return { operation: command.kind, ...encodeOne(command) } as WireRequest<CommandName>;
}
