// The counts of a plan and of an apply in words, and their columns in tables and tiles.
import { countSeverity } from '../../model/diagnostic.ts';
import type { ChangeEffect, EffectCounts } from '../../model/effects.ts';
import { tableKeys } from '../../model/tables.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import type { PlanSummary } from '../view/outline.ts';

/** Effect of a change that the closing line counts separately; lost disks are counted with the rebuilds. */
export type EffectWithOwnCount = Exclude<ChangeEffect, 'disksLost'>;

/** Words of a plan and of an apply for each effect, in the order of the closing line. */
const phrases: Readonly<Record<EffectWithOwnCount, { planned: string; done: string }>> = {
  import: { planned: 'to import', done: 'imported' },
  add: { planned: 'to add', done: 'added' },
  change: { planned: 'to change', done: 'changed' },
  rebuild: { planned: 'to rebuild', done: 'rebuilt' },
  destroy: { planned: 'to destroy', done: 'destroyed' },
  expire: { planned: 'to expire', done: 'expired' },
  due: { planned: 'to back up', done: 'backed up' },
  forget: { planned: 'to forget', done: 'forgotten' },
};

/** Effects that are always counted, as in Terraform; other effects are counted where there are any. */
const always: readonly ChangeEffect[] = ['add', 'change', 'destroy'];

/** Chooses the effects that get a column in the table of counts. */
export function listEffectColumns(
  counts: EffectCounts,
  least: readonly ChangeEffect[] = always,
): readonly EffectWithOwnCount[] {
  return tableKeys(phrases).filter((effect) => least.includes(effect) || counts[effect] > 0);
}

/** Formats an effect and its losses behind a count: `to import`, `to rebuild (19 disks lost)`. */
export function formatEffectCountLabel(
  effect: EffectWithOwnCount,
  { disksLost }: EffectCounts,
  tense: 'planned' | 'done' = 'planned',
): string {
  const lost =
    effect === 'rebuild' && disksLost > 0
      ? ` (${formatCountWithNoun('disk', disksLost)} lost)`
      : '';
  return phrases[effect][tense] + lost;
}

/**
 * Describes the counts of a plan's effects: `1 to import, 2 to add, 0 to change, 19 to rebuild (19 disks lost), 0 to
 * destroy`.
 */
export function describeEffectCounts(counts: EffectCounts): string {
  return wordCounts(counts, always, 'planned');
}

/** Describes the counts of a plan's effects without zeros: `2 to add, 1 to destroy`; empty where nothing changes. */
export function describeNonzeroEffectCounts(counts: EffectCounts): string {
  return wordCounts(counts, [], 'planned');
}

/**
 * Describes the counts of an apply's effects: `1 imported, 2 added, 0 changed, 0 destroyed`; after a destroy, `3
 * destroyed` and the other counts above zero.
 */
export function describeAppliedEffectCounts(counts: EffectCounts, isDestroy: boolean): string {
  return wordCounts(counts, isDestroy ? ['destroy'] : always, 'done');
}

function wordCounts(
  counts: EffectCounts,
  least: readonly ChangeEffect[],
  tense: 'planned' | 'done',
): string {
  return listEffectColumns(counts, least)
    .map((effect) => `${counts[effect]} ${formatEffectCountLabel(effect, counts, tense)}`)
    .join(', ');
}

/** Describes, in one sentence, that a plan has errors and cannot be applied; undefined for a plan without errors. */
export function describeBlockedPlan({
  findings,
}: Pick<PlanSummary, 'findings'>): string | undefined {
  const errors = countSeverity(findings, 'error');
  return errors === 0
    ? undefined
    : `This plan cannot be applied: it has ${formatCountWithNoun('error', errors)}.`;
}

/** Warning above a plan that loses data or an address for good. */
export interface LossWarning {
  /** Loss in one or two sentences: `This plan loses the disks of 2 VMs (80 GB). There is no undo.` */
  readonly loss: string;
  /** Counts in words: `2 to rebuild (2 disks lost), 1 to destroy`. */
  readonly counts: string;
}

/** Describes the losses of a plan, and the changes that cause them; undefined where the plan loses nothing. */
export function describeLossWarning({
  lost,
  isLostLater,
  counts,
}: PlanSummary): LossWarning | undefined {
  if (!lost) return undefined;
  const { rebuild, disksLost, destroy, due } = counts;
  const none = { import: 0, add: 0, change: 0, expire: 0, forget: 0 };
  return {
    loss: isLostLater
      ? `This plan loses ${lost.whole} at the end of the retirement. Until then it can be undone.`
      : `This plan loses ${lost.whole}. There is no undo.`,
    counts: describeNonzeroEffectCounts({ ...none, rebuild, disksLost, destroy, due }),
  };
}
