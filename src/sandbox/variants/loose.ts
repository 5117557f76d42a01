// A service that answers otherwise than the contract says wherever the contract's tolerance list allows for it. A
// thin layer over the strict service: it never decides or changes anything, and no handler knows of it.

import type { OperationId } from '../../api/contract/routes.ts';
import { routes } from '../../api/contract/routes.ts';
import { allScopesToken } from '../rules/insider.ts';
import type { RefusalReason } from '../contract/problems.ts';
import { findHttpStatusTitle } from '../contract/problem-representations.ts';
import { sandboxTables } from '../store/rows.ts';
import type { ContractRequest, UnencodedSandboxAnswer, SandboxService } from '../service.ts';
import type { SandboxRules } from '../store/world.ts';
import type { SandboxAnswerVariant } from './variant.ts';
import { isJsonObject, type JsonObject } from '../../model/json-object.ts';

const pageSize = 7;

/** The strict rules, loosened: names may repeat, pages are small, operation records lag or never appear. */
export const createLooseSandboxRules = (rules: SandboxRules): SandboxRules => ({
  ...rules,
  duplicateNames: true,
  maxPageSize: pageSize,
  recordLagMs: Math.ceil(3000 / rules.speed),
  unrecordedTypes: ['AttachNetwork', 'UpdatePortForward'],
});

type Fields = JsonObject;
const toFields = (body: unknown): Fields => (isJsonObject(body) ? body : {});
type Respell = (body: Fields) => Fields;

/** Values that the contract does not know, for what has not ended: the specification shows not all of them. */
const unknownValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: { Provision: 'ProvisionV2', CreateNetwork: 'ProvisionNetwork' },
  status: { Queued: 'Scheduled', Running: 'Preparing', InProgress: 'Snapshotting' },
  bootStatus: { Starting: 'Initializing', Rebooting: 'Resetting' },
};

const respellValue = (kind: string, value: unknown): unknown =>
  (typeof value === 'string' && unknownValues[kind]?.[value]) || value;

const withUnknown: Respell = (body) => ({ ...body, region: 'eu-1', _links: { self: null } });

const respellVm: Respell = (vm) => ({
  ...withUnknown(vm),
  operation: respellValue('type', vm.operation),
  operationStatus: respellValue('status', vm.operationStatus),
  bootStatus: respellValue('bootStatus', vm.bootStatus),
});

const respellOperation: Respell = (operation) => ({
  ...withUnknown(operation),
  type: respellValue('type', operation.type),
  status: respellValue('status', operation.status),
});

/** The totals over all VMs as plain numbers, which mean the limits. */
const respellLimits: Respell = (limits) => ({
  ...withUnknown(limits),
  vmResources: Object.fromEntries(
    Object.entries(toFields(limits.vmResources)).map(([name, one]) => [name, toFields(one).limit]),
  ),
});

/** Other spellings of a record, alone or in a list, by the operation that answers it. */
const respellings: Partial<Record<OperationId, Respell>> = {
  getLimits: respellLimits,
  listVms: respellVm,
  getVm: respellVm,
  renameVm: respellVm,
  listOperations: respellOperation,
  getOperation: respellOperation,
};

/** Paged lists that come as bare arrays, and plain arrays that come in pages. */
const bareLists: readonly OperationId[] = ['listNetworks', 'listPublicIps'];
const pagedLists: readonly OperationId[] = [
  'listSshKeys',
  'listPortForwards',
  'listBackups',
  'listTokens',
  'listConfigurations',
  'listImages',
  'listSales',
  'listNetworkVms',
];

/** Creates that answer 201 with the resource, by the operation that reads it. */
const readsCreated: Partial<Record<OperationId, readonly [OperationId, string]>> = {
  createNetwork: ['getNetwork', 'networkId'],
  createPublicIp: ['getPublicIp', 'publicIpId'],
  createPortForward: ['getPortForward', 'portForwardId'],
};

/** Creates that answer 202 although everything is done. A token's value stands in its answer alone, so not those. */
const acceptedCreates: readonly OperationId[] = ['createProject', 'createSshKey'];

const read = (service: SandboxService, exchange: ContractRequest): Fields =>
  toFields(service.perform(exchange, allScopesToken, undefined));

/** Reads a paged list to its end. */
function readAll(service: SandboxService, exchange: ContractRequest): unknown[] {
  const items: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page: String(page), pageSize: String(pageSize) };
    const { items: found, totalCount } = read(service, { ...exchange, query });
    if (!Array.isArray(found) || found.length === 0) return items;
    items.push(...found);
    if (items.length >= Number(totalCount)) return items;
  }
}

function toPage(items: readonly unknown[], query: Readonly<Record<string, string>>): Fields {
  const page = Math.max(1, Number(query.page ?? 1) || 1);
  const size = Math.min(pageSize, Math.max(1, Number(query.pageSize ?? pageSize) || pageSize));
  const start = (page - 1) * size;
  return {
    items: items.slice(start, start + size),
    page,
    pageSize: size,
    totalCount: items.length,
  };
}

/** Reads the resource that an accepted create has made. */
function readCreated(
  service: SandboxService,
  exchange: ContractRequest,
  commandId: string,
): Fields | undefined {
  const reading = readsCreated[exchange.operationId];
  const operation = service.world().store.first(sandboxTables.operations, { commandId });
  if (!reading || !operation) return undefined;
  const [operationId, param] = reading;
  const params = { ...exchange.params, [param]: operation.resourceId };
  return read(service, { ...exchange, operationId, params, query: {} });
}

const html = (status: number, title: string): UnencodedSandboxAnswer => ({
  status,
  text: {
    contentType: 'text/html',
    content: `<html><body><h1>${status} ${title}</h1></body></html>`,
  },
});

/** Refusals that the loose variant words differently, or leaves without words. */
const respelledRefusals: Partial<
  Record<RefusalReason, (outcome: UnencodedSandboxAnswer) => UnencodedSandboxAnswer>
> = {
  unauthorized: () => html(401, 'Unauthorized'),
  unavailable: () => html(503, 'Service Unavailable'),
  unknown: () => ({ status: 404 }),
  validation: (outcome) => ({ ...outcome, status: 400, body: withStatus(outcome.body, 400) }),
  quota: (outcome) => ({ ...outcome, status: 403, body: withStatus(outcome.body, 403) }),
  locked: ({ refusal }) => ({ status: 409, body: { error: refusal?.message } }),
};

const withStatus = (body: unknown, status: number): Fields => ({
  ...toFields(body),
  status,
  title: findHttpStatusTitle(status),
});

function respellItem(operationId: OperationId, item: unknown): unknown {
  return (respellings[operationId] ?? withUnknown)(toFields(item));
}

/** Variant whose answers differ from the contract in all ways that clients must tolerate. */
export const looseSandboxAnswerVariant: SandboxAnswerVariant = (exchange, outcome, service) => {
  const { operationId } = exchange;
  if (outcome.refusal) return respelledRefusals[outcome.refusal.reason]?.(outcome) ?? outcome;
  if (outcome.body === undefined) return outcome;
  if (bareLists.includes(operationId)) {
    const items = readAll(service, exchange);
    return { ...outcome, body: items.map((item) => respellItem(operationId, item)) };
  }
  if (acceptedCreates.includes(operationId)) {
    return { status: 202, body: { commandId: `cmd-${String(toFields(outcome.body).id)}` } };
  }
  if (routes[operationId].success === 202) {
    const { commandId } = toFields(outcome.body);
    const created = readCreated(service, exchange, String(commandId));
    return created ? { status: 201, body: withUnknown(created) } : outcome;
  }
  if (Array.isArray(outcome.body)) {
    const items = outcome.body.map((item) => respellItem(operationId, item));
    return {
      ...outcome,
      body: pagedLists.includes(operationId) ? toPage(items, exchange.query) : items,
    };
  }
  const body = toFields(outcome.body);
  if (Array.isArray(body.items)) {
    return {
      ...outcome,
      body: { ...body, items: body.items.map((item) => respellItem(operationId, item)) },
    };
  }
  return { ...outcome, body: respellItem(operationId, body) };
};
