// The service's side of the ninth kind: its part of the contract, and the handlers that a sandbox is given.
import type { Route } from '../../../src/api/contract/routes.ts';
import type { SandboxExtensionCall, SandboxExtension } from '../../../src/sandbox/extension.ts';
import { findProjectRow } from '../../../src/sandbox/rules/lookups.ts';
import { representListPage } from '../../../src/sandbox/handlers/paging.ts';
import {
  createNameTakenRefusal,
  createNotFoundRefusal,
} from '../../../src/sandbox/contract/problems.ts';

const all = '/projects/{projectId}/firewalls';
const one = `${all}/{firewallId}`;

/** Its operations as the generated table of routes would have them. */
export const firewallRoutes: Readonly<Record<string, Route>> = {
  listFirewalls: { method: 'GET', path: all, success: 200 },
  createFirewall: { method: 'POST', path: all, success: 201 },
  getFirewall: { method: 'GET', path: one, success: 200 },
  renameFirewall: { method: 'PATCH', path: `${one}/rename`, success: 200 },
  setFirewallRules: { method: 'PUT', path: `${one}/rules`, success: 200 },
  deleteFirewall: { method: 'DELETE', path: one, success: 204 },
};

const name = { type: 'string', minLength: 1 };
const rules = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['vmId', 'port'],
    additionalProperties: false,
    properties: { vmId: { type: 'string' }, port: { type: 'integer' } },
  },
};

const bodies: Readonly<Record<string, object>> = {
  createFirewall: { name, rules },
  renameFirewall: { name },
  setFirewallRules: { rules },
};

function describePaths(): SandboxExtension['paths'] {
  const paths: Record<string, Record<string, SandboxExtension['paths'][string][string]>> = {};
  for (const [operationId, { method, path, success }] of Object.entries(firewallRoutes)) {
    const properties = bodies[operationId];
    const schema = {
      ...{ type: 'object', additionalProperties: false, properties },
      required: Object.keys(properties ?? {}),
    };
    const parameters = [
      { $ref: '#/components/parameters/Page' },
      { $ref: '#/components/parameters/PageSize' },
    ];
    (paths[path] ??= {})[method.toLowerCase()] = {
      ...{ operationId, tags: ['Firewalls'], summary: operationId, 'x-evidence': 'A' },
      ...(operationId === 'listFirewalls' && { parameters }),
      ...(properties && {
        requestBody: { required: true, content: { 'application/json': { schema } } },
      }),
      responses: {
        '404': { $ref: '#/components/responses/NotFound' },
        '409': { $ref: '#/components/responses/Conflict' },
        [String(success)]: {
          description: 'Done.',
          ...(success !== 204 && {
            content: { 'application/json': { schema: { type: 'object' } } },
          }),
        },
      },
    };
  }
  return paths;
}

interface FirewallRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly status: string;
  readonly rules: object;
  readonly createdAt: string;
}

/** Firewalls of one account, kept in memory: whoever writes into `records` is somebody else in the account. */
export function openFirewalls(): SandboxExtension & {
  readonly records: Map<string, FirewallRecord>;
} {
  const records = new Map<string, FirewallRecord>();
  let made = 0;
  const listIn = (call: SandboxExtensionCall) => {
    const { id } = findProjectRow(call, call.params.projectId ?? '');
    return [...records.values()].filter(({ projectId }) => projectId === id);
  };
  const find = (call: SandboxExtensionCall): FirewallRecord => {
    const { firewallId = '' } = call.params;
    const found = listIn(call).find(({ id }) => id === firewallId);
    if (!found) throw createNotFoundRefusal('firewall', firewallId);
    return found;
  };
  const keep = (call: SandboxExtensionCall, record: FirewallRecord) => {
    const isTaken = listIn(call).some(
      ({ id, name: other }) => id !== record.id && other === record.name,
    );
    if (isTaken) throw createNameTakenRefusal('firewall', record.name);
    records.set(record.id, record);
    return record;
  };
  /** Takes what the body gives. */
  const change = (call: SandboxExtensionCall) =>
    keep(call, { ...find(call), ...(call.body as object) });
  return {
    records,
    paths: describePaths(),
    handlers: {
      listFirewalls: (call) => {
        const items = listIn(call);
        return representListPage(call, call.query, items.length, (limit, offset) =>
          items.slice(offset, offset + limit),
        );
      },
      createFirewall: (call) => {
        made += 1;
        const createdAt = new Date(call.now).toISOString();
        const given = call.body as Pick<FirewallRecord, 'name' | 'rules'>;
        const { projectId = '' } = call.params;
        return keep(call, { id: `fw-${made}`, projectId, ...given, status: 'active', createdAt });
      },
      getFirewall: find,
      renameFirewall: change,
      setFirewallRules: change,
      deleteFirewall: (call) => {
        records.delete(find(call).id);
      },
    },
  };
}
