// What a reader is shown, computed from values: plans, diagnostics, progress, state and limits, as text and as JSON.
// `view.ts` works out what a plan has to say; text.ts and json.ts draw it. Nothing here may know a terminal, a clock,
// a file or the service: widths, colours and times come in, text and plain objects go out. It decides nothing: what
// stands in a plan is shown, and nothing else.
import { describeUnderway } from '../../kinds/words/describe-underway.ts';
import type { Address } from '../../model/address.ts';
import { listEffects } from '../../model/effects.ts';
import type { Effect } from '../../model/effects.ts';
import {
  isRetiring,
  spellValue,
  type Change,
  type Drift,
  type Plan,
} from '../../model/plan/plan.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { explainReason, explainRetirement, listDeclared } from './change-reason.ts';
import { completeSides, mapAttributes } from './change-sides.ts';
import type { ChangeSides } from './change-sides.ts';
import { outlinePlan, type PlanOutline } from './outline.ts';
import { wordCosts } from './plan-cost.ts';
import { countProjects } from './project-counts.ts';
import type { ProjectCounts } from './project-counts.ts';
import { nameResource } from './resource-name.ts';
import { showAction, sortByDanger, type ShownAction } from './symbols.ts';
import { compareValues, forgetValue } from './value-diff.ts';
import type { ValueDiff } from './value-diff.ts';

/** By field that the service does not tell: whose value stands in for it, what the state has recorded or what the configuration says. */
export type StandIns = Readonly<Record<string, 'state' | 'configuration'>>;

/** One attribute of a change. */
export interface AttributeView {
  readonly name: string;
  readonly diff: ValueDiff;
  /** Set where this attribute is why the resource is replaced or rebuilt. */
  readonly forces?: 'replacement' | 'rebuild';
  /** Given where somebody changed it outside: the value that was last applied. */
  readonly outside?: Value;
  /** Given where it stays as it is until the next rebuild: the value that it has then. */
  readonly waiting?: Value;
  /** Given where the service does not tell it: where what is shown comes from instead. */
  readonly toldBy?: StandIns[string];
  /** True where it changes because something else of a replaced or rebuilt resource does. */
  readonly isFollowing?: true;
}

/** One change that is not a no-op. */
export interface ChangeView {
  readonly address: Address;
  /** Given where equal changes are shown as one: their addresses, in order. `address` then stands for all of them. */
  readonly members?: readonly Address[];
  readonly kind: KindName;
  /** The address of its project; its own when it is a project. */
  readonly project: Address;
  /** The key in the configuration, without an instance. */
  readonly name: string;
  readonly action: Exclude<ShownAction, 'no-op'>;
  /** What it counts as. */
  readonly effects: readonly Effect[];
  /** True when it is adopted by this plan, besides what else happens to it. */
  readonly isImported: boolean;
  /** Its former address, when it moves. */
  readonly movedFrom?: Address;
  /** In parentheses, ready for the line below the headline. */
  readonly reason?: string;
  /** What an earlier run has begun on it, and apply waits for first. */
  readonly underway?: string;
  readonly losses: readonly string[];
  /** What becomes of its cost: `costs 5.00 EUR a month`; absent where that stays. */
  readonly cost?: string;
  /** The name that it takes in between, so that another can have its own. */
  readonly asideName?: string;
  /** True when a backup is made before the disk is lost. */
  readonly isBackedUpFirst: boolean;
  /** In words, where it is retired instead of being destroyed: what becomes of it. */
  readonly retirement?: string;
  /** True when it was protected until now. */
  readonly isProtectionLifted?: true;
  /** By name; attributes without a value on both sides are left out. */
  readonly attributes: readonly AttributeView[];
}

/** A plan as its readers see it. */
export interface PlanView extends PlanOutline {
  /** The dangerous ones first. */
  readonly changes: readonly ChangeView[];
  readonly projects: readonly ProjectCounts[];
  /** What happened outside; filled where the plan is about nothing else. */
  readonly drift: readonly ChangeView[];
}

/** Computes what there is to see in a plan. */
export function viewPlan(plan: Plan): PlanView {
  const declared = listDeclared(plan);
  const changes: ChangeView[] = [];
  const asideNames = listAsideNames(plan);
  const costs = wordCosts(plan.costs);
  const share = shareAttributes();
  for (const change of plan.changes) {
    const action = showAction(change);
    if (action === 'no-op') continue;
    const reason = explainReason(change, declared, plan.mode === 'destroy');
    const asideName = asideNames.get(change.address);
    const cost = costs.get(change.address);
    changes.push({
      address: change.address,
      kind: change.kind,
      project: change.project,
      name: nameResource(change.address).name,
      action,
      effects: listEffects(change),
      isImported: change.isImported === true,
      ...(change.movedFrom !== undefined && { movedFrom: change.movedFrom }),
      ...(reason !== undefined && { reason }),
      ...(change.underway && { underway: describeUnderway(change.underway) }),
      losses: change.losses,
      ...(cost !== undefined && { cost }),
      ...(asideName !== undefined && { asideName }),
      isBackedUpFirst: change.isBackedUpFirst === true,
      ...(isRetiring(change) && { retirement: explainRetirement(change) }),
      ...(change.isProtectionLifted && { isProtectionLifted: true }),
      // What is only forgotten stays as it is in the account.
      attributes: viewAttributes(
        action === 'forget' ? { ...change, after: change.before } : change,
      ).map(share),
    });
  }
  return {
    ...outlinePlan(plan),
    changes: sortByDanger(changes),
    projects: countProjects(plan.changes, plan.costs),
    drift: plan.mode === 'refresh' ? sortByDanger((plan.drift ?? []).map(viewDrift)) : [],
  };
}

function viewDrift(drift: Drift): ChangeView {
  const action = drift.after === null ? 'gone' : 'drift';
  const change: Change = {
    ...drift,
    action: drift.after === null ? 'delete' : 'update',
    ...{ unknown: [], fields: [], losses: [], configured: [] },
  };
  return {
    ...{ address: drift.address, kind: drift.kind, project: drift.project },
    name: nameResource(drift.address).name,
    ...{ action, effects: [], isImported: false, isBackedUpFirst: false, losses: [] },
    attributes: viewAttributes(change),
  };
}

/** The names that resources take before their own turn comes. */
function listAsideNames({ tasks }: Plan): ReadonlyMap<Address, string> {
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
  const complete = completeSides(change);
  const sides = isNamed ? nameIds(change, complete) : complete;
  const names = new Set([
    ...Object.keys(sides.before ?? {}),
    ...Object.keys(sides.after ?? {}),
    ...sides.unknown,
  ]);
  const sensitive = new Set(change.sensitive);
  const standIns = listStandIns(change);
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

/** The stand-ins of a resource. */
export function listStandIns({
  asRecorded = [],
  untold = [],
}: Pick<Change, 'asRecorded' | 'untold'>): StandIns {
  const byConfiguration = untold.map((name) => [name, 'configuration'] as const);
  return Object.fromEntries([
    ...byConfiguration,
    ...asRecorded.map((name) => [name, 'state'] as const),
  ]);
}

/** A value beside the sides of a change, as those are shown. */
function spellAt({ entryNames }: Change, values: Attributes | undefined, name: string) {
  const value = values?.[name];
  return value === undefined ? undefined : spellValue(entryNames, name, value);
}

/** Of what is made anew, whatever the configuration does not change by itself. */
function isFollowing({ action, fields, drift }: Change, name: string, diff: ValueDiff): boolean {
  if (action !== 'replace' && action !== 'rebuild') return false;
  const isChosen = fields.some((field) => field.name === name) || drift?.[name] !== undefined;
  return diff.mark === 'update' && !isChosen;
}

/**
 * Gives the same object for what is the same in one change after another, as nearly all of the instances of one resource
 * is: of many thousand changes there is one view of each value then.
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

/** True for equal attributes; of those with more than one value, or with a remark, it is not found out. */
function isAlike({ diff, ...rest }: AttributeView, { diff: other, ...others }: AttributeView) {
  if (Object.keys(rest).length + Object.keys(others).length > 2) return false;
  if (diff.mark !== other.mark) return false;
  if (diff.kind !== 'scalar') return diff.kind === 'unknown' && other.kind === 'unknown';
  return other.kind === 'scalar' && diff.before === other.before && diff.after === other.after;
}

/**
 * An entry that is written by its id is called by its name, and what is replaced by its key, as everything else is: the id,
 * which the new one will not have, is beside it.
 */
function nameIds({ entryNames, replacedKeys = {} }: Change, sides: ChangeSides): ChangeSides {
  const { before, after } = sides;
  const nameEntry = (name: string, value: Value) => spellValue(entryNames, name, value);
  const nameReplaced = (value: Value): Value => {
    if (typeof value !== 'string') return value;
    const key = replacedKeys[value];
    return key === undefined ? value : `${key} (${value})`;
  };
  const nameBefore = (name: string, value: Value) =>
    Array.isArray(value) ? value.map(nameReplaced) : nameReplaced(nameEntry(name, value));
  return {
    ...sides,
    before: before && mapAttributes(before, nameBefore),
    after: after && mapAttributes(after, nameEntry),
  };
}

function diffAttribute(name: string, { before, after, unknown }: ChangeSides): ValueDiff {
  const known = before?.[name] ?? null;
  return unknown.has(name) ? forgetValue(known) : compareValues(known, after?.[name] ?? null);
}

function findForce(change: Change, name: string): 'replacement' | 'rebuild' | undefined {
  if (change.action !== 'replace' && change.action !== 'rebuild') return undefined;
  const field = change.fields.find((candidate) => candidate.name === name);
  if (field?.effect !== change.action) return undefined;
  return change.action === 'replace' ? 'replacement' : 'rebuild';
}
