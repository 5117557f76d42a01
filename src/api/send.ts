import {
  type CommandName,
  commandSubjects,
  type ResolvedCommand,
  findCommandSubjectId,
} from '../model/account/command.ts';
import { placeOfCommand } from '../model/account/place-of-command.ts';
import type { LiveResource } from '../model/account/live.ts';
import type { ResourceKindCodec, ResourceKindCodecs } from './contract/codec.ts';
import type { ServiceCall, ServiceCallOptions } from './wire/caller.ts';
import { enumWords } from './contract/shapes.ts';
import { readContractWord, readWireReference } from '../model/wire/decode-fields.ts';
import { encodeCommand } from './wire/encode.ts';
import type { ServiceCaller } from './wire/caller.ts';
import { readServiceRecord } from './wire/reading.ts';
import { isJsonObject } from '../model/json-object.ts';

/**
 * Answer of the service to a command. `accepted`: it will be carried out, or fail, later; a created resource is found
 * by listing. `done`: it was carried out at once; `resource` is the record as it then was, and may still be `creating`.
 */
export type CommandAcceptance =
  { readonly kind: 'accepted' } | { readonly kind: 'done'; readonly resource?: LiveResource };

/** Sends a command once the client's limit allows it. It fails as a `ServiceCall` does. */
export async function sendCommand(
  call: ServiceCall,
  kinds: ResourceKindCodecs,
  command: ResolvedCommand,
  options?: ServiceCallOptions,
): Promise<CommandAcceptance> {
  const { kind, effect } = commandSubjects[command.kind];
  const { wire: codec } = kinds[kind];
  const completion = codec.complete?.(command);
  const caller: ServiceCaller = { call: (request) => call(request, options) };
  const whole = completion ? await readServiceRecord(caller, completion) : command;
  const { status, body } = await call<CommandName>(encodeCommand(kinds, whole), options);
  // The contract says which commands answer at once; the service may do otherwise with each.
  if (status === 202) return { kind: 'accepted' };
  const resource = effect === 'delete' ? undefined : readResource(codec, command, body);
  if (resource) return { kind: 'done', resource };
  // Without its record a created resource has to be found like any accepted one.
  const isOpen = effect === 'create' || (isJsonObject(body) && 'commandId' in body);
  return isOpen ? { kind: 'accepted' } : { kind: 'done' };
}

const operationMembers = ['commandId', 'operationId', 'resourceId'];

/** Tells whether a record has the look of an operation: what that works on is found like the result of any accepted command. */
function isOperationRecord(body: Readonly<Record<string, unknown>>): boolean {
  const isWord = (value: unknown, list: string) =>
    enumWords[list]?.includes(readContractWord(value, enumWords[list]) ?? '') === true;
  return (
    operationMembers.some((name) => (body[name] ?? null) !== null) ||
    isWord(body.type, 'resourceOperation') ||
    (isWord(body.status, 'apiOperationStatus') && !isWord(body.status, 'resourceStatus'))
  );
}

/** The record of the command's subject, if the answer is just that: it may as well be an operation or an attachment. */
function readResource(
  codec: ResourceKindCodec,
  command: ResolvedCommand,
  body: unknown,
): LiveResource | undefined {
  if ('parts' in codec || !isJsonObject(body)) return undefined;
  const id = readWireReference(body.id);
  if (id === null || isOperationRecord(body)) return undefined;
  const known = findCommandSubjectId(command);
  if (known !== undefined && known !== id) return undefined;
  if (known === undefined && 'name' in command && body.name !== command.name) return undefined;
  return codec.decode(body, placeOfCommand(command));
}
