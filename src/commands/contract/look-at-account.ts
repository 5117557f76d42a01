// Checks of a contract file by reads of the account: one list of each kind, whose records must have the members of the
// contract.
import type { ServiceClient } from '../../api/client.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError } from '../../api/errors/errors.ts';
import type { OperationId } from '../../api/contract/routes.ts';
import {
  enumWords,
  type MemberShape,
  operationShapes,
  recordShapes,
} from '../../api/contract/shapes.ts';
import type { WireRequest } from '../../api/contract/types.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { AccountReadCheck } from '../../model/account/contract-lines.ts';
import { describeJsonType } from '../../model/wire/decode-fields.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** The most records of a list that are compared with the contract file. */
const mostRecords = 100;

/** Reads of the account itself, and of the first of its projects, VMs and public IPs. */
const reads: readonly (readonly [OperationId, readonly string[]])[] = [
  ['getLimits', []],
  ['getNameLengthLimits', []],
  ['getAccount', []],
  ['listConfigurations', []],
  ['listImages', []],
  ['listTariffs', []],
  ['listSales', []],
  ['listTokens', []],
  ['listNotifications', []],
  ['listProjects', []],
  ['listOperations', ['projectId']],
  ['listSshKeys', ['projectId']],
  ['listNetworks', ['projectId']],
  ['listPublicIps', ['projectId']],
  ['listVms', ['projectId']],
  ['getVm', ['projectId', 'vmId']],
  ['listBackups', ['projectId', 'vmId']],
  ['listPortForwards', ['projectId', 'publicIpId']],
];

/** The lists whose first record the path of another read names. */
const namedBy: Readonly<Record<string, string>> = {
  listProjects: 'projectId',
  listVms: 'vmId',
  listPublicIps: 'publicIpId',
};

/**
 * Tries every read operation of the contract on an account, one after the other, and compares the answers with the contract file.
 * Changes nothing.
 */
export async function checkAccountReads(
  client: ServiceClient,
): Promise<readonly AccountReadCheck[]> {
  const known = new Map<string, string>();
  const seen: AccountReadCheck[] = [];
  for (const [operation, needed] of reads) {
    const nothing = { operation, records: null, untold: [], mistyped: [], lines: [] };
    const missing = needed.find((name) => !known.has(name));
    if (client.dialect.lacks(operation) !== undefined) {
      seen.push({ ...nothing, why: 'not bound' });
    } else if (missing !== undefined) {
      seen.push({ ...nothing, why: `there is no ${nounOf(missing)} to look at` });
    } else {
      const params = Object.fromEntries(needed.map((name) => [name, known.get(name) ?? '']));
      const records = await readRecords(client, operation, params);
      if (typeof records === 'string') {
        seen.push({ ...nothing, why: records });
        continue;
      }
      const name = namedBy[operation];
      const first = records.map(({ id }) => id).find((id) => typeof id === 'string');
      if (name !== undefined && typeof first === 'string') known.set(name, first);
      const lines = listSeen(operation, records);
      const found = compare(operation, records, client.lackedMembers);
      seen.push({ operation, records: records.length, ...found, lines });
    }
  }
  return seen;
}

/** Noun for the resource that an id of this name belongs to. */
function nounOf(param: string): string {
  return kindRegistry[param.replace(/Id$/, '') as KindName].label;
}

type Read = Readonly<Record<string, unknown>>;

/** Reads the records of one answer; a failure is returned as the reason why there are none. */
async function readRecords(
  client: ServiceClient,
  operation: OperationId,
  params: Readonly<Record<string, string>>,
): Promise<readonly Read[] | string> {
  try {
    const { body } = await client.call({ operation, params } as WireRequest);
    const { isList = false } = operationShapes[operation];
    if (!isList)
      return isJsonObject(body) ? [body] : `${describeJsonType(body)} instead of a record`;
    const items: unknown = isJsonObject(body) ? body.items : body;
    if (!Array.isArray(items)) {
      const keys = isJsonObject(body) ? ` with ${Object.keys(body).join(', ')}` : '';
      return `${describeJsonType(body)}${keys} instead of a list`;
    }
    return items.slice(0, mostRecords).filter(isJsonObject);
  } catch (error) {
    if (error instanceof ApiError) return describeError(error).summary;
    throw error;
  }
}

function compare(
  operation: OperationId,
  records: readonly Read[],
  lacked: readonly string[],
): Pick<AccountReadCheck, 'untold' | 'mistyped'> {
  const { answer = '' } = operationShapes[operation];
  const members = Object.entries(recordShapes[answer] ?? {}).filter(
    ([name]) => !lacked.includes(`${answer}.${name}`),
  );
  if (records.length === 0) return { untold: [], mistyped: [] };
  const untold: string[] = [];
  const mistyped: string[] = [];
  for (const [name, shape] of members) {
    const values = records.map((record) => record[name]);
    const found = values
      .map((value) => findTypeFault(value, shape))
      .find((fault) => fault !== null);
    const isTold = values.some((value) => value !== undefined);
    if (found !== undefined) mistyped.push(`${name} is ${found}`);
    else if (!isTold && shape.isOptional !== true) untold.push(name);
  }
  return { untold, mistyped };
}

/** Lists the lines of the contract file that an answer has confirmed. */
function listSeen(operation: OperationId, records: readonly Read[]): readonly string[] {
  const { answer = '', isList = false } = operationShapes[operation];
  return [
    `operations.${operation}`,
    // An empty list proves nothing about the place of the items, so that its line is not confirmed.
    ...(isList && records.length > 0 ? [`lists.${operation}`] : []),
    ...listSeenMembers(answer, records),
  ];
}

/** Members that have a value of the contract's type, down to the last record, and the words that they are. */
function listSeenMembers(record: string, records: readonly Read[]): readonly string[] {
  return Object.entries(recordShapes[record] ?? {}).flatMap(([name, shape]) => {
    const values = records.map((one) => one[name]).filter((one) => one !== undefined);
    // A null may only stand for a member that the answer lacks, so that it confirms nothing.
    const told = values.filter((value) => value !== null);
    if (told.length === 0 || told.some((value) => findTypeFault(value, shape) !== null)) return [];
    const items = told.flat();
    const inner =
      shape.type === 'record'
        ? listSeenMembers(shape.record, items.filter(isJsonObject))
        : shape.type === 'enum'
          ? items.flatMap((word) => listWord(shape.enum, word))
          : [];
    return [`fields.${record}.${name}`, ...inner];
  });
}

function listWord(name: string, value: unknown): readonly string[] {
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  const ours = enumWords[name]?.find((one) => one.toLowerCase() === word);
  return ours === undefined ? [] : [`enums.${name}.${ours}`];
}

/** The type that a value has in place of the contract's; null where it is that, or untold. */
function findTypeFault(value: unknown, shape: MemberShape): string | null {
  if (value === undefined) return null;
  if (value === null) return shape.isNullable ? null : 'null';
  if (shape.isList) {
    if (!Array.isArray(value)) return describeJsonType(value);
    const item = { ...shape, isList: false };
    return (
      value.map((one: unknown) => findTypeFault(one, item)).find((one) => one !== null) ?? null
    );
  }
  switch (shape.type) {
    case 'text':
    case 'time':
      return typeof value === 'string' ? null : describeJsonType(value);
    case 'id':
      return ['string', 'number'].includes(typeof value) ? null : describeJsonType(value);
    case 'number':
    case 'boolean':
      return typeof value === shape.type ? null : describeJsonType(value);
    case 'record':
      return isJsonObject(value) ? null : describeJsonType(value);
    case 'enum': {
      if (typeof value !== 'string') return describeJsonType(value);
      const isKnown = enumWords[shape.enum]?.some(
        (one) => one.toLowerCase() === value.toLowerCase(),
      );
      return isKnown ? null : `the word ${JSON.stringify(value)}`;
    }
    case 'any':
      return null;
  }
}
