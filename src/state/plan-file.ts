import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateJsonLine } from '../model/text/json-parts.ts';
import { DiagnosticError } from '../model/errors.ts';
import type { PlanIdentity } from '../model/plan/identity.ts';
import type { Plan, PlanOptions } from '../model/plan/plan.ts';
import type { DesiredGraph } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import type { EncryptionKeyring } from './encryption/keyring.ts';
import { isEncryptedStateText, encryptStateText, decryptStateText } from './encryption/seal.ts';
import { createDiagnosticError, explainFileError } from './faults.ts';
import { hashCanonicalJson } from './hash-canonical.ts';
import { readRegularFileHead } from './files/regular-file.ts';
import { replaceFile } from './files/replace-file.ts';
import { findOutputFilePlaceFault } from './files/written-file.ts';
import {
  checkNaturalNumber,
  checkBoolean,
  checkObject,
  checkNonEmptyText,
  checkTextList,
  findStateListFault,
  findStateObjectFault,
  type StateFieldCheck,
  type StateFieldChecks,
} from './shape.ts';
import { parseJsonObject } from '../model/json-object.ts';

/**
 * Fingerprint of a plan's sensitive values, by which changed values are noticed at the apply: the plan file holds none
 * of the values.
 */
export interface SensitiveValuesFingerprint {
  /** Salt of the digests, the same for all plans of one service, so that the fingerprints of two plans can be compared. */
  readonly salt: string;
  /** Digest of the sensitive values in the configuration and in the plan's changes. */
  readonly digest: string;
  /** Digest of the sensitive values in the configuration alone, which stays the same when a part of the plan was applied. */
  readonly wanted: string;
}

/**
 * Plan as it is saved: with its inputs, and without secrets. Its checksum can be made by anybody who can replace the
 * file, so a plan that is not sealed is only compared with a new plan, and decides nothing.
 */
export interface SavedPlan {
  /** Version of the program that made the plan. */
  readonly version: string;
  /** The configuration's directory, relative to the working directory. */
  readonly directory: string;
  /** Directory, service and commit of the plan. They are shown, and decide nothing. */
  readonly identity?: PlanIdentity;
  /** The service that the plan was made for; it is applied to no other. */
  readonly service: string;
  /** Id of the state that the plan was made from, so that no other is changed. */
  readonly lineage: string;
  readonly serial: number;
  /** Time of the plan, in milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  /** Hashes of the plan's inputs, by name, to notice what has changed since. */
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly desired: DesiredGraph;
  /** Set where sensitive parts were left out, and have to be read from the configuration again. */
  readonly isIncomplete: boolean;
  /** Values of the variables that are not sensitive. */
  readonly variables: Readonly<Record<string, Value>>;
  /** Options of the command that made the plan. */
  readonly planOptions: PlanOptions;
  readonly plan: Plan;
  /** Fingerprint of the sensitive values, to compare them at the apply; absent where the plan has none. */
  readonly seal?: SensitiveValuesFingerprint;
}

const formatVersion = 3;
const format = 'hostwright-plan';

/** The name that an encrypted plan is bound to, by the purpose of its key: the plan itself names the state that it belongs to. */
const sealNames = { state: 'plan', plan: 'sealed-plan' } as const;

const objectOf =
  (fields: StateFieldChecks): StateFieldCheck =>
  (value) =>
    findStateObjectFault(value, fields);
const listOf =
  (fields: StateFieldChecks): StateFieldCheck =>
  (value) =>
    findStateListFault(value, fields, null);
/** Checks a time in milliseconds, which may have a fraction. */
const checkInstant: StateFieldCheck = (value) =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime())
    ? undefined
    : 'must be a moment';
const texts = { check: checkTextList };
const objects = { check: listOf({}) };
// An address may hold a name that somebody has chosen in the account, so only its being a text is checked.
const ofResources = { check: listOf({ address: { check: checkNonEmptyText } }) };
const someObjects = { ...objects, isOptional: true } as const;

/** The parts that every saved plan has. Anybody can make a plan with a checksum that fits. */
const savedFields: StateFieldChecks = {
  version: { check: checkNonEmptyText },
  directory: { check: checkNonEmptyText },
  service: { check: checkNonEmptyText },
  lineage: { check: checkNonEmptyText },
  serial: { check: checkNaturalNumber },
  plannedAt: { check: checkInstant },
  fingerprints: { check: checkObject },
  isIncomplete: { check: checkBoolean },
  variables: { check: checkObject },
  desired: {
    check: objectOf({ resources: ofResources, outputs: someObjects, policies: someObjects }),
  },
  planOptions: {
    check: objectOf({
      adoptsAll: { check: checkBoolean },
      isForced: { check: checkBoolean },
      replace: texts,
      selection: { check: objectOf({ targets: texts, excludes: texts }) },
    }),
  },
  plan: {
    check: objectOf({
      mode: { check: checkNonEmptyText },
      changes: ofResources,
      tasks: objects,
      gone: texts,
      findings: objects,
      quotas: objects,
      outputs: someObjects,
      checks: someObjects,
      drift: someObjects,
      deferred: someObjects,
    }),
  },
};

/** Plan that was read from its file, with the reason to trust it. */
export interface LoadedPlanFile extends SavedPlan {
  readonly isEncrypted: boolean;
  /** Set for a plan that is sealed with `HOSTWRIGHT_PLAN_KEY`: somebody with that key has made it. */
  readonly isTrusted: boolean;
}

/**
 * Saves a plan, readable by its owner alone, and encrypted where there is a key.
 * @throws DiagnosticError when it cannot be written
 */
export async function writePlanFile(
  path: string,
  saved: SavedPlan,
  keyring?: EncryptionKeyring,
): Promise<void> {
  // The path is checked again, as making the plan took a while.
  await requireWritablePlanPath(path);
  const content = { format, formatVersion, ...saved };
  // The checksum covers everything in the file but itself.
  const whole = { checksum: hashCanonicalJson(content), ...content };
  try {
    await replaceFile(path, keyring ? await sealPlan(whole, keyring) : generateJsonLine(whole));
  } catch (cause) {
    throw unwritable(path, explainFileError(cause), 'Choose another place.', cause);
  }
}

async function sealPlan(whole: object, keyring: EncryptionKeyring): Promise<string> {
  const text = [...generateJsonLine(whole)].join('');
  const name = sealNames[keyring.purpose];
  return encryptStateText(text, await keyring.writingKey(), name, name);
}

/** Requires that a plan can be saved at a path, before the plan is made. @throws DiagnosticError when it cannot */
export async function requireWritablePlanPath(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    const hint = `Name a file in it, such as ${join(path, 'plan.hwp')}.`;
    throw unwritable(path, 'It is a directory.', hint);
  }
  const folder = dirname(path);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    const hint = 'Make the directory first, or choose another place.';
    throw unwritable(path, `There is no directory ${folder}.`, hint);
  }
  const fault = await findOutputFilePlaceFault({
    path,
    isOurs: (_found, real) => isPlanFile(real),
  });
  if (fault) throw unwritable(path, fault.why, fault.hint);
}

/** Tells whether a file may be replaced: a plan that was saved before, or an empty file that was made for one. */
async function isPlanFile(path: string): Promise<boolean> {
  const head = await readRegularFileHead(path, 256);
  return (
    head === '' ||
    isEncryptedStateText(head) ||
    /^\{"checksum":"[0-9a-f]{64}","format":"hostwright-plan"/.test(head)
  );
}

function unwritable(path: string, detail: string, hint: string, cause?: unknown): DiagnosticError {
  const summary = `The plan cannot be saved to ${path}`;
  return createDiagnosticError('plan-file-unwritable', summary, { detail, hint, cause });
}

/**
 * Reads a saved plan. `openKeys` gives the keys for an encrypted plan; where they are for sealed plans, no other plan is
 * read.
 * @throws DiagnosticError when it is missing, damaged, not sealed as it has to be, or not a plan of this version
 */
export async function readPlanFile(
  path: string,
  openKeys: () => EncryptionKeyring | undefined = () => undefined,
): Promise<LoadedPlanFile> {
  const again = 'Make the plan again with "hostwright plan --out FILE".';
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw problem('plan-file-unreadable', `The plan file ${path} cannot be read`, cause, again);
  }
  const isEncrypted = isEncryptedStateText(text.slice(0, 256));
  const keyring = openKeys();
  const isTrusted = keyring?.purpose === 'plan';
  if (isTrusted) text = await unsealTrusted(text, keyring, path);
  else if (isEncrypted) text = await unsealPlan(text, keyring, path);
  const content = parseJsonObject(text) as PlanFileContent | undefined;
  if (content?.format !== format) {
    throw problem('not-a-plan-file', `${path} is not a saved plan`, undefined, again);
  }
  if (content.formatVersion !== formatVersion) {
    throw problem(
      'plan-file-version',
      `${path} was saved by another version of Hostwright (${content.version})`,
      undefined,
      again,
    );
  }
  const { checksum, ...saved } = content;
  if (hashCanonicalJson(saved) !== checksum) {
    throw problem('plan-file-damaged', `${path} was changed since it was saved`, undefined, again);
  }
  const fault = findStateObjectFault(saved, savedFields);
  if (fault !== undefined) {
    const cause = new Error(`Its ${fault.replace(/^[. ]+/, '')}`);
    throw problem('plan-file-damaged', `${path} is not as Hostwright writes a plan`, cause, again);
  }
  return { ...saved, isEncrypted, isTrusted };
}

async function unsealPlan(text: string, keyring: EncryptionKeyring | undefined, path: string) {
  if (text.slice(0, 256).includes(`"address": "${sealNames.plan}"`)) {
    const hint = 'Set HOSTWRIGHT_PLAN_KEY as it was set for the plan, or make the plan again.';
    throw problem('plan-key-missing', `${path} is sealed, and no key is set`, undefined, hint);
  }
  return decryptStateText(text, keyring, sealNames.state, { address: sealNames.state, path });
}

/**
 * Requires a sealed plan: no other file stands in for one. @throws DiagnosticError `plan-not-sealed`, and that of a key that
 * is unfit
 */
async function unsealTrusted(
  text: string,
  keyring: EncryptionKeyring,
  path: string,
): Promise<string> {
  await keyring.check();
  try {
    return await decryptStateText(text, keyring, sealNames.plan, { address: sealNames.plan, path });
  } catch (cause) {
    throw createDiagnosticError(
      'plan-not-sealed',
      `${path} is not sealed with HOSTWRIGHT_PLAN_KEY`,
      {
        detail:
          'Somebody without that key has made or changed it. Nothing of it is used, and nothing was changed.',
        hint: 'Make the plan again, with the HOSTWRIGHT_PLAN_KEY of its apply.',
        cause,
      },
    );
  }
}

interface PlanFileContent extends SavedPlan {
  readonly format: unknown;
  readonly formatVersion: unknown;
  readonly checksum: unknown;
}

function problem(code: string, summary: string, cause: unknown, hint: string): DiagnosticError {
  const detail = cause instanceof Error ? { detail: `${cause.message}.` } : {};
  return new DiagnosticError([{ severity: 'error', code, summary, ...detail, hint }], { cause });
}
