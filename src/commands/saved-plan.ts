import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DiagnosticError } from '../model/errors.ts';
import type { Change, PlanMode } from '../model/plan.ts';
import type { Runtime } from '../model/runtime.ts';
import { readPlanFile, type SavedPlan } from '../state/plan-file.ts';
import type { Planned } from './make-plan.ts';
import { maskPlan, isSealedAlike } from './seal-secrets.ts';
import type { Session } from './session.ts';

/** Reads a plan file for `apply`. @throws DiagnosticError when it is no usable plan */
export async function openSavedPlan(
  runtime: Runtime,
  path: string,
): Promise<SavedPlan & { mode: PlanMode }> {
  const saved = await readPlanFile(resolve(runtime.cwd, path));
  return { ...saved, mode: saved.plan.mode };
}

/**
 * Makes sure that a saved plan still says what would happen: the same state, the same service, and, once the account
 * was read anew, the same changes.
 * @throws DiagnosticError `stale-plan`, with what moved
 */
export function confirmSavedPlan(
  saved: SavedPlan,
  { store, connection }: Session,
  planned?: Planned,
): void {
  const { lineage, serial } = store.state;
  // A state that was never written has no lineage to compare: its first one is made up on the spot.
  const isSameState = saved.serial === serial && (serial === 0 || saved.lineage === lineage);
  if (!isSameState) refuse('The state was changed by another run since the plan was made.');
  if (saved.service !== connection.service) {
    refuse(`The plan was made for ${saved.service}, this run would go to ${connection.service}.`);
  }
  if (!planned) return;
  const moved = listMoved(saved.plan.changes, maskPlan(planned.plan).changes);
  if (moved.length > 0) {
    const shown = moved.slice(0, 10).join(', ');
    const rest = moved.length > 10 ? ` and ${moved.length - 10} more` : '';
    refuse(
      `The account has moved since the plan was made. Another change would follow for: ${shown}${rest}.`,
    );
  }
  if (!isSealedAlike(saved.seal, planned.desired, planned.plan)) {
    refuse('A sensitive value is no longer the one that the plan was made with.');
  }
}

function listMoved(before: readonly Change[], after: readonly Change[]): string[] {
  // Through JSON, as the saved one has been.
  const plain = JSON.parse(JSON.stringify(after)) as readonly Change[];
  const old = new Map(before.map((change) => [change.address, change]));
  const moved = plain.filter((change) => !isDeepStrictEqual(old.get(change.address), change));
  const now = new Set(plain.map((change) => change.address));
  return [...moved, ...before.filter(({ address }) => !now.has(address))].map((one) => one.address);
}

function refuse(detail: string): never {
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'stale-plan',
      summary: 'Saved plan is stale',
      detail,
      hint: 'Make the plan again, read it, and apply that one.',
    },
  ]);
}
