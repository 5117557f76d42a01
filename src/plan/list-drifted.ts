import type { ResourceAddress } from '../model/address.ts';
import type { DriftSubject, IgnoreDriftWay } from '../model/plan/drift-choice.ts';
import type { Change, Plan } from '../model/plan/plan.ts';
import { kindRegistry } from '../kinds/registry.ts';

/** Attributes and whole resources that a plan puts back since somebody changed them outside, in address order. */
export function listRevertedDrift({
  changes,
  mode,
}: Pick<Plan, 'changes' | 'mode'>): readonly DriftSubject[] {
  if (mode !== 'apply') return [];
  const sources = new Map(changes.map(({ address, source }) => [address, source]));
  return changes.flatMap((change) => {
    if (change.reason === 'deleted-outside') return [describeDeleted(change)];
    if (change.reason === 'not-exclusive') return [describeCreated(change, sources)];
    return listValues(change);
  });
}

function subjectOf({ address, kind, source }: Change) {
  return { address, kind, ...(source && { source }) };
}

function listValues(change: Change): readonly DriftSubject[] {
  const { drift = {}, fields, before, after, sensitive } = change;
  return fields.flatMap(({ name, effect }): readonly DriftSubject[] => {
    const applied = drift[name];
    if (applied === undefined) return [];
    const isSensitive = sensitive.includes(name);
    const live = before?.[name] ?? null;
    const configured = after?.[name] ?? null;
    const values = isSensitive
      ? { applied: null, live: null, configured: null }
      : { applied, live, configured };
    const what = 'changed' as const;
    const ignore = ignoreField(change, name);
    return [{ what, ...subjectOf(change), field: name, ...values, isSensitive, effect, ignore }];
  });
}

function ignoreField({ kind, source, ignored = [] }: Change, name: string): IgnoreDriftWay {
  if (kindRegistry[kind].traits.permanent) {
    return { why: 'Remove the line of the attribute: what is not configured is left alone.' };
  }
  const names = [...ignored, name].join(', ');
  return { line: `lifecycle: { ignoreChanges: [${names}] }`, ...(source && { source }) };
}

function describeDeleted(change: Change): DriftSubject {
  const why = 'A resource that is gone cannot be ignored.';
  return { what: 'deleted', ...subjectOf(change), ignore: { why } };
}

function describeCreated(
  change: Change,
  sources: ReadonlyMap<ResourceAddress, Change['source']>,
): DriftSubject {
  const { project, id, before } = change;
  const name = before?.name;
  const source = sources.get(project);
  // Only plain names are suggested, as `*` and `^` have a meaning in `ignoreUnmanaged`.
  const isPlain = typeof name === 'string' && /^[a-z][\w.-]*$/i.test(name) && !isWord.test(name);
  const pattern = isPlain ? name : JSON.stringify(id);
  const ignore = { line: `ignoreUnmanaged: [${pattern}]`, ...(source && { source }) };
  return { what: 'created', ...subjectOf(change), ignore };
}

/** Matches names that YAML reads as something else than a text. */
const isWord = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
