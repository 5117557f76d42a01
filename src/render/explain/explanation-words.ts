import type { FieldEffect } from '../../model/plan/plan.ts';
import type { DependencyReason } from '../../model/plan/task.ts';
import type { OriginKind, ValueOrigin } from '../../model/provenance.ts';

/** What a change of a field means for its resource. */
export const effectWords: Readonly<Record<FieldEffect, string>> = {
  update: 'is changed in place',
  rebuild: 'forces a rebuild: the disk is lost',
  replace: 'forces replacement',
};

/** Why this resource waits for another, as a clause about the other one. */
export const waitWords: Readonly<Record<DependencyReason, string>> = {
  container: 'contains this resource',
  reference: 'this resource refers to it',
  dependent: 'depends on this resource',
  trigger: '`replaceTriggeredBy` names it',
  value: 'this resource reads a value of it',
  claim: 'releases a name or a port that this resource takes',
  replacement: 'one of the two replaces the other',
  'step-aside': 'releases what this resource takes',
  quota: 'frees quota that this resource needs',
};

/** Why another one waits for this resource, as a clause about the other one. */
export const waiterWords: Readonly<Record<DependencyReason, string>> = {
  container: 'is part of this resource',
  reference: 'refers to this resource',
  dependent: 'this resource depends on it',
  trigger: 'its `replaceTriggeredBy` names this resource',
  value: 'reads a value of this resource',
  claim: 'takes a name or a port that this resource releases',
  replacement: 'one of the two replaces the other',
  'step-aside': 'takes what this resource releases',
  quota: 'needs quota that this resource frees',
};

const originWords: Readonly<Record<OriginKind, string | undefined>> = {
  written: undefined,
  defaults: 'from `defaults`',
  default: 'default',
  'default-value': 'default of the variable',
  given: undefined,
  repeated: undefined,
  service: 'assigned by the service',
};

/** How a value was given, where its place does not say it. */
export function wordOrigin({ kind, givenBy, source }: ValueOrigin): string | undefined {
  // A file with variables is named by its place.
  return source && kind === 'given' ? undefined : (givenBy ?? originWords[kind]);
}
