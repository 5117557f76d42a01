// The view of a plan, computed from values: every form of a plan (text, Markdown, page, JSON) draws its parts. Nothing here
// may know a terminal, a clock, a file or the service: widths, colours and times come in, text and plain objects go out. It
// decides nothing: it shows what stands in the plan, and nothing else.
import { describeUnderwayCommand } from '../../kinds/words/describe-underway.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { listEffects } from '../../model/effects.ts';
import type { ChangeEffect } from '../../model/effects.ts';
import {
  isRetiring,
  formatEntryNameWithId,
  type Change,
  type Drift,
  type Plan,
} from '../../model/plan/plan.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes, Value } from '../../model/value.ts';
import {
  explainDueBackup,
  explainChangeReason,
  explainRetirement,
  listDeclaredAddresses,
} from './change-reason.ts';
import { completeChangeSides, mapAttributeValues } from './change-sides.ts';
import type { ChangeSides } from './change-sides.ts';
import { summarizePlan, type PlanSummary } from './outline.ts';
import { describeResourceCostChanges } from './plan-cost.ts';
import { countChangesByProject } from './project-counts.ts';
import type { ProjectEffectCounts } from './project-counts.ts';
import { splitResourceName } from './resource-name.ts';
import { findShownAction, sortChangesByDanger, type ShownAction } from './symbols.ts';
import { compareValues, markUnknownAfterApply } from './value-diff.ts';
import type { ValueDiff } from './value-diff.ts';

/** Source of the value that is shown for each field that the service does not report: the state or the configuration. */
export type UnreportedValueSources = Readonly<Record<string, 'state' | 'configuration'>>;

/** One attribute of a change, prepared for drawing. */
export interface AttributeView {
  readonly name: string;
  readonly diff: ValueDiff;
  /** Set where the change of this attribute forces a replacement or a rebuild. */
  readonly forces?: 'replacement' | 'rebuild';
  /** The value that was last applied; set where somebody changed the attribute outside. */
  readonly outside?: Value;
  /** The value after the next rebuild; set where the attribute stays as it is until then. */
  readonly waiting?: Value;
  /** Source of the shown value; set where the service does not report the attribute. */
  readonly toldBy?: UnreportedValueSources[string];
  /** Set where the attribute changes only because its resource is replaced or rebuilt. */
  readonly isFollowing?: true;
}

/** One change of a plan that is not a no-op, prepared for drawing. */
export interface ChangeView {
  readonly address: ResourceAddress;
  /** Addresses of a folded change's members, in order; `address` is then the one address that represents them. */
  readonly members?: readonly ResourceAddress[];
  readonly kind: KindName;
  /** The address of the resource's project; its own when it is a project. */
  readonly project: ResourceAddress;
  /** The resource's key in the configuration, without an instance. */
  readonly name: string;
  readonly action: Exclude<ShownAction, 'no-op'>;
  /** Effects as which the change counts in the sums of the plan. */
  readonly effects: readonly ChangeEffect[];
  /** Set when the plan adopts the resource, besides its other changes. */
  readonly isImported: boolean;
  /** Former address of a resource that moves. */
  readonly movedFrom?: ResourceAddress;
  /** The reason in parentheses, ready for the line below the headline. */
  readonly reason?: string;
  /** Operation of an earlier run that is still under way on the resource; apply waits for it first. */
  readonly underway?: string;
  readonly losses: readonly string[];
  /** Words about the resource's cost: `costs 5.00 EUR a month`; absent where the cost stays. */
  readonly cost?: string;
  /** Temporary name of the resource, under which it waits until another resource frees its final name. */
  readonly asideName?: string;
  /** Tells whether a backup is made before the disk is lost. */
  readonly isBackedUpFirst: boolean;
  /** Words about a due backup: the age of the newest one, and the highest age allowed; absent where no backup is due. */
  readonly dueBackup?: string;
  /** Set for a rebuild that is undone by restoring a backup if it fails. */
  readonly isTakenBack?: true;
  /** Words about the retirement of a resource, which replaces its destruction; absent for any other change. */
  readonly retirement?: string;
  /** Set where `preventDestroy` protected the resource until now. */
  readonly isProtectionLifted?: true;
  /** Attributes by name; those without a value on both sides are left out. */
  readonly attributes: readonly AttributeView[];
}

/** A plan with everything that its formats draw. */
export interface PlanView extends PlanSummary {
  /** The changes of the plan, the dangerous ones first. */
  readonly changes: readonly ChangeView[];
  readonly projects: readonly ProjectEffectCounts[];
  /** Changes made outside; filled only in a plan of `--refresh-only`. */
  readonly drift: readonly ChangeView[];
}

/** Prepares a plan for drawing in any format. */
export function viewPlan(plan: Plan): PlanView {
  const declared = listDeclaredAddresses(plan);
  const changes: ChangeView[] = [];
  const asideNames = listAsideNames(plan);
  const costs = describeResourceCostChanges(plan.costs);
  const share = shareAttributes();
  for (const change of plan.changes) {
    const action = findShownAction(change);
    if (action === 'no-op') continue;
    const reason = explainChangeReason(change, declared, plan.mode === 'destroy');
    const asideName = asideNames.get(change.address);
    const cost = costs.get(change.address);
    changes.push({
      address: change.address,
      kind: change.kind,
      project: change.project,
      name: splitResourceName(change.address).name,
      action,
      effects: listEffects(change),
      isImported: change.isImported === true,
      ...(change.movedFrom !== undefined && { movedFrom: change.movedFrom }),
      ...(reason !== undefined && { reason }),
      ...(change.underway && { underway: describeUnderwayCommand(change.underway) }),
      losses: change.losses,
      ...(cost !== undefined && { cost }),
      ...(asideName !== undefined && { asideName }),
      isBackedUpFirst: change.isBackedUpFirst === true,
      ...(change.dueBackup && { dueBackup: explainDueBackup(change.dueBackup) }),
      ...(action === 'rebuild' && change.restoresOnFailure && { isTakenBack: true }),
      ...(isRetiring(change) && { retirement: explainRetirement(change) }),
      ...(change.isProtectionLifted && { isProtectionLifted: true }),
      // A resource that is only forgotten stays as it is in the account.
      attributes: viewAttributes(
        action === 'forget' ? { ...change, after: change.before } : change,
      ).map(share),
    });
  }
  return {
    ...summarizePlan(plan),
    changes: sortChangesByDanger(changes),
    projects: countChangesByProject(plan.changes, plan.costs),
    drift: plan.mode === 'refresh' ? sortChangesByDanger((plan.drift ?? []).map(viewDrift)) : [],
  };
}

function viewDrift(drift: Drift): ChangeView {
  const action = drift.after === null ? 'gone' : 'drift';
  const change: Change = {
    ...drift,
    action: drift.after === null ? 'delete' : 'update',
    unknown: [],
    fields: [],
    losses: [],
    configured: [],
  };
  return {
    address: drift.address,
    kind: drift.kind,
    project: drift.project,
    name: splitResourceName(drift.address).name,
    action,
    effects: [],
    isImported: false,
    isBackedUpFirst: false,
    losses: [],
    attributes: viewAttributes(change),
  };
}

/** The temporary names that resources take before their final names are free. */
function listAsideNames({ tasks }: Plan): ReadonlyMap<ResourceAddress, string> {
  return new Map(
    tasks.flatMap(({ address, phase, commands }) =>
      phase !== 'prepare'
        ? []
        : commands.flatMap((command) =>
            'name' in command ? [[address, command.name] as const] : [],
          ),
    ),
  );
}

function viewAttributes(change: Change): AttributeView[] {
  const isNamed = change.entryNames !== undefined || change.replacedKeys !== undefined;
  const complete = completeChangeSides(change);
  const sides = isNamed ? nameIds(change, complete) : complete;
  const names = new Set([
    ...Object.keys(sides.before ?? {}),
    ...Object.keys(sides.after ?? {}),
    ...sides.unknown,
  ]);
  const sensitive = new Set(change.sensitive);
  const standIns = listUnreportedValueSources(change);
  const attributes: AttributeView[] = [];
  for (const name of [...names].sort()) {
    const diff = diffAttribute(name, sides);
    if (diff.kind === 'scalar' && diff.before === null && diff.after === null) continue;
    const forces = findForce(change, name);
    const outside = spellAt(change, change.drift, name);
    const waiting = spellAt(change, change.waiting, name);
    const toldBy = standIns[name];
    attributes.push({
      name,
      diff: sensitive.has(name) ? { kind: 'sensitive', mark: diff.mark } : diff,
      ...(forces && { forces }),
      ...(outside !== undefined && !sensitive.has(name) && { outside }),
      ...(waiting !== undefined && !sensitive.has(name) && { waiting }),
      ...(toldBy && { toldBy }),
      ...(isFollowing(change, name, diff) && { isFollowing: true }),
    });
  }
  return attributes;
}

/** Lists the sources of the values that are shown for fields which the service does not report. */
export function listUnreportedValueSources({
  asRecorded = [],
  untold = [],
}: Pick<Change, 'asRecorded' | 'untold'>): UnreportedValueSources {
  const byConfiguration = untold.map((name) => [name, 'configuration'] as const);
  return Object.fromEntries([
    ...byConfiguration,
    ...asRecorded.map((name) => [name, 'state'] as const),
  ]);
}

/** A value that stands beside the before and after of a change, spelled as these are. */
function spellAt({ entryNames }: Change, values: Attributes | undefined, name: string) {
  const value = values?.[name];
  return value === undefined ? undefined : formatEntryNameWithId(entryNames, name, value);
}

/** Tells whether an attribute changes only because its resource is made anew, and not by the configuration. */
function isFollowing({ action, fields, drift }: Change, name: string, diff: ValueDiff): boolean {
  if (action !== 'replace' && action !== 'rebuild') return false;
  const isChosen = fields.some((field) => field.name === name) || drift?.[name] !== undefined;
  return diff.mark === 'update' && !isChosen;
}

/**
 * Returns one object for equal attributes of consecutive changes: nearly all instances of one resource have the same, and of
 * many thousand changes there is one view of each value then.
 */
function shareAttributes(): (attribute: AttributeView) => AttributeView {
  const latest = new Map<string, AttributeView>();
  return (attribute) => {
    const known = latest.get(attribute.name);
    if (known && isAlike(known, attribute)) return known;
    latest.set(attribute.name, attribute);
    return attribute;
  };
}

/** Tells whether two attributes are equal; attributes with a list, a map or a remark are never compared. */
function isAlike({ diff, ...rest }: AttributeView, { diff: other, ...others }: AttributeView) {
  if (Object.keys(rest).length + Object.keys(others).length > 2) return false;
  if (diff.mark !== other.mark) return false;
  if (diff.kind !== 'scalar') return diff.kind === 'unknown' && other.kind === 'unknown';
  return other.kind === 'scalar' && diff.before === other.before && diff.after === other.after;
}

/**
 * Shows list entries by name and a replaced resource by its key, as everything else is: the id, which the new resource will
 * not have, stands beside it.
 */
function nameIds({ entryNames, replacedKeys = {} }: Change, sides: ChangeSides): ChangeSides {
  const { before, after } = sides;
  const nameEntry = (name: string, value: Value) => formatEntryNameWithId(entryNames, name, value);
  const nameReplaced = (value: Value): Value => {
    if (typeof value !== 'string') return value;
    const key = replacedKeys[value];
    return key === undefined ? value : `${key} (${value})`;
  };
  const nameBefore = (name: string, value: Value) =>
    Array.isArray(value) ? value.map(nameReplaced) : nameReplaced(nameEntry(name, value));
  return {
    ...sides,
    before: before && mapAttributeValues(before, nameBefore),
    after: after && mapAttributeValues(after, nameEntry),
  };
}

function diffAttribute(name: string, { before, after, unknown }: ChangeSides): ValueDiff {
  const known = before?.[name] ?? null;
  return unknown.has(name)
    ? markUnknownAfterApply(known)
    : compareValues(known, after?.[name] ?? null);
}

function findForce(change: Change, name: string): 'replacement' | 'rebuild' | undefined {
  if (change.action !== 'replace' && change.action !== 'rebuild') return undefined;
  const field = change.fields.find((candidate) => candidate.name === name);
  if (field?.effect !== change.action) return undefined;
  return change.action === 'replace' ? 'replacement' : 'rebuild';
}
