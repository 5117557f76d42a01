// Commands to the service, as data: one entry for each kind of request that changes something. Their spelling on the wire is
// known in api/ alone.
import type { ResourceAddress } from '../address.ts';
import { kindNames, kindPlaces, type KindName } from '../kind-places.ts';
import type { CommandEffect, kindTable } from '../kind-table.ts';
import { tableKeys } from '../tables.ts';
import { isJsonObject } from '../json-object.ts';

/** A resource by its id, or by the address whose id will be known when the command is sent. */
export type ResourceRef = { readonly id: string } | { readonly idOf: ResourceAddress };

/**
 * Fields of each command beside its name, over `R`: references as planned, or plain ids once resolved. Every kind declares
 * those of its own here, in the `model.ts` of its folder.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- the kinds fill it
export interface CommandFields<R> {}

/** Names of commands about one kind of resource. */
export type CommandNameOf<K extends KindName> = NamesByKind[K];

type NamesByKind = {
  readonly [K in KindName]: keyof (typeof kindTable)[K]['commands'];
};

/** All commands, over `R`. A command whose kind declares no fields of it in `CommandFields` does not compile. */
export type CommandWithRefs<R> = {
  [C in CommandNameOf<KindName>]: { readonly kind: C } & CommandFields<R>[C];
}[CommandNameOf<KindName>];

/** A command as a plan holds it, with addresses in the place of ids. */
export type Command = CommandWithRefs<ResourceRef>;
/** A command ready to be sent, with every reference replaced by an id. */
export type ResolvedCommand = CommandWithRefs<string>;
export type CommandName = Command['kind'];

/**
 * Subject of each command: the kind whose live record shows whether the command has come true, and its effect on that
 * resource.
 */
export const commandSubjects = Object.fromEntries(
  kindNames.flatMap((kind) =>
    Object.entries(kindPlaces[kind].commands).map(([name, effect]) => [name, { kind, effect }]),
  ),
) as Readonly<Record<CommandName, { readonly kind: KindName; readonly effect: CommandEffect }>>;

/** Names of the commands of all kinds. */
export const commandNames = tableKeys(commandSubjects);

/** The id that a command names of a kind. */
export function findCommandIdOfKind(command: ResolvedCommand, kind: KindName): string | undefined {
  return (command as Partial<Record<KindName, string>>)[kind];
}

/** The id of the resource that a command is about; undefined for a create, whose id is not known yet. */
export function findCommandSubjectId(command: ResolvedCommand): string | undefined {
  const { kind, effect } = commandSubjects[command.kind];
  if (effect === 'create') return undefined;
  return findCommandIdOfKind(command, kind);
}

/** Replaces every reference of a command, however deep it lies, by what `resolve` gives for it. */
export function resolveCommand(
  command: Command,
  resolve: (ref: ResourceRef) => string,
): ResolvedCommand {
  return resolveWithin(command, resolve) as ResolvedCommand;
}

function resolveWithin(value: unknown, resolve: (ref: ResourceRef) => string): unknown {
  if (isRef(value)) return resolve(value);
  if (Array.isArray(value)) return value.map((one) => resolveWithin(one, resolve));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, resolveWithin(one, resolve)]),
  );
}

/** Tells whether a command needs the id of the resource at an address. */
export function needsIdOf(command: Command, address: ResourceAddress): boolean {
  let needs = false;
  resolveCommand(command, (ref) => {
    needs ||= 'idOf' in ref && ref.idOf === address;
    return '';
  });
  return needs;
}

/**
 * Recognises a reference: an object with an id or an address and no other member. A person's own value with a key `id` is
 * none.
 */
function isRef(value: unknown): value is ResourceRef {
  if (!isJsonObject(value)) return false;
  const [key, ...others] = Object.keys(value);
  if (others.length > 0 || (key !== 'id' && key !== 'idOf')) return false;
  return typeof value[key] === 'string';
}
