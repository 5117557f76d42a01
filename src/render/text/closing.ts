import { describeEffectCounts, describeBlockedPlan } from './counts-text.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import type { PlanSummary } from '../view/outline.ts';

/** Last lines below a plan. */
export interface PlanClosingWords {
  /** Counts of the plan, `Plan: 1 to add, 0 to change, 0 to destroy.`; absent where nothing changes. */
  readonly counts?: string;
  /** The verdict that the plan cannot be applied, or that there is nothing to do. */
  readonly verdict?: string;
  /** The reason why there is nothing to do, or the work that is done all the same. */
  readonly explanation?: string;
}

const outputsWords =
  'You can apply this plan to save these new output values to the state, without changing any real infrastructure.';

const refreshWords =
  'This is a refresh-only plan, so Hostwright will not take any actions to undo these. If you were expecting these ' +
  'changes then you can apply this plan to record the updated values in the Hostwright state without changing any ' +
  'remote objects.';

/** The words that a plan closes with, the same in every form of it. */
export function describePlanClosing(view: PlanSummary): PlanClosingWords {
  const counts = `Plan: ${describeEffectCounts(view.counts)}.`;
  const { hasChanges } = view;
  const verdict = describeBlockedPlan(view);
  if (verdict !== undefined) return { ...(hasChanges && { counts }), verdict };
  if (hasChanges) return { counts };
  if (view.hasDrift) return { explanation: refreshWords };
  return view.outputs.length > 0 ? { explanation: outputsWords } : explainNothing(view);
}

function explainNothing(view: PlanSummary): PlanClosingWords {
  if (view.underway > 0 && view.mode !== 'refresh') {
    return {
      verdict: `No changes. ${formatCountWithNoun('change', view.underway)} of an earlier run ${view.underway === 1 ? 'is' : 'are'} still in progress.`,
      explanation: 'Apply waits for what is in progress, and changes nothing else.',
    };
  }
  if (view.mode === 'refresh') {
    return {
      verdict: 'No changes. Your infrastructure still matches the configuration.',
      explanation:
        'Hostwright has checked that the real remote objects still match the result of your most recent changes, and ' +
        'found no differences.',
    };
  }
  if (view.mode === 'destroy') {
    return {
      verdict: 'No changes. No objects need to be destroyed.',
      explanation:
        'Either you have not created any objects yet or the existing objects were already deleted outside of Hostwright.',
    };
  }
  return {
    verdict: 'No changes. Your infrastructure matches the configuration.',
    explanation:
      view.gone.length > 0
        ? "Applying this plan will only update the state to include the changes detected above and won't " +
          'change any real infrastructure.'
        : 'Hostwright has compared your real infrastructure against your configuration and found no ' +
          'differences, so no changes are needed.',
  };
}
