// Removal of a journey's resources: by its own state alone, so that nothing else of the account is ever touched.
import { changeSale, listSales } from '../../api/sales.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { makeDefaultPlanParameters } from '../../engine/plan-order.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { makeSaleRenewalRequest } from '../../kinds/vm/requests.ts';
import { commandNames, commandSubjects } from '../../model/account/command.ts';
import type { JourneyStep, JourneyVerdict } from '../../model/account/journey.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/kind-places.ts';
import { noPlanOptions } from '../../model/plan/plan.ts';
import type { AppliedChange, ChangeResult } from '../../model/plan/result.ts';
import { emptyDesiredGraph } from '../../model/resource.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import { describeCommandFailure } from '../session/describe-failure.ts';
import type { JourneyReporter } from './journey-reporter.ts';
import type { OpenedJourneyAccount } from './open-journey.ts';
import { openJourneyEngine, type JourneyStepResults } from './walk-journey.ts';

/** Addresses of the resources that a journey created, or may have created. */
export function listJourneyResources({ resources, pending }: State): readonly ResourceAddress[] {
  return [...new Set([...resources.keys(), ...pending.keys()])];
}

/**
 * Deletes all resources of a journey from the account, even after an interrupt. A resource that could not be deleted stays in the
 * journey's state.
 * @throws LockLostError, StateWriteError, bugs
 */
export async function removeJourneyResources(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  place: OpenedJourneyAccount,
  reporter: JourneyReporter,
): Promise<JourneyStepResults> {
  const { store } = place;
  const title = 'Remove everything';
  if (listJourneyResources(store.state).length === 0) return { steps: [], diagnostics: [] };
  reporter.startStep(title);
  const startedAt = runtime.clock.now();
  let removed: JourneyStepResults;
  try {
    await cancelRenewals(place);
    removed = await destroy(runtime, place, reporter);
    // A second try, since the first may have failed for lack of time, and every resource that stays is billed.
    if (listJourneyResources(store.state).length > 0 && removed.steps.length > 0) {
      const again = await destroy(runtime, place, reporter);
      removed = {
        steps: [...removed.steps, ...again.steps],
        diagnostics: [...removed.diagnostics, ...again.diagnostics],
      };
    }
  } catch (error) {
    const diagnostics = store.failure ? undefined : describeCommandFailure(error);
    if (!diagnostics) throw store.failure ?? error;
    removed = { steps: [], diagnostics };
  }
  if (store.failure) throw store.failure;
  const { steps, diagnostics } = removed;
  if (steps.length > 0 || diagnostics.length === 0) return removed;
  const words = diagnostics.map(({ summary }) => summary).join('; ');
  const verdict = { kind: 'otherwise', words } as const;
  const elapsedMs = runtime.clock.now() - startedAt;
  const step = { title, operation: '', verdict, seen: [], elapsedMs };
  reporter.showStep(step);
  return { steps: [step], diagnostics };
}

/** Destroys once; each deletion is a step of the journey, in the order in which the deletions ended. */
async function destroy(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  place: OpenedJourneyAccount,
  reporter: JourneyReporter,
): Promise<JourneyStepResults> {
  const engine = openJourneyEngine(runtime, place, new AbortController().signal);
  // A create with a lost answer may have made two resources with one name.
  const planOptions = { ...noPlanOptions, removesDoubled: true };
  const showDiagnostics = (told: readonly Diagnostic[]) =>
    reporter.showDiagnostics(told.filter(({ severity }) => severity !== 'note'));
  const ended: ResourceAddress[] = [];
  const applied = await engine.apply(
    { ...makeDefaultPlanParameters('destroy', emptyDesiredGraph), planOptions },
    {
      showDiagnostics,
      follow: () => ({
        showDiagnostics,
        showEvent: ({ kind, address }) => {
          if (kind === 'completed' || kind === 'errored') ended.push(address);
        },
      }),
    },
  );
  const { changes, findings } = applied.planned.plan;
  if (applied.kind !== 'ended') {
    return { steps: [], diagnostics: findings.filter(({ severity }) => severity === 'error') };
  }
  const kindOf = new Map(changes.map(({ address, kind }) => [address, kind]));
  const rank = ({ address }: AppliedChange) => ended.indexOf(address) + 1 || Infinity;
  const done = applied.summary.changes.toSorted((a, b) => rank(a) - rank(b));
  const steps = done.flatMap(({ address, result, elapsedMs }) => {
    const kind = kindOf.get(address);
    return kind ? [describeDeletion(kind, result, elapsedMs)] : [];
  });
  for (const step of steps) reporter.showStep(step);
  return {
    steps,
    diagnostics: done.flatMap(({ result }) => ('diagnostic' in result ? [result.diagnostic] : [])),
  };
}

/** Cancels renewals, so that no sale outlives its resource. A token that may not read sales leaves them as they are. */
async function cancelRenewals({
  store,
  connection: { client },
}: OpenedJourneyAccount): Promise<void> {
  const ids = new Set([...store.state.resources.values()].map(({ id }) => id));
  try {
    for (const { id, resourceId, renewal } of await listSales(client)) {
      if (!ids.has(resourceId) || renewal !== 'active') continue;
      await changeSale(client, id, makeSaleRenewalRequest(id, 'cancelled'));
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function describeDeletion(kind: KindName, result: ChangeResult, elapsedMs: number): JourneyStep {
  const operation = commandNames.find(
    (name) => commandSubjects[name].kind === kind && commandSubjects[name].effect === 'delete',
  );
  return {
    title: `Delete the ${kindRegistry[kind].label}`,
    operation: operation ?? '',
    verdict: classifyDeletion(result),
    seen: result.kind === 'applied' ? ['it is gone'] : [],
    elapsedMs,
  };
}

function classifyDeletion(result: ChangeResult): JourneyVerdict {
  switch (result.kind) {
    case 'applied':
      return { kind: 'works' };
    case 'failed':
    case 'unknown':
      return { kind: 'otherwise', words: result.diagnostic.summary };
    case 'skipped':
      return { kind: 'not-tried', words: `${result.causedBy} could not be deleted` };
    case 'interrupted':
      return { kind: 'not-tried', words: 'the journey was interrupted' };
  }
}
