// The comparison of a plan with an approved one: its changes with their values and losses, costs, outputs, checks and findings.
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../model/address.ts';
import { isPrice, isSameCost, type CostSide, type ResourceCost } from '../model/cost/plan-costs.ts';
import { groupBy } from '../model/group-by.ts';
import {
  configuredSecrets,
  namePart,
  pairParts,
  type ApprovedPart,
  type PartDifference,
} from '../model/plan/approval.ts';
import {
  isEffectiveChange,
  entryName,
  type Change,
  type Drift,
  type OutputChange,
  type Plan,
} from '../model/plan/plan.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Attributes, Value } from '../model/value.ts';
import {
  compareChanges,
  listCompared,
  listExecutions,
  say,
  wanted,
  type Execution,
} from './compare-changes.ts';
import { compareDrift } from './list-moved.ts';

/** A plan as it is saved, and what binds it to an account and to the values that no file holds. */
export interface ApprovedPlan {
  readonly plan: Plan;
  /** The service that it was made for. */
  readonly service: string;
  /** The state that it was made from; one that was never written has no lineage to go by. */
  readonly lineage: string;
  readonly serial: number;
  /** By what its sensitive values are known; absent where it has none. */
  readonly seal?: { readonly salt: string; readonly digest: string; readonly wanted: string };
}

/** The parts of a plan that a person approves: equal for plans that do the same, in every order. */
export function listApproved(saved: ApprovedPlan): readonly ApprovedPart[] {
  const { plan, service, lineage, serial, seal } = saved;
  const { mode, changes, gone, outputs = [], costs, checks = [], findings, drift = [] } = plan;
  const executions = listExecutions(plan);
  const effective = new Map(changes.filter(isEffectiveChange).map((one) => [one.address, one]));
  const addresses = [...new Set([...effective.keys(), ...executions.keys()])];
  const single = (kind: ApprovedPart['kind'], content: unknown): ApprovedPart => ({
    kind,
    name: '',
    content,
  });
  return [
    single('mode', { mode, isPartial: plan.isPartial === true }),
    single('service', service),
    ...(serial > 0 ? [single('state', lineage)] : []),
    ...(seal ? listSecrets(seal) : []),
    ...addresses.map((name): ApprovedPart => {
      const content = describeChange(effective.get(name), executions.get(name));
      return { kind: 'change', name, content };
    }),
    ...[...effective].map(([name, change]): ApprovedPart => {
      return { kind: 'stake', name, content: listStakes(change) };
    }),
    ...gone.map((name): ApprovedPart => ({ kind: 'forgotten', name, content: true })),
    ...(mode === 'refresh' ? drift.map(describeDrift) : []),
    ...outputs.map(describeOutput),
    ...[...groupBy(costs?.resources ?? [], ({ address }) => address)].map(([name, own]) =>
      describeCost(name, own),
    ),
    ...checks.map(({ name, status, problems }): ApprovedPart => {
      return { kind: 'check', name, content: { status, problems } };
    }),
    ...[...groupBy(findings, nameFinding)].map(([name, own]): ApprovedPart => {
      return { kind: 'finding', name, content: own.map(({ detail }) => detail ?? '').sort() };
    }),
  ];
}

/** A change with what is sent for it: all that is compared of it, and nothing of where it is written. */
function describeChange(change: Change | undefined, execution: Execution | undefined): unknown {
  if (!change) return { execution };
  const named = (attributes: Attributes | null, names: Iterable<string>) =>
    Object.fromEntries(
      [...names].map((name) => [name, nameValue(change, name, attributes?.[name] ?? null)]),
    );
  const names = listCompared(change);
  const { waiting = {} } = change;
  return {
    action: change.action,
    isThere: change.before !== null,
    before: named(change.before, names),
    after: Object.fromEntries(
      [...names].map((name) => [name, nameValue(change, name, wanted(change, name) ?? null)]),
    ),
    waiting: named(waiting, Object.keys(waiting).sort()),
    movedFrom: change.movedFrom ?? null,
    isImported: change.isImported === true,
    isCreatedFirst: change.isCreatedFirst === true,
    ...listMarks(change),
    execution,
  };
}

type Labelled = Readonly<Record<string, Value>>;

/** The losses of a change by their labels in a line; the same whatever else of the plan was applied before. */
function listStakes(change: Change): Labelled {
  return {
    id: change.id,
    'data lost': change.losses,
    'backups lost': change.lostBackups ?? null,
    'backup first': change.isBackedUpFirst === true,
    'backup displaced': change.displacedBackup ?? null,
  };
}

/** Other marks of a change, by their labels in a line. */
function listMarks(change: Change): Labelled {
  return {
    protected: change.isProtected === true,
    'protection lifted': change.isProtectionLifted === true,
    sensitive: [...change.sensitive].sort(),
    'no longer sensitive': [...(change.noLongerSensitive ?? [])].sort(),
  };
}

function listSecrets({ salt, digest, wanted: configured }: Required<ApprovedPlan>['seal']) {
  return [
    { kind: 'secrets', name: '', content: { salt, digest } },
    { kind: 'secrets', name: configuredSecrets, content: { salt, configured } },
  ] as const;
}

/** An entry by its name, however it is written: the commands have its id. */
function nameValue({ entryNames }: Change, field: string, value: Value): Value {
  return entryName(entryNames, field, value) ?? value;
}

function describeDrift({ address, after, names }: Drift): ApprovedPart {
  const content = after && names.map((name) => [name, after[name] ?? null]);
  return { kind: 'drift', name: address, content };
}

function describeOutput(output: OutputChange): ApprovedPart {
  const { name, ...content } = output;
  return { kind: 'output', name, content, ...aside(output.action === 'no-op') };
}

function describeCost(name: Address, costs: readonly ResourceCost[]): ApprovedPart {
  const content = costs.map(({ before, after }) => ({ before, after }));
  return { kind: 'cost', name, content, ...aside(costs.every(isSameCost)) };
}

const aside = (isAside: boolean): Pick<ApprovedPart, 'isAside'> =>
  isAside ? { isAside: true } : {};

function nameFinding({ severity, code, address, summary }: Finding): string {
  return `${severity} [${code}]${address === undefined ? '' : ` ${address}`}: ${summary}`;
}

/** A difference between what was approved and another plan. */
export interface ApprovalDifference {
  /** A line: `ADDRESS: power "running" -> "stopped"`. */
  readonly line: string;
  /** False where an approval still holds. */
  readonly binds: boolean;
}

/** The differences that would have to be approved anew; none where a plan does the same as the approved one. */
export function compareApproved(
  approved: ApprovedPlan,
  now: ApprovedPlan,
): readonly ApprovalDifference[] {
  const found = pairParts(listApproved(approved), listApproved(now), isSameContent);
  const lines = new Map<string, boolean>();
  for (const difference of found) {
    for (const line of sayDifference(difference, approved.plan, now.plan)) {
      lines.set(line, difference.binds || lines.get(line) === true);
    }
  }
  return [...lines].map(([line, binds]) => ({ line, binds }));
}

function isSameContent(was: unknown, is: unknown): boolean {
  return isDeepStrictEqual(plain(was), plain(is));
}

/** Through JSON, as a saved plan has been. */
const plain = (content: unknown) => JSON.parse(JSON.stringify(content));

function sayDifference(difference: PartDifference, approved: Plan, now: Plan): readonly string[] {
  const { kind, name, was, is } = difference;
  const part = namePart(difference);
  switch (kind) {
    case 'change':
      return sayChange(difference, approved, now);
    case 'stake':
      return sayStakes(difference);
    case 'drift':
      return compareDrift(approved, now).filter((line) => line.startsWith(`${name}: `));
    case 'forgotten':
      return [`${name}: ${is === undefined ? 'it stays in the state' : 'the state forgets it'}`];
    case 'secrets':
      return [`${part}: ${saySecrets(was as Sealed | undefined, is as Sealed | undefined)}`];
    case 'state':
      return [`${part}: it was made from another one`];
    case 'mode':
      return [`${part}: ${sayMode(approved)} -> ${sayMode(now)}`];
    case 'output':
      return [`${part}: ${sayOutput(was)} -> ${sayOutput(is)}`];
    case 'cost':
      return [`${part}: ${sayCosts(was)}; now ${sayCosts(is)}`];
    case 'check':
      return [`${part}: ${sayCheck(was)} -> ${sayCheck(is)}`];
    case 'finding':
      return [sayFinding(part, was, is)];
    case 'service':
      return [`${part}: ${say(was as Value)} -> ${say(is as Value)}`];
  }
}

/** Its values first; where those are alike, what is sent. */
function sayChange(difference: PartDifference, approved: Plan, now: Plan): readonly string[] {
  const { name: address, was: then, is } = difference;
  const find = ({ changes }: Plan) => changes.find((one) => one.address === address);
  const [before, after] = [find(approved), find(now)];
  const values = compareChanges(address, before, after);
  const marks = before && after ? sayLabelled(address, listMarks(before), listMarks(after)) : [];
  if (values.length + marks.length > 0) return [...values, ...marks];
  if (!isDeepStrictEqual(before?.waiting, after?.waiting))
    return [`${address}: at the next rebuild ${say(before?.waiting)} -> ${say(after?.waiting)}`];
  return isDeepStrictEqual(executionOf(then).deferred, executionOf(is).deferred)
    ? [`${address}: other commands would be sent`]
    : [`${address}: its deferred values would be resolved otherwise`];
}

/** Of a change that only one of them has, the action says enough. */
function sayStakes({ name, was, is }: PartDifference): readonly string[] {
  return was && is ? sayLabelled(name, was as Labelled, is as Labelled) : [];
}

function sayLabelled(address: Address, was: Labelled, is: Labelled): readonly string[] {
  return Object.keys(was)
    .filter((label) => !isDeepStrictEqual(was[label], is[label]))
    .map((label) => `${address}: ${label} ${say(was[label])} -> ${say(is[label])}`);
}

function executionOf(content: unknown): Execution {
  return (content as { readonly execution?: Execution } | undefined)?.execution ?? {};
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
  const value = isUnknown ? '(known after apply)' : say(after);
  return action === 'update' ? `${value} (was ${say(before)})` : value;
}

function sayCosts(content: unknown): string {
  if (content === undefined) return 'none';
  return (content as readonly Pick<ResourceCost, 'before' | 'after'>[])
    .map(({ before, after }) => `${sayPrice(before)} -> ${sayPrice(after)}`)
    .join(', ');
}

function sayPrice(side: CostSide): string {
  if (side === null) return 'nothing';
  if (!isPrice(side)) return side === 'later' ? '(known after apply)' : 'unknown';
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
  return `${part}: ${say(then.join(' '))} -> ${say(now.join(' '))}`;
}
