// Sensitive values in a plan file: only a seal, by which it can be checked whether they are still the same.
import { createHash, scryptSync, timingSafeEqual } from 'node:crypto';
import { formatCanonicalJson } from '../../model/text/canonical-text.ts';
import type { Command } from '../../model/account/command.ts';
import type { DeferredChange } from '../../model/plan/deferred-change.ts';
import type { Change, Drift, Plan } from '../../model/plan/plan.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import { removeSourcePlaces } from '../../model/source.ts';
import type { Attributes } from '../../model/value.ts';
import type { SensitiveValuesFingerprint } from '../../state/plan-file.ts';
import {
  hiddenValuePlaceholder,
  rewriteNamedFields,
  redactResourceFields,
} from '../../state/redact-plan.ts';

const digestBytes = 32;

function hide(attributes: Attributes, sensitive: readonly string[]): Attributes {
  return rewriteNamedFields(attributes, sensitive, () => hiddenValuePlaceholder);
}

function hideChange(change: Change): Change {
  const { before, after, drift, waiting, sensitive } = change;
  if (sensitive.length === 0) return change;
  return {
    ...change,
    before: before && hide(before, sensitive),
    after: after && hide(after, sensitive),
    ...(drift && { drift: hide(drift, sensitive) }),
    ...(waiting && { waiting: hide(waiting, sensitive) }),
  };
}

/** Hides the values of a command: its kind and the resources that it refers to stay. */
function hideCommand(command: Command): Command {
  const isRef = (value: unknown) =>
    typeof value === 'object' && value !== null && ('id' in value || 'idOf' in value);
  const entries = Object.entries(command).map(([name, value]) => [
    name,
    name === 'kind' || isRef(value) ? (value as unknown) : hiddenValuePlaceholder,
  ]);
  return Object.fromEntries(entries) as Command;
}

function hideDrift(drift: Drift): Drift {
  const { before, after, sensitive } = drift;
  return { ...drift, before: hide(before, sensitive), after: after && hide(after, sensitive) };
}

function hideDeferred(deferred: DeferredChange, sensitive: readonly string[]): DeferredChange {
  const { desired, held, asideName, spareName } = deferred;
  // The interim names `asideName` and `spareName` contain the resource's name, so they are hidden with it.
  const hasName = sensitive.includes('name');
  return {
    ...deferred,
    desired: redactResourceFields(desired, sensitive),
    held: held && hide(held, sensitive),
    ...(hasName && asideName !== undefined && { asideName: hiddenValuePlaceholder }),
    ...(hasName && spareName !== undefined && { spareName: hiddenValuePlaceholder }),
  };
}

/** Replaces the sensitive values of a plan by placeholders, as no plan file may hold them. */
export function maskPlanSecrets(plan: Plan): Plan {
  const { changes, tasks, drift, deferred } = plan;
  const secretive = new Map(
    changes.flatMap(({ address, sensitive }) =>
      sensitive.length > 0 ? [[address, sensitive] as const] : [],
    ),
  );
  return {
    ...plan,
    changes: changes.map(hideChange),
    tasks: tasks.map((task) =>
      secretive.has(task.address) ? { ...task, commands: task.commands.map(hideCommand) } : task,
    ),
    ...(drift && { drift: drift.map(hideDrift) }),
    ...(deferred && {
      deferred: deferred.map((one) => {
        const sensitive = secretive.get(one.address);
        return sensitive ? hideDeferred(one, sensitive) : one;
      }),
    }),
  };
}

/** Lists every sensitive value of a configuration, with the place of each. */
function listWanted({ resources, outputs = [], policies = [], checks = [] }: DesiredGraph) {
  const wanted = resources.flatMap(({ address, sensitive, attributes, deferred }) =>
    (sensitive ?? []).map((name): unknown => {
      const expression = deferred?.[name];
      return [
        ...[address, name, attributes[name] ?? null],
        expression ? removeSourcePlaces(expression) : null,
      ];
    }),
  );
  const told = outputs.flatMap(({ name, sensitive, value }): unknown[] =>
    sensitive ? [['output', name, removeSourcePlaces(value)]] : [],
  );
  const conditions = [...policies, ...checks].flatMap(
    ({ name, isSensitive, assert, message = null }): unknown[] =>
      isSensitive ? [['condition', name, ...[assert, message].map(removeSourcePlaces)]] : [],
  );
  return [...wanted, ...told, ...conditions];
}

/** Lists every sensitive value of a plan and its configuration. */
function listSecrets(desired: DesiredGraph, plan: Plan): readonly unknown[] {
  const pick = (from: Attributes | null | undefined, names: readonly string[]) =>
    names.map((name) => [name, from?.[name] ?? null]);
  const changed = plan.changes.flatMap(({ address, sensitive, before, after, drift }) =>
    sensitive.length === 0
      ? []
      : [[address, ...[before, after, drift].map((side) => pick(side, sensitive))]],
  );
  return [...listWanted(desired), ...changed];
}

/** A digest that is slow on purpose, so that the finder of a plan file can try few guesses. */
function digest(secrets: readonly unknown[], salt: Buffer): Buffer {
  return scryptSync(formatCanonicalJson(secrets), salt, digestBytes);
}

/**
 * Computes a fingerprint of the sensitive values of a plan, salted with the service: a plan file has it in place of the values,
 * so that an apply can check that they are the same. Undefined for a plan without sensitive values.
 */
export function fingerprintPlanSecrets(
  desired: DesiredGraph,
  plan: Plan,
  service: string,
): SensitiveValuesFingerprint | undefined {
  const secrets = listSecrets(desired, plan);
  if (secrets.length === 0) return undefined;
  const salt = createHash('sha256').update(service).digest();
  return {
    salt: salt.toString('base64'),
    digest: digest(secrets, salt).toString('base64'),
    wanted: digest(listWanted(desired), salt).toString('base64'),
  };
}

/** Tells, by the fingerprint in a saved plan, whether a new plan has the same sensitive values. */
export function hasSamePlanSecrets(
  seal: SensitiveValuesFingerprint | undefined,
  desired: DesiredGraph,
  plan: Plan,
): boolean {
  const secrets = listSecrets(desired, plan);
  if (!seal || secrets.length === 0) return !seal && secrets.length === 0;
  const sealed = Buffer.from(seal.digest, 'base64');
  const own = digest(secrets, Buffer.from(seal.salt, 'base64'));
  return sealed.length === own.length && timingSafeEqual(sealed, own);
}
