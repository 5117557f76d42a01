// The comparison of a plan with an approved one: its changes with their values and losses, costs, outputs, checks and findings.
import { isDeepStrictEqual } from 'node:util';
import { type ResourceAddress } from '../model/address.ts';
import { isKnownPrice, type PriceOrUnknown, type ResourceCost } from '../model/cost/plan-costs.ts';
import {
  approvedPartKindsWithAddress,
  nameApprovedPart,
  compareApprovedParts,
  type ApprovalDifference,
  type ApprovedPartDifference,
} from '../model/plan/approval.ts';
import { type Change, type OutputChange, type Plan } from '../model/plan/plan.ts';
import { isDataLossDiagnostic, type Finding } from '../model/diagnostic.ts';
import type { Value } from '../model/value.ts';
import {
  compareChanges,
  describeValueDifference,
  formatValueText,
  type PlanDifference,
  type ChangeExecution,
} from './compare-changes.ts';
import {
  type ApprovedPlan,
  type LabelledValues,
  listMarks,
  listApprovedParts,
  nameApprovedFinding,
} from './approved-parts.ts';
import { comparePlanDrift } from './list-moved.ts';

/** The differences that would have to be approved anew; none where a plan does the same as the approved one. */
export function compareWithApprovedPlan(
  approved: ApprovedPlan,
  now: ApprovedPlan,
): readonly ApprovalDifference[] {
  const found = compareApprovedParts(
    listApprovedParts(approved),
    listApprovedParts(now),
    isSameContent,
  );
  const [before, after] = [indexPlan(approved.plan), indexPlan(now.plan)];
  const byLine = new Map<string, ApprovalDifference>();
  for (const part of found) {
    const { kind } = part;
    const subject = findSubject(
      part,
      after.findings.get(part.name) ?? before.findings.get(part.name),
    );
    const loses = losesMore(part, before, after);
    for (const told of describeDifference(part, before, after)) {
      const binds = part.binds || byLine.get(told.line)?.binds === true;
      byLine.set(told.line, { kind, ...subject, ...told, binds, loses });
    }
  }
  return [...byLine.values()];
}

/** A plan with indexes for comparing it with another. */
interface IndexedPlan {
  readonly plan: Plan;
  readonly changes: ReadonlyMap<ResourceAddress, Change>;
  readonly findings: ReadonlyMap<string, Finding>;
}

function indexPlan(plan: Plan): IndexedPlan {
  const changes = new Map(plan.changes.map((one) => [one.address, one]));
  return {
    plan,
    changes,
    findings: new Map(plan.findings.map((one) => [nameApprovedFinding(one), one])),
  };
}

function findSubject({ kind, name }: ApprovedPartDifference, finding: Finding | undefined) {
  if (kind !== 'finding') {
    if (kind === 'output' || kind === 'check') return { name };
    return approvedPartKindsWithAddress.has(kind) ? { address: name } : {};
  }
  if (!finding) return {};
  const { severity, code, summary, address } = finding;
  return { finding: { severity, code, summary }, ...(address !== undefined && { address }) };
}

/** Tells whether the later plan destroys something that the approved one keeps. */
function losesMore(
  { kind, name, was }: ApprovedPartDifference,
  before: IndexedPlan,
  after: IndexedPlan,
): boolean {
  if (kind === 'finding') {
    const finding = after.findings.get(name);
    return was === undefined && finding !== undefined && isDataLossDiagnostic(finding);
  }
  if (kind !== 'change' && kind !== 'stake') return false;
  const [old, fresh] = [before.changes.get(name), after.changes.get(name)].map((change) =>
    change ? listLost(change) : [],
  );
  return fresh?.some((one) => !old?.includes(one)) === true;
}

function listLost({ action, losses, lostBackups, displacedBackup }: Change): readonly string[] {
  const isDestroyed = action === 'delete' || action === 'replace';
  const backups = [lostBackups, displacedBackup].filter((one) => one !== undefined);
  return [...losses, ...(isDestroyed ? ['itself'] : []), ...backups.map(formatValueText)];
}

function isSameContent(was: unknown, is: unknown): boolean {
  return isDeepStrictEqual(plain(was), plain(is));
}

/** A value after a round trip through JSON, as a saved plan has had one. */
const plain = (content: unknown) => JSON.parse(JSON.stringify(content));

type Told = Omit<PlanDifference, 'words'> & { readonly line: string };

function describeDifference(
  difference: ApprovedPartDifference,
  before: IndexedPlan,
  after: IndexedPlan,
): readonly Told[] {
  const { kind, name, was, is } = difference;
  const part = nameApprovedPart(difference);
  const tell = ({ words, ...rest }: PlanDifference): Told => ({
    ...rest,
    line: `${part}: ${words}`,
  });
  switch (kind) {
    case 'change':
      return compareChange(difference, before.changes.get(name), after.changes.get(name)).map(tell);
    case 'stake':
      return compareStakes(difference).map(tell);
    case 'drift':
      return comparePlanDrift(before.plan, after.plan).flatMap(({ address, ...one }) =>
        address === name ? [tell(one)] : [],
      );
    case 'forgotten': {
      const words = is === undefined ? 'it stays in the state' : 'the state forgets it';
      return [tell({ field: kind, was: was !== undefined, is: is !== undefined, words })];
    }
    case 'secrets':
      return [tell({ words: saySecrets(was as Sealed | undefined, is as Sealed | undefined) })];
    case 'state':
      return [tell({ words: 'it was made from another one' })];
    case 'mode': {
      const [then, by] = [sayMode(before.plan), sayMode(after.plan)];
      return [tell({ was: then, is: by, words: `${then} -> ${by}` })];
    }
    case 'output': {
      const words = `${sayOutput(was)} -> ${sayOutput(is)}`;
      return [tell({ was: sayOutput(was), is: sayOutput(is), words })];
    }
    case 'cost':
      return [tell({ was, is, words: `${sayCosts(was)}; now ${sayCosts(is)}` })];
    case 'check':
      return [tell({ was, is, words: `${sayCheck(was)} -> ${sayCheck(is)}` })];
    case 'finding':
      return [{ was, is, line: sayFinding(part, was, is) }];
    case 'contract':
    case 'service': {
      const say = (one: unknown) => (one === undefined ? 'none' : formatValueText(one as Value));
      return [tell({ was, is, words: `${say(was)} -> ${say(is)}` })];
    }
  }
}

/** Compares the values of a change first; where those are equal, its commands. */
function compareChange(
  { was, is }: ApprovedPartDifference,
  before: Change | undefined,
  after: Change | undefined,
): readonly PlanDifference[] {
  const values = compareChanges(before, after);
  const marks = before && after ? compareLabelled(listMarks(before), listMarks(after)) : [];
  if (values.length + marks.length > 0) return [...values, ...marks];
  if (!isDeepStrictEqual(before?.waiting, after?.waiting)) {
    const difference = describeValueDifference(
      'at the next rebuild',
      before?.waiting,
      after?.waiting,
    );
    return [{ ...difference, field: 'waiting' }];
  }
  return isDeepStrictEqual(executionOf(was).deferred, executionOf(is).deferred)
    ? [{ field: 'commands', words: 'other commands would be sent' }]
    : [{ field: 'deferred', words: 'its deferred values would be resolved otherwise' }];
}

/** The losses of a change that both plans have. Where only one of them has it, the action says enough. */
function compareStakes({ was, is }: ApprovedPartDifference): readonly PlanDifference[] {
  return was && is ? compareLabelled(was as LabelledValues, is as LabelledValues) : [];
}

function compareLabelled(was: LabelledValues, is: LabelledValues): readonly PlanDifference[] {
  return Object.keys(was)
    .filter((label) => !isDeepStrictEqual(was[label], is[label]))
    .map((label) => describeValueDifference(label, was[label], is[label]));
}

function executionOf(content: unknown): ChangeExecution {
  return (content as { readonly execution?: ChangeExecution } | undefined)?.execution ?? {};
}

interface Sealed {
  readonly salt: string;
}

function saySecrets(was: Sealed | undefined, is: Sealed | undefined): string {
  if (!was) return 'there were none';
  if (!is) return 'there are none any more';
  return was.salt === is.salt
    ? 'at least one differs'
    : 'they cannot be compared, since the plans were made for different services';
}

function sayMode({ mode, isPartial }: Plan): string {
  return isPartial ? `${mode} of a part` : mode;
}

function sayOutput(content: unknown): string {
  if (content === undefined) return 'none';
  const { action, before, after, isUnknown, isSensitive } = content as Omit<OutputChange, 'name'>;
  if (isSensitive) return `${action}, sensitive`;
  if (action === 'delete') return 'deleted';
  const value = isUnknown ? '(known after apply)' : formatValueText(after);
  return action === 'update' ? `${value} (was ${formatValueText(before)})` : value;
}

function sayCosts(content: unknown): string {
  if (content === undefined) return 'none';
  return (content as readonly Pick<ResourceCost, 'before' | 'after'>[])
    .map(({ before, after }) => `${sayPrice(before)} -> ${sayPrice(after)}`)
    .join(', ');
}

function sayPrice(side: PriceOrUnknown): string {
  if (side === null) return 'nothing';
  if (!isKnownPrice(side)) return side === 'later' ? '(known after apply)' : 'unknown';
  return `${side.amount} ${side.currency} per ${side.period}`;
}

function sayCheck(content: unknown): string {
  if (content === undefined) return 'none';
  const { status, problems } = content as { status: string; problems: readonly string[] };
  return [status, ...problems.map((one) => `(${one})`)].join(' ');
}

function sayFinding(part: string, was: unknown, is: unknown): string {
  if (was === undefined) return `new ${part}`;
  if (is === undefined) return `${part}: no longer`;
  const [then, now] = [was as readonly string[], is as readonly string[]];
  return `${part}: ${formatValueText(then.join(' '))} -> ${formatValueText(now.join(' '))}`;
}
