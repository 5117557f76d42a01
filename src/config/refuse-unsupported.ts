// Parts of the language that are read and that nothing acts on yet. They are refused, never ignored.
import type { FaultList } from './fault-list.ts';
import { entriesOf, type Entry, type LocatedNode } from './located-node.ts';
import { hasExpression } from './resolve-node.ts';
import { describePath, findAddress } from './subject.ts';

const planHint = 'Read the plan before you apply it.';

/** Paths through the YAML, `*` for any key, each with what to do instead. */
export type Refusals = readonly (readonly [path: string, hint: string])[];

/** What is refused; shortened as the planner learns. */
export const unsupported: Refusals = [
  ...['projects.*.vms.*', 'projects.*.defaults.vms', 'defaults.vms'].flatMap((vm) => [
    [`${vm}.lifecycle.createBeforeDestroy`, planHint] as const,
  ]),
];

function refuse(path: readonly string[], { key }: Entry, hint: string, faults: FaultList): void {
  const address = findAddress(path);
  faults.add({
    code: 'not-supported-yet',
    summary: `${describePath(path)} is not supported yet`,
    detail: 'This version of Hostwright knows the key and does nothing with it.',
    hint: `Remove it for now. ${hint}`,
    ...(address !== undefined && { address }),
    place: key,
  });
}

/** A flag that is not set asks for nothing; one of another type was reported. */
function isOff({ value }: Entry): boolean {
  return value.kind !== 'scalar' || (value.value !== true && !hasExpression(value));
}

function follow(
  node: LocatedNode | undefined,
  steps: readonly string[],
  path: readonly string[],
  found: (path: readonly string[], entry: Entry) => void,
): void {
  const [step, ...rest] = steps;
  for (const [key, entry] of entriesOf(node)) {
    if (step !== '*' && step !== key) continue;
    if (rest.length === 0) found([...path, key], entry);
    else follow(entry.value, rest, [...path, key], found);
  }
}

/** Refuses what nothing acts on yet, wherever it stands. */
export function refuseUnsupported(
  tree: LocatedNode | undefined,
  paths: Refusals,
  faults: FaultList,
): void {
  for (const [pattern, hint] of paths) {
    follow(tree, pattern.split('.'), [], (path, entry) => {
      if (!(pattern.endsWith('.exclusive') && isOff(entry))) refuse(path, entry, hint, faults);
    });
  }
}
