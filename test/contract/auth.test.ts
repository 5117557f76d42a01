import { describe, expect, it } from 'vitest';

import type { OperationId } from '../../src/api/contract/routes.ts';
import { routes } from '../../src/api/contract/routes.ts';
import type { WireTokenScope } from '../../src/api/contract/types.ts';
import type { Bench } from './bench.ts';
import { addProject, openBench, openFurnishedBench, startOfTime, vmRequest } from './bench.ts';

describe('section 5: authentication', () => {
  it.each([
    ['nothing', null],
    ['an empty header', ''],
    ['the token alone', 'TOKEN'],
    ['no token', 'Bearer'],
    ['another scheme', 'Basic TOKEN'],
    ['a lower case prefix', 'bearer TOKEN'],
    ['two spaces', 'Bearer  TOKEN'],
    ['two tokens', 'Bearer TOKEN TOKEN'],
    ['an unknown token', 'Bearer hw_0000'],
    ['a part of the token', 'Bearer TOKEN_'],
  ])('answers 401 to %s', async (_what, header) => {
    const bench = await openBench();
    const authorization = header?.replaceAll('TOKEN', bench.sandbox.token) ?? null;
    const answer = await bench.ask('listProjects', { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('answers 401 from the moment when a token expires', async () => {
    const bench = await openBench();
    const expiresAt = new Date(startOfTime + 60_000).toISOString();
    const { value, ...token } = await bench.get('createToken', {
      body: { name: 'short', scopes: ['full'], expiresAt },
    });
    expect(token.expiresAt).toBe(expiresAt);
    const authorization = `Bearer ${value}`;
    bench.pass(59);
    expect((await bench.ask('getAccount', { authorization })).status).toBe(200);
    bench.pass(1);
    expect((await bench.ask('getAccount', { authorization })).status).toBe(401);
  });

  it('answers 401 once a token is revoked, and takes its replacement', async () => {
    const bench = await openBench();
    const old = await bench.get('createToken', { body: { name: 'old', scopes: ['tokens'] } });
    const authorization = `Bearer ${old.value}`;
    const body = { name: 'new', scopes: ['tokens'] };
    const replacement = await bench.get('createToken', { authorization, body });
    const other = `Bearer ${replacement.value}`;
    await bench.get('deleteToken', { authorization: other, params: { tokenId: old.id } });
    expect((await bench.ask('listTokens', { authorization })).status).toBe(401);
    expect((await bench.ask('listTokens', { authorization: other })).status).toBe(200);
  });

  it('shows the value of a token once and says when it was used last', async () => {
    const bench = await openBench();
    const { value, id } = await bench.get('createToken', {
      body: { name: 'ci', scopes: ['read'] },
    });
    expect(value).toMatch(/^hw_\w{40}$/);
    const params = { tokenId: id };
    expect(await bench.get('getToken', { params })).toMatchObject({ lastUsedAt: null });
    bench.pass(5);
    await bench.get('getLimits', { authorization: `Bearer ${value}` });
    const token = await bench.get('getToken', { params });
    expect(token).toMatchObject({ lastUsedAt: new Date(startOfTime + 5000).toISOString() });
    expect(JSON.stringify(await bench.get('listTokens'))).not.toContain(value);
  });

  it('lets no token grant what it may not do', async () => {
    const bench = await openBench();
    const { value } = await bench.get('createToken', {
      body: { name: 'keeper', scopes: ['tokens'] },
    });
    await bench.refusal(403, 'createToken', {
      authorization: `Bearer ${value}`,
      body: { name: 'all', scopes: ['tokens', 'full'] },
    });
  });

  it('takes a token that it is told', async () => {
    const bench = await openBench({ token: 'my-own-token' });
    expect(bench.sandbox.token).toBe('my-own-token');
    expect((await bench.ask('getAccount')).status).toBe(200);
  });
});

/** The operations that a scope opens besides what every scope may read. */
const area = (...ids: OperationId[]) => new Set(ids);
const areas: Readonly<Record<Exclude<WireTokenScope, 'full' | 'read'>, ReadonlySet<OperationId>>> =
  {
    compute: area(
      ...(['listSshKeys', 'createSshKey', 'getSshKey', 'renameSshKey', 'deleteSshKey'] as const),
      ...(['listVms', 'createVm', 'getVmStateCounts', 'getVm', 'renameVm', 'deleteVm'] as const),
      ...(['startVm', 'stopVm', 'rebootVm', 'rebuildVm', 'resizeVm', 'getVmMetrics'] as const),
      ...(['listBackups', 'createBackup', 'getBackup', 'restoreBackup', 'deleteBackup'] as const),
    ),
    network: area(
      ...(['listNetworks', 'createNetwork', 'getNetwork', 'renameNetwork'] as const),
      ...(['deleteNetwork', 'listNetworkVms', 'attachVm', 'updateAttachment', 'detachVm'] as const),
      ...(['listPublicIps', 'createPublicIp', 'getPublicIp', 'deletePublicIp'] as const),
      ...(['listPortForwards', 'createPortForward', 'getPortForward'] as const),
      ...(['updatePortForward', 'deletePortForward'] as const),
    ),
    account: area(
      ...(['getAccount', 'updateAccountLocale'] as const),
      ...(['createProject', 'renameProject', 'deleteProject'] as const),
      ...(['listNotifications', 'getUnreadNotificationCount', 'markNotificationRead'] as const),
      ...(['markAllNotificationsRead', 'getNotificationPreferences'] as const),
      ...(['updateNotificationPreferences'] as const),
      ...(['listSales', 'getSale', 'cancelSaleRenewal', 'resumeSaleRenewal'] as const),
    ),
    tokens: area('listTokens', 'createToken', 'getToken', 'renameToken', 'deleteToken'),
  };

const openToEveryScope = area(
  ...(['getLimits', 'getNameLengthLimits', 'listProjects', 'getProject'] as const),
  ...(['listOperations', 'getOperation', 'listConfigurations', 'getConfiguration'] as const),
  ...(['listImages', 'getImage', 'listTariffs', 'getTariff'] as const),
);

function mayDo(scope: WireTokenScope, operationId: OperationId): boolean {
  if (scope === 'full' || openToEveryScope.has(operationId)) return true;
  if (scope === 'read') return routes[operationId].method === 'GET';
  return areas[scope].has(operationId);
}

describe('section 5: scoped tokens', () => {
  const scopes: WireTokenScope[] = ['full', 'read', 'compute', 'network', 'account', 'tokens'];

  it.each(scopes)('%s opens its operations and answers 403 to the others', async (scope) => {
    const bench = await openBench();
    const { value } = await bench.get('createToken', { body: { name: scope, scopes: [scope] } });
    const authorization = `Bearer ${value}`;
    for (const operationId of Object.keys(routes) as OperationId[]) {
      // Nothing is there: what is allowed is not found, or lacks its body.
      const { status } = await bench.ask(operationId, { authorization });
      expect(status === 403, `${operationId} answered ${status}`).toBe(!mayDo(scope, operationId));
    }
  });

  it('joins the scopes of a token', async () => {
    const bench = await openFurnishedBench();
    const scopes = ['compute', 'network'];
    const { value } = await bench.get('createToken', { body: { name: 'both', scopes } });
    const authorization = `Bearer ${value}`;
    await bench.get('createVm', { authorization, body: vmRequest('db') });
    await bench.get('createNetwork', { authorization, body: { name: 'front' } });
    await bench.refusal(403, 'createProject', { authorization, body: { name: 'more' } });
  });
});

describe('section 4: paths', () => {
  const unknown = [
    '/v1/admin/sagas',
    '/v1/payments',
    '/v1/payments/1',
    '/v1/',
    '/v1',
    '/',
    '/limits',
    '/v2/limits',
  ];

  it.each(unknown)('%s answers 404', async (path) => {
    const bench: Bench = await openBench();
    const answer = await bench.request('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ status: 404, type: 'about:blank' });
  });

  it('has no PATCH of a project any more', async () => {
    const bench = await openBench();
    const projectId = await addProject(bench);
    const answer = await bench.request('PATCH', `/v1/projects/${projectId}`, {
      body: { name: 'x' },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, DELETE');
    expect(await bench.get('getProject')).toMatchObject({ name: 'shop' });
  });
});
