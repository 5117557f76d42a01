// Services that spell the contract in every mixture of what such interfaces are known to say.
import type {
  Binding,
  FieldBindingLine,
  ListEnvelopeLine,
  ListPaging,
} from '../../../src/model/account/binding.ts';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import { enumWords, operationShapes, recordShapes } from '../../../src/api/contract/shapes.ts';
import type { DialectStyle } from './build-dialect-document.ts';

/** A dialect and how its document is written. */
export interface RandomDialect {
  readonly binding: Binding;
  readonly style: DialectStyle;
}

/** A number from 0 up to 1. */
type Random = () => number;

const words = (text: string) => text.split(' ');

/** Collections as they may be called, by the last part of the contract's paths. */
const collections: Readonly<Record<string, readonly string[]>> = {
  projects: words('projects tenants workspaces'),
  operations: words('operations jobs tasks async-operations'),
  'ssh-keys': words('ssh-keys keypairs keys sshKeys public-keys'),
  networks: words('networks private-networks vpcs vlans'),
  'public-ips': words('public-ips floating-ips ips ip-addresses external_ips elastic-ips'),
  'port-forwards': words('port-forwards port-mappings nat-rules forwarding_rules portForwardings'),
  vms: words('vms servers instances virtual-machines droplets'),
  backups: words('backups vm-backups restore-points'),
  configurations: words('configurations flavors vm-sizes server-types instance_types plans sizes'),
  images: words('images os-images templates operating-systems'),
  tariffs: words('tariffs price-plans pricing-plans rate-plans billing-plans'),
  notifications: words('notifications alerts'),
  sales: words('sales orders subscriptions'),
  tokens: words('tokens access-tokens api-tokens apiKeys'),
  limits: words('limits quotas quota'),
  account: words('account profile me'),
};

const actions: Readonly<Record<string, readonly string[]>> = {
  start: words('start power-on boot'),
  stop: words('stop power-off shutdown'),
  reboot: words('reboot restart'),
  rename: words('rename name'),
  preferences: words('preferences settings'),
  'unread-count': words('unread-count unread'),
  'name-lengths': words('name-lengths names'),
  metrics: words('metrics monitoring'),
  'state-counts': words('state-counts status-summary'),
};

/** Members as they may be called, by record and name or by name. */
const members: Readonly<Record<string, readonly string[]>> = {
  'vm.configurationId': words(
    '/flavorId /flavor/id /size/id /plan_id /serverTypeId /instanceType/id /sizeId',
  ),
  'createVm.configurationId': words(
    '/flavorId /flavor /size /sizeId /plan_id /serverTypeId /instanceType',
  ),
  imageId: words('/imageId /image/id /osImageId /image /templateId /image_id'),
  tariffId: words(
    '/tariffId /pricePlanId /tariff/id /billingPlanId /price_plan_id /pricingPlan/id',
  ),
  publicIpId: words('/publicIpId /floatingIpId /ip/id /public_ip/id /ipId'),
  sshKeyIds: words('/sshKeyIds /ssh_keys /keys /sshKeys/*/id /keypairIds'),
  bootStatus: words('/bootStatus /powerState /power_status /power /runState /power/state'),
  status: words('/status /state /provisioningState /lifecycleState'),
  ram: words('/ram /memory /memoryGb /ram_gb /ramSize'),
  disk: words('/disk /diskGb /storage /disk_size /storageGb'),
  cpu: words('/cpu /cpus /vcpus /cores /cpuCount'),
  createdAt: words('/createdAt /created_at /created /creationDate /createTime'),
  completedAt: words('/completedAt /endedAt /finished_at /endTime'),
  expiresAt: words('/expiresAt /expires_at /expiry /validUntil'),
  lastUsedAt: words('/lastUsedAt /last_used_at /lastUsed'),
  publicKey: words('/publicKey /key /public_key /key/openssh'),
  fingerprint: words('/fingerprint /finger_print /thumbprint'),
  publicPort: words('/publicPort /externalPort /public_port /frontendPort'),
  vmPort: words('/vmPort /internalPort /targetPort /private_port /backendPort'),
  protocol: words('/protocol /proto /transport'),
  internalIp: words('/internalIp /privateIp /private_ip /ip /address /localIp'),
  'publicIp.address': words('/address /ip /ipAddress /ipv4'),
  cidr: words('/cidr /ipRange /range /subnet'),
  'operation.type': words('/type /kind /action /operationType'),
  failureCode: words('/failureCode /errorCode /error/code /failure_code'),
  resourceId: words('/resourceId /targetId /target/id /resource_id'),
  resourceType: words('/resourceType /targetType /target/type /resource_type'),
  networkId: words('/networkId /network/id /network_id'),
  vmId: words('/vmId /serverId /instanceId /vm/id /server_id'),
  saleId: words('/saleId /orderId /sale/id /subscriptionId'),
  maxCount: words('/maxCount /max_count /stock'),
  availability: words('/availability /stockStatus'),
  used: words('/used /usage /inUse'),
  remaining: words('/remaining /available /free'),
  locale: words('/locale /language /lang'),
  read: words('/read /seen /isRead'),
  message: words('/message /body /text'),
  scopes: words('/scopes /permissions'),
  networks: words('/networks /interfaces /privateNetworks /nics'),
};

const enums: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  resourceStatus: {
    creating: words('creating provisioning BUILDING pending'),
    active: words('active ready ACTIVE available'),
    updating: words('updating modifying'),
    deleting: words('deleting removing terminating'),
    failed: words('failed error ERROR'),
  },
  apiOperationStatus: {
    Queued: words('Queued pending QUEUED waiting'),
    InProgress: words('InProgress in_progress processing'),
    Succeeded: words('Succeeded Completed done SUCCESS finished'),
    Failed: words('Failed error failure'),
  },
  vmBootStatus: {
    Running: words('Running on PoweredOn POWERED_ON up'),
    Stopped: words('Stopped off PoweredOff POWERED_OFF halted'),
    Starting: words('Starting booting'),
    Stopping: words('Stopping shutting_down'),
    Rebooting: words('Rebooting restarting'),
  },
  configurationAvailability: {
    available: words('available in_stock'),
    unavailable: words('unavailable sold_out out_of_stock'),
  },
  publicIpMode: { new: words('new create allocate'), none: words('none no') },
  renewalState: {
    active: words('active enabled on'),
    cancelled: words('cancelled disabled canceled'),
  },
  resourceOperation: {
    Provision: words('Provision vm.create CREATE_SERVER'),
    Rebuild: words('Rebuild vm.rebuild'),
    CreateBackup: words('CreateBackup backup.create'),
  },
};

const optional: readonly OperationId[] = words(
  'getLimits getNameLengthLimits getVmMetrics getVmStateCounts resizeVm getUnreadNotificationCount listSales getSale cancelSaleRenewal resumeSaleRenewal getImage getTariff updateAttachment',
) as OperationId[];

/** Draws a dialect. `wildness` from 0 to 1 says how much of it is spelled otherwise. */
export function drawDialect(random: Random, wildness: number): RandomDialect {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = (chance: number) => random() < chance;
  const names = new Map<string, string>();
  for (const [name, others] of Object.entries({ ...collections, ...actions })) {
    names.set(name, maybe(wildness) ? pick(others) : name);
  }
  const isFlat = maybe(wildness * 0.4);
  const missing = maybe(wildness) ? optional.filter(() => maybe(0.3)) : [];
  const method = { rename: pick(['PATCH', 'PATCH', 'PUT', 'POST']), attach: maybe(wildness / 2) };
  const operations: Record<string, string> = {};
  const parameters: Record<string, Record<string, string>> = {};
  for (const operation of Object.keys(routes) as OperationId[]) {
    if (missing.includes(operation)) operations[operation] = 'none';
    if (missing.includes(operation)) continue;
    const route = routes[operation];
    const { isList, params } = operationShapes[operation];
    let path = route.path
      .split('/')
      .map((part) => names.get(part) ?? part)
      .join('/');
    let verb: string = route.method;
    if (operation.startsWith('rename') && wildness > 0.3) verb = method.rename;
    const isAttachment = operation === 'attachVm' || operation === 'detachVm';
    if (isAttachment && method.attach) {
      path = path.replace('/{vmId}', '') + '/{vmId}';
      verb = operation === 'attachVm' ? 'PUT' : 'DELETE';
    }
    const holder = `/${names.get('projects')}/{projectId}`;
    const isOfProject = !operation.endsWith('Project') && path.startsWith(`${holder}/`);
    if (isFlat && isOfProject && params.length > 1) path = path.slice(holder.length);
    else if (isFlat && isOfProject) {
      path = path.slice(holder.length);
      const place = isList || verb === 'GET' ? 'query projectId' : 'body /projectId';
      parameters[operation] = { projectId: place };
    }
    if (`${verb} ${path}` !== `${route.method} ${route.path}`)
      operations[operation] = `${verb} ${path}`;
    // What is not known to be said is said nowhere: lists under something that is no project need no project.
    if (isFlat && isList && params.length > 1)
      parameters[operation] = { projectId: 'query projectId' };
    if (isFlat && operation.startsWith('create') && params.length > 1)
      parameters[operation] = { projectId: 'body /projectId' };
  }
  const fields: Record<string, Record<string, FieldBindingLine>> = {};
  const drawn = new Map<string, string>();
  const spell = (owner: string, record: string) => {
    const isBody = owner !== record;
    for (const [name] of Object.entries(recordShapes[record] ?? {})) {
      const key = [`${owner}.${name}`, name].find((one) => members[one]);
      if (key === undefined || (record === 'notification' && name === 'type')) continue;
      const choice =
        drawn.get(key) ?? (maybe(wildness * 0.7) ? pick(members[key] ?? []) : `/${name}`);
      if (!isBody) drawn.set(key, choice);
      if (record === 'problem' || record === 'apiProblem' || record.endsWith('Counts')) continue;
      if (choice !== `/${name}`) (fields[owner] ??= {})[name] = choice;
    }
  };
  for (const record of Object.keys(recordShapes))
    if (!/(?:Create|Update|Request)$/.test(record) && record !== 'createdToken')
      spell(record, record);
  for (const [operation, { body }] of Object.entries(operationShapes))
    if (body !== undefined && operations[operation] !== 'none') spell(operation, body);
  for (const lines of Object.values(fields)) {
    const seen = new Set<string>();
    for (const [name, line] of Object.entries(lines)) {
      const text = line as string;
      const clashes = [...seen].some(
        (one) =>
          one === text ||
          one.startsWith(`${text}/`) ||
          (text.startsWith(`${one}/`) && !text.endsWith('/id') && !one.endsWith('/id')),
      );
      if (clashes) Reflect.deleteProperty(lines, name);
      else seen.add(text);
    }
  }
  const spelled: Record<string, Record<string, string>> = {};
  for (const [name, table] of Object.entries(enums)) {
    for (const [word, others] of Object.entries(table)) {
      const choice = maybe(wildness * 0.6) ? pick(others) : word;
      const isTaken = enumWords[name]?.some(
        (one) => one !== word && one.toLowerCase() === choice.toLowerCase(),
      );
      if (choice.toLowerCase() !== word.toLowerCase() && !isTaken)
        (spelled[name] ??= {})[word] = choice;
    }
  }
  const page = pick<ListPaging>([
    { by: 'page', page: 'page', size: 'per_page' },
    { by: 'page', page: 'pageNumber', size: 'pageSize' },
    { by: 'offset', offset: 'offset', size: 'limit' },
    { by: 'cursor', cursor: 'cursor', next: '/meta/nextCursor', size: 'limit' },
    { by: 'page', page: 'page', size: 'size', first: 0 },
  ]);
  const items = pick(words('/data /results /items /content /records'));
  const lists: Record<string, ListEnvelopeLine> = {};
  if (maybe(wildness)) {
    const isAll = maybe(0.4);
    for (const [operation, { isList, query }] of Object.entries(operationShapes)) {
      if (!isList || operations[operation] === 'none') continue;
      if (query.includes('page') || isAll)
        lists[operation] = { items, ...(page.by !== 'cursor' && { total: '/total' }), page };
    }
  }
  const answers: Record<string, string> = {};
  const wrapper = maybe(wildness * 0.3) ? pick(['/data', '/result']) : undefined;
  if (wrapper !== undefined) {
    for (const [operation, { isList = false, answer }] of Object.entries(operationShapes)) {
      if (!isList && answer !== undefined && operations[operation] !== 'none')
        answers[operation] = wrapper;
    }
  }
  const idStyle = pick<(operation: OperationId) => string | undefined>([
    (one) => one,
    () => undefined,
    (one) => one.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    (one) => `Api_${one}`,
  ]);
  const suffix = pick(['', 'Dto', 'Response', 'Model']);
  return {
    binding: {
      version: 1,
      ...(maybe(wildness * 0.4) && { ids: { default: 'number' as const } }),
      ...{ lists, answers, operations, parameters, fields, enums: spelled },
    },
    style: {
      openapi: pick(['3.0', '3.1', '2.0']),
      id: (operation) => idStyle(operation) as string,
      schema: (record) => record.charAt(0).toUpperCase() + record.slice(1) + suffix,
      param: pick([(name: string) => name, (name: string) => name.replace('Id', '_id')]),
      isInline: maybe(0.2),
      saysRequired: maybe(0.8),
    },
  };
}
