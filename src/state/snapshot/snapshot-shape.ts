// The shape of a snapshot file, checked by hand: in a fraction of the time that a compiled schema takes to load, and in words
// that name the place. schemas/state.schema.json describes the same for others; a test compares the two.
import type { Binding } from '../../model/account/binding.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { kindNames } from '../../model/kind-places.ts';
import type { Safeguards } from '../../model/state/safeguards.ts';
import type {
  UsualCommandDurations,
  UsualReadyDurations,
  ServiceRecordClockLeads,
  ManagedResource,
  PendingCreate,
  PossibleDuplicateCreate,
  RememberedOutput,
  SentCommand,
} from '../../model/state/state.ts';
import {
  checkResourceAddress,
  checkNaturalNumber,
  checkBoolean,
  checkObject,
  checkNonEmptyText,
  checkTextList,
  checkWholeNumber,
  findStateListFault,
  findStateObjectFault,
  type StateFieldCheck,
  type StateFieldChecks,
} from '../shape.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** The JSON document in a snapshot file of the state. */
export interface SnapshotDocument {
  readonly formatVersion: number;
  readonly hostwrightVersion?: string;
  readonly lineage: string;
  readonly serial: number;
  /** Number of the lock under which the snapshot was written. */
  readonly epoch?: number;
  readonly journal?: string;
  readonly service: string | null;
  readonly authorities?: readonly string[];
  readonly contract?: Binding;
  readonly resources: readonly ManagedResource[];
  readonly pending: readonly PendingCreate[];
  readonly sent?: readonly (SentCommand & { readonly id: string })[];
  readonly possibleDoubles?: readonly PossibleDuplicateCreate[];
  readonly outputs?: Readonly<Record<string, RememberedOutput>>;
  readonly safeguards?: Safeguards;
  readonly durations?: UsualCommandDurations;
  readonly readyTimes?: UsualReadyDurations;
  readonly slowestAppearanceMs?: number;
  readonly clocks?: ServiceRecordClockLeads;
}

const kinds: ReadonlySet<unknown> = new Set(kindNames);

const creates: ReadonlySet<unknown> = new Set(
  Object.entries(commandSubjects).flatMap(([name, { effect }]) =>
    effect === 'create' ? [name] : [],
  ),
);

const checkNullableText: StateFieldCheck = (value) =>
  value === null || typeof value === 'string' ? undefined : 'must be a text or null';
const checkKind: StateFieldCheck = (value) =>
  kinds.has(value) ? undefined : 'is no kind of resource';
const checkTextsByName: StateFieldCheck = (value) =>
  isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string')
    ? undefined
    : 'must hold a text for each name';
const checkCreate: StateFieldCheck = (value) =>
  isJsonObject(value) && creates.has(value.kind) ? undefined : 'must be a command that creates';
const checkCommand: StateFieldCheck = (value) =>
  isJsonObject(value) && Object.hasOwn(commandSubjects, String(value.kind))
    ? undefined
    : 'must be a command';

const checkDurations: StateFieldCheck = (value) => {
  if (!isJsonObject(value)) return 'must be an object';
  const faulty = Object.values(value).find((one) => findStateObjectFault(one, durationFields));
  return faulty === undefined ? undefined : 'must hold a mean and a deviation for each';
};

const checkSafeguards: StateFieldCheck = (value) => {
  if (!isJsonObject(value)) return 'must be an object';
  const isSound = Object.values(value).every((one) => checkTextsByName(one) === undefined);
  return isSound ? undefined : 'must hold texts for each guard, policy, check and the budget';
};

const durationFields: StateFieldChecks = {
  meanMs: { check: checkNaturalNumber },
  deviationMs: { check: checkNaturalNumber },
};
const clockFields: StateFieldChecks = {
  resourcesAheadMs: { check: checkWholeNumber, isOptional: true },
  operationsAheadMs: { check: checkWholeNumber, isOptional: true },
};
const partFields: StateFieldChecks = {
  id: { check: checkNonEmptyText },
  name: { check: checkNonEmptyText, isOptional: true },
  fingerprint: { check: checkNonEmptyText, isOptional: true },
};
const rebuildBackupFields: StateFieldChecks = {
  at: { check: checkNaturalNumber },
  serviceAt: { check: checkNaturalNumber, isOptional: true },
  id: { check: checkNonEmptyText, isOptional: true },
};
const wayBackFields: StateFieldChecks = {
  backup: { check: checkNonEmptyText },
  asked: { check: checkObject },
  target: { check: checkObject },
  entryIds: { check: checkTextsByName, isOptional: true },
  entryTexts: { check: checkTextsByName, isOptional: true },
  builtFrom: { check: (value) => findStateListFault(value, partFields, 'id'), isOptional: true },
  hasFailed: { check: checkBoolean, isOptional: true },
};
const retirementFields: StateFieldChecks = {
  name: { check: checkNonEmptyText },
  forMs: { check: checkNaturalNumber },
  until: { check: checkNaturalNumber, isOptional: true },
  isRenewalCancelled: { check: checkBoolean, isOptional: true },
};
const resourceFields: StateFieldChecks = {
  address: { check: checkResourceAddress },
  kind: { check: checkKind },
  id: { check: checkNonEmptyText },
  projectId: { check: checkNonEmptyText },
  publicIpId: { check: checkNonEmptyText, isOptional: true },
  allocatedPublicIpId: { check: checkNonEmptyText, isOptional: true },
  deposed: { check: checkTextList, isOptional: true },
  attributes: { check: checkObject },
  // Files of format 2 have here the name that the service has stored.
  keptName: { check: checkNonEmptyText, isOptional: true },
  shown: { check: checkObject, isOptional: true },
  accepted: { check: checkTextList, isOptional: true },
  sensitive: { check: checkTextList, isOptional: true },
  untold: { check: checkTextList, isOptional: true },
  entryIds: { check: checkTextsByName, isOptional: true },
  entryTexts: { check: checkTextsByName, isOptional: true },
  configured: { check: checkTextList },
  builtFrom: { check: (value) => findStateListFault(value, partFields, 'id'), isOptional: true },
  triggerIds: { check: checkTextsByName, isOptional: true },
  rebuildBackup: {
    check: (value) => findStateObjectFault(value, rebuildBackupFields)?.trimStart(),
    isOptional: true,
  },
  wayBack: {
    check: (value) => findStateObjectFault(value, wayBackFields)?.trimStart(),
    isOptional: true,
  },
  failedTarget: { check: checkObject, isOptional: true },
  isNotReady: { check: checkBoolean, isOptional: true },
  isProtected: { check: checkBoolean, isOptional: true },
  retireMs: { check: checkNaturalNumber, isOptional: true },
  gaveWayTo: { check: checkNonEmptyText, isOptional: true },
  retired: {
    check: (value) => findStateObjectFault(value, retirementFields)?.trimStart(),
    isOptional: true,
  },
};
const pendingFields: StateFieldChecks = {
  address: { check: checkResourceAddress },
  command: { check: checkCreate },
  knownIds: { check: checkTextList },
  isAllKnown: { check: checkBoolean, isOptional: true },
  at: { check: checkNaturalNumber },
  serviceAt: { check: checkNaturalNumber, isOptional: true },
  lastServiceAt: { check: checkNaturalNumber, isOptional: true },
  acceptedAt: { check: checkNaturalNumber, isOptional: true },
  acceptedServiceAt: { check: checkNaturalNumber, isOptional: true },
  configured: { check: checkTextList },
  isProtected: { check: checkBoolean, isOptional: true },
  retireMs: { check: checkNaturalNumber, isOptional: true },
  sightedIds: { check: checkTextList, isOptional: true },
  answeredId: { check: checkNonEmptyText, isOptional: true },
};
const sentFields: StateFieldChecks = {
  address: { check: checkResourceAddress },
  id: { check: checkNonEmptyText },
  command: { check: checkCommand },
  at: { check: checkNaturalNumber },
  serviceAt: { check: checkNaturalNumber, isOptional: true },
  acceptedAt: { check: checkNaturalNumber, isOptional: true },
  acceptedServiceAt: { check: checkNaturalNumber, isOptional: true },
};
const doubleFields: StateFieldChecks = {
  address: { check: checkResourceAddress },
  command: { check: checkCreate },
  knownIds: { check: checkTextList },
  isAllKnown: { check: checkBoolean, isOptional: true },
  at: { check: checkNaturalNumber },
  serviceAt: { check: checkNaturalNumber, isOptional: true },
  watchedServiceAt: { check: checkNaturalNumber, isOptional: true },
  isSentOnce: { check: checkBoolean, isOptional: true },
  isSuperseded: { check: checkBoolean, isOptional: true },
};
const documentFields: StateFieldChecks = {
  formatVersion: {
    check: (value) => (value === 1 || value === 2 || value === 3 ? undefined : 'must be 1, 2 or 3'),
  },
  hostwrightVersion: { check: checkNonEmptyText, isOptional: true },
  lineage: { check: checkNonEmptyText },
  serial: { check: checkNaturalNumber },
  epoch: { check: checkNaturalNumber, isOptional: true },
  journal: { check: checkNonEmptyText, isOptional: true },
  service: { check: checkNullableText },
  authorities: { check: checkTextList, isOptional: true },
  contract: {
    check: (value) => (isJsonObject(value) ? undefined : ' must be an object'),
    isOptional: true,
  },
  resources: { check: (value) => findStateListFault(value, resourceFields) },
  pending: { check: (value) => findStateListFault(value, pendingFields) },
  sent: { check: (value) => findStateListFault(value, sentFields, 'id'), isOptional: true },
  possibleDoubles: {
    check: (value) => findStateListFault(value, doubleFields, null),
    isOptional: true,
  },
  outputs: { check: findOutputFault, isOptional: true },
  safeguards: { check: checkSafeguards, isOptional: true },
  durations: { check: checkDurations, isOptional: true },
  readyTimes: { check: checkDurations, isOptional: true },
  slowestAppearanceMs: { check: checkNaturalNumber, isOptional: true },
  clocks: { check: (value) => findStateObjectFault(value, clockFields), isOptional: true },
};

/** Finds the first fault of a parsed snapshot, such as `resources[3].id must be a text`; undefined when there is none. */
export function findSnapshotShapeFault(document: unknown): string | undefined {
  if (!isJsonObject(document)) return 'It is not a JSON object';
  return findStateObjectFault(document, documentFields)?.slice(1);
}

function findOutputFault(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'must be an object';
  for (const [name, output] of Object.entries(value)) {
    const fault = findStateObjectFault(output, { sensitive: { check: checkBoolean } });
    if (fault !== undefined) return `[${JSON.stringify(name)}]${fault}`;
  }
  return undefined;
}
