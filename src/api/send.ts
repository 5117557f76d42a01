import {
  type CommandName,
  commandSubjects,
  type ResolvedCommand,
  subjectId,
} from '../model/account/command.ts';
import type { LiveResource } from '../model/account/live.ts';
import type { Call, CallOptions } from './transport/call.ts';
import { isRecord, readReference } from '../model/wire/decode-fields.ts';
import { encodeCommand } from './wire/encode.ts';
import { readPreferences } from './notifications.ts';
import { decodeResource } from './reader.ts';

/**
 * What the service said to a command. `accepted`: it will be carried out, or fail, later; a created resource is found by
 * listing. `done`: it was carried out at once; `resource` is the record as it then was, and may still be `creating`.
 */
export type Accepted =
  { readonly kind: 'accepted' } | { readonly kind: 'done'; readonly resource?: LiveResource };

/** Sends a command once the client's limit allows it. Throws what a `Call` throws. */
export async function sendCommand(
  call: Call,
  command: ResolvedCommand,
  options?: CallOptions,
): Promise<Accepted> {
  const whole = await completeCommand(call, command, options);
  const { status, body } = await call<CommandName>(encodeCommand(whole), options);
  // The contract says which commands answer at once; the service may do otherwise with each.
  if (status === 202) return { kind: 'accepted' };
  const resource = readResource(command, body);
  if (resource) return { kind: 'done', resource };
  const { effect } = commandSubjects[command.kind];
  // Without its record a created resource has to be found like any accepted one.
  const isOpen = effect === 'create' || (isRecord(body) && 'commandId' in body);
  return isOpen ? { kind: 'accepted' } : { kind: 'done' };
}

/** Preferences can only be replaced as a whole: those that are not to change go along as they stand right now. */
async function completeCommand(
  call: Call,
  command: ResolvedCommand,
  options: CallOptions | undefined,
): Promise<ResolvedCommand> {
  if (command.kind !== 'updateNotificationPreferences') return command;
  const standing = await readPreferences({ call: (request) => call(request, options) });
  return { ...command, preferences: { ...standing, ...command.preferences } };
}

/** The record of the command's subject, if the answer is just that: it may as well be an operation or an attachment. */
function readResource(command: ResolvedCommand, body: unknown): LiveResource | undefined {
  const { kind, effect } = commandSubjects[command.kind];
  // What is answered to a change of the account is one half of its settings.
  if (effect === 'delete' || kind === 'account' || !isRecord(body)) return undefined;
  const id = readReference(body.id);
  if (id === null || 'commandId' in body || 'resourceId' in body) return undefined;
  const known = subjectId(command);
  if (known !== undefined && known !== id) return undefined;
  if (known === undefined && 'name' in command && body.name !== command.name) return undefined;
  const projectId = 'project' in command ? command.project : id;
  return kind === 'portForward' && 'publicIp' in command
    ? decodeResource(kind, body, { projectId, publicIpId: command.publicIp })
    : decodeResource(kind, body, { projectId });
}
