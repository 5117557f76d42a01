// The parts of a plan that a person approves: its changes with their values and losses, costs, outputs, checks and findings.
import { parseDeposedAddress, type ResourceAddress } from '../model/address.ts';
import { isUnchangedCost, type ResourceCost } from '../model/cost/plan-costs.ts';
import { groupBy } from '../model/group-by.ts';
import { configuredSecretsPartName, type ApprovedPart } from '../model/plan/approval.ts';
import {
  isEffectiveChange,
  findEntryNameOfField,
  type Change,
  type Drift,
  type OutputChange,
  type Plan,
} from '../model/plan/plan.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Attributes, Value } from '../model/value.ts';
import {
  listComparedAttributes,
  mapChangeExecutions,
  omitDueBackupLosses,
  findPlannedAttributeValue,
  type ChangeExecution,
} from './compare-changes.ts';

/** A saved plan, and its ties to an account and to the values that no file holds. */
export interface ApprovedPlan {
  readonly plan: Plan;
  /** Name of the service that the plan was made for. */
  readonly service: string;
  /** The state that the plan was made from; a state that was never written has no lineage to compare. */
  readonly lineage: string;
  readonly serial: number;
  /** Hashes of what the plan was made from, by name. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Fingerprint of the plan's sensitive values; absent where it has none. */
  readonly seal?: { readonly salt: string; readonly digest: string; readonly wanted: string };
}

/** The parts of a plan that a person approves: equal for plans that do the same, in every order. */
export function listApprovedParts(saved: ApprovedPlan): readonly ApprovedPart[] {
  const { plan, service, lineage, serial, seal } = saved;
  const { contract } = saved.fingerprints;
  const { mode, changes, gone, outputs = [], costs, checks = [], findings, drift = [] } = plan;
  // The end of a retirement was approved with its beginning, and may fall between the two.
  const ending = new Set(
    changes.flatMap(({ action, address }) => (action === 'expire' ? [address] : [])),
  );
  const executions = new Map(
    [...mapChangeExecutions(plan)].filter(([address]) => !ending.has(address)),
  );
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
    ...(contract === undefined ? [] : [single('contract', `sha256:${contract}`)]),
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
    ...[...groupBy(costs?.resources ?? [], ({ address }) => address)].flatMap(([name, own]) =>
      parseDeposedAddress(name) ? [] : describeCost(name, own),
    ),
    ...checks.map(({ name, status, problems }): ApprovedPart => {
      return { kind: 'check', name, content: { status, problems } };
    }),
    ...[...groupBy(findings, nameApprovedFinding)].map(([name, own]): ApprovedPart => {
      return { kind: 'finding', name, content: own.map(({ detail }) => detail ?? '').sort() };
    }),
  ];
}

/** A change with its commands: everything about it that is compared, without its place in the configuration. */
function describeChange(
  change: Change | undefined,
  execution: ChangeExecution | undefined,
): unknown {
  if (!change) return { execution };
  const named = (attributes: Attributes | null, names: Iterable<string>) =>
    Object.fromEntries(
      [...names].map((name) => [name, nameValue(change, name, attributes?.[name] ?? null)]),
    );
  const names = listComparedAttributes(change);
  const { waiting = {} } = change;
  return {
    action: change.action,
    isThere: change.before !== null,
    before: named(change.before, names),
    after: Object.fromEntries(
      [...names].map((name) => [
        name,
        nameValue(change, name, findPlannedAttributeValue(change, name) ?? null),
      ]),
    ),
    waiting: named(waiting, Object.keys(waiting).sort()),
    movedFrom: change.movedFrom ?? null,
    isImported: change.isImported === true,
    isCreatedFirst: change.isCreatedFirst === true,
    ...listMarks(change),
    execution,
  };
}

/** Values by their labels in the line of a difference. */
export type LabelledValues = Readonly<Record<string, Value>>;

/** The losses of a change by their labels in a line; equal in any plan, even if parts of the approved one were applied before. */
function listStakes(change: Change): LabelledValues {
  const { losses, lostBackups, displacedBackup } = omitDueBackupLosses(change);
  return {
    id: change.id,
    'data lost': losses,
    'backups lost': lostBackups ?? null,
    'backup first': change.isBackedUpFirst === true,
    'backup displaced': displacedBackup ?? null,
    'backup restored': change.restoring ?? null,
  };
}

/** Further properties of a change, by their labels in the line of a difference. */
export function listMarks(change: Change): LabelledValues {
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
    { kind: 'secrets', name: configuredSecretsPartName, content: { salt, configured } },
  ] as const;
}

/** A list entry by its name, even where it is written by id: the commands have the id. */
function nameValue({ entryNames }: Change, field: string, value: Value): Value {
  return findEntryNameOfField(entryNames, field, value) ?? value;
}

function describeDrift({ address, after, names }: Drift): ApprovedPart {
  const content = after && names.map((name) => [name, after[name] ?? null]);
  return { kind: 'drift', name: address, content };
}

function describeOutput(output: OutputChange): ApprovedPart {
  const { name, ...content } = output;
  return { kind: 'output', name, content, ...aside(output.action === 'no-op') };
}

function describeCost(name: ResourceAddress, costs: readonly ResourceCost[]): ApprovedPart {
  const content = costs.map(({ before, after }) => ({ before, after }));
  return { kind: 'cost', name, content, ...aside(costs.every(isUnchangedCost)) };
}

const aside = (isAside: boolean): Pick<ApprovedPart, 'isAside'> =>
  isAside ? { isAside: true } : {};

/** The name of a finding among the approved parts. */
export function nameApprovedFinding({ severity, code, address, summary }: Finding): string {
  return `${severity} [${code}]${address === undefined ? '' : ` ${address}`}: ${summary}`;
}
