// A service may keep another name than it was given: trimmed, in lower case, in another normal form. Asked for again, it
// would make the same of it, so the state remembers both, and the plan goes by the one that was asked for.
import { commandSubjects, type ResolvedCommand } from '../model/account/command.ts';
import { foldName } from '../model/text/fold-name.ts';
import { nameOf, type LiveResource } from '../model/account/live.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { Attributes, Value } from '../model/value.ts';

/** True for two spellings of what may be one name, kept by a service that rewrites names. */
function isRespelled(asked: Value | undefined, kept: Value | undefined): boolean {
  if (typeof asked !== 'string' || typeof kept !== 'string' || asked === kept) return false;
  return foldName(asked) === foldName(kept);
}

/** What the state remembers of a live resource: its name as it was asked for, and beside it the one that is kept. */
export function rememberName(
  given: ManagedResource,
  live: LiveResource,
  asked: Value | undefined,
): ManagedResource {
  const resource: { -readonly [Key in keyof ManagedResource]: ManagedResource[Key] } = { ...given };
  delete resource.keptName;
  const name = nameOf(live);
  if (name === undefined || asked === undefined || !isRespelled(asked, name)) return resource;
  return { ...resource, attributes: { ...resource.attributes, name: asked }, keptName: name };
}

/**
 * The attributes of a live resource with its name as it was asked for, while the live one is what the service made of it.
 * What a person made of it since is shown as it is. `wanted` is what the configuration asks for now.
 */
export function readAskedName(
  read: Attributes,
  managed: ManagedResource | undefined,
  wanted?: Attributes,
): Attributes {
  const { name } = read;
  if (!managed || name === undefined || wanted?.name === name) return read;
  const asked = findAsked(managed, name, wanted?.name);
  return isRespelled(asked, name) ? { ...read, name: asked ?? null } : read;
}

function findAsked(
  { keptName, attributes, sensitive = [] }: ManagedResource,
  name: Value,
  wanted: Value | undefined,
): Value | undefined {
  if (keptName === name) return attributes.name;
  // A sensitive name is in no state, so nobody can tell which one was asked for.
  return attributes.name === undefined && sensitive.includes('name') ? wanted : undefined;
}

/** True where a resource has the name that a rename asked for, as a service may have rewritten it. */
export function hasRespelledName(command: ResolvedCommand, live: LiveResource): boolean {
  return (
    commandSubjects[command.kind].effect === 'update' &&
    'name' in command &&
    isRespelled(command.name, nameOf(live))
  );
}
