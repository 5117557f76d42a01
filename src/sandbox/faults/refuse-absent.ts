import { isJsonObject } from '../../model/json-object.ts';
import { isKeyOf } from '../../model/tables.ts';
import type { KindName } from '../../model/kind-places.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { FaultScriptError } from './parse-script.ts';
import type { FaultScriptPath, FaultScriptProblem } from './script-reader.ts';
import type { WebConsoleEdit, WebConsoleEditSubject, FaultScript } from './script.ts';

/** Resource that exists in a rehearsal: one of the copied account, or of the configuration. */
export interface RehearsedResource {
  readonly kind: KindName;
  /** Name of the resource; absent for kinds that have none. */
  readonly name?: string | undefined;
  /** Values of its attributes as text, its id among them. */
  readonly values: ReadonlySet<string>;
}

/** Names that a fault script of a rehearsal may use. */
export interface RehearsedNames {
  readonly resources: readonly RehearsedResource[];
  /** Kinds with a name that only the apply will know, so that the script may use any name for them. */
  readonly open: ReadonlySet<KindName>;
  /** Sizes that the VMs of the configuration order; undefined where one is only known in the apply. */
  readonly orderedSizes: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** Addresses of VMs with probes, and of their blocks. */
  readonly probed: ReadonlySet<string>;
}

/** Kinds that a member of a subject may name: a public IP also goes by the VM that holds it. */
const subjectKinds = {
  project: ['project'],
  network: ['network'],
  sshKey: ['sshKey'],
  vm: ['vm'],
  publicIp: ['publicIp', 'vm'],
  portForward: ['portForward'],
  token: ['accessToken'],
} as const satisfies Partial<Record<keyof WebConsoleEditSubject, readonly KindName[]>>;

/**
 * Refuses a fault script that names things which its rehearsal never has: such a fault would seem to do no harm.
 * @throws FaultScriptError
 */
export function requireNamesInRehearsal(script: FaultScript, names: RehearsedNames): void {
  const problems = [
    ...script.rules.flatMap(({ then }, index) =>
      then.kind === 'capacity' ? findUnorderedSize(then.configurationId, index, names) : [],
    ),
    ...script.edits.flatMap((edit, index) => findAbsentSubjects(edit, index, script, names)),
    ...[...(script.ready?.byAddress.keys() ?? [])].flatMap((address) =>
      findUnprobed(address, names),
    ),
  ];
  if (problems.length > 0) throw new FaultScriptError(problems);
}

function findUnorderedSize(
  id: string,
  index: number,
  { orderedSizes }: RehearsedNames,
): readonly FaultScriptProblem[] {
  if (orderedSizes?.some((size) => size.id === id) !== false) return [];
  const path = ['rules', index, 'then', 'capacity', 'configuration'];
  const ordered = orderedSizes.map(({ name }) => name);
  return [explainAbsence(path, 'is the size of no VM in the configuration', ordered)];
}

function findAbsentSubjects(
  { on }: WebConsoleEdit,
  index: number,
  { edits }: FaultScript,
  { resources, open }: RehearsedNames,
): readonly FaultScriptProblem[] {
  return Object.entries(on).flatMap(([key, written]: [string, string]) => {
    if (!isKeyOf(subjectKinds, key)) return [];
    const kinds: readonly KindName[] = subjectKinds[key];
    const candidates = resources.filter(({ kind }) => kinds.includes(kind));
    // A port forward is written as `tcp/443`.
    const parts = key === 'portForward' ? written.split('/') : [written];
    const isThere =
      kinds.some((kind) => open.has(kind)) ||
      candidates.some(({ values }) => parts.every((part) => values.has(part))) ||
      // An edit may create it, or rename something to that name.
      edits.some(({ body }) => isJsonObject(body) && body.name === written);
    if (isThere) return [];
    const known = candidates.flatMap(({ name }) => name ?? []);
    const path = ['edits', index, 'on', key];
    return [explainAbsence(path, 'names nothing that the rehearsal has', known, written)];
  });
}

function findUnprobed(address: string, { probed }: RehearsedNames): readonly FaultScriptProblem[] {
  if (probed.has(address)) return [];
  const message = 'is neither a VM with probes nor the block of one';
  return [{ ...explainAbsence(['ready', address], message, probed, address), isKey: true }];
}

/** Says what is not there, and what may be written instead. */
function explainAbsence(
  path: FaultScriptPath,
  message: string,
  known: Iterable<string>,
  written = '',
): FaultScriptProblem {
  const names = [...new Set(known)];
  const meant = suggestNearestName(written, names);
  const instead = names.length === 0 ? 'there is none' : `write ${formatNameList(names, 8)}`;
  return {
    path,
    message: `${message}: ${meant === undefined ? instead : `did you mean \`${meant}\`?`}`,
  };
}
