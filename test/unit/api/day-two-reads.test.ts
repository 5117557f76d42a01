import { expect, test } from 'vitest';
import {
  createToken,
  listAccessTokens,
  renameToken,
} from '../../../src/commands/account/access-tokens.ts';
import { listBackups, fetchVmMetrics } from '../../../src/api/backups.ts';
import { ForeignAnswerError } from '../../../src/api/errors/errors.ts';
import { countUnreadNotifications, listNotifications } from '../../../src/api/notifications.ts';
import { listOperationRecords } from '../../../src/api/operation-records.ts';
import { changeSale, listSales } from '../../../src/api/sales.ts';
import { makeSaleRenewalRequest } from '../../../src/kinds/vm/requests.ts';
import { encodeCommand } from '../../../src/api/wire/encode.ts';
import { changeServiceRecord, readServiceRecord } from '../../../src/api/wire/reading.ts';
import { accountReadRequest, preferencesReadRequest } from '../../../src/kinds/account/wire.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import { connect, failureOf, json } from './fake-service.ts';

const vm = { projectId: 'p', vmId: 'v' };
const at = '2026-11-21T10:00:00Z';
const answering = (body: unknown) => connect(() => json(body)).client;
const page = (items: unknown[]) => ({ items, page: 1, pageSize: 100, totalCount: items.length });

test('records come in our own terms, whatever is missing', async () => {
  const bare = { id: 1 };
  expect(await listBackups(answering([bare]), vm)).toEqual([
    { id: '1', status: 'active', createdAt: null, size: null, sourceImageId: null },
  ]);
  expect(await listAccessTokens(answering([bare]))).toEqual([
    { id: '1', name: '', scopes: [], expiresAt: null, createdAt: null, lastUsedAt: null },
  ]);
  expect(await listSales(answering([bare]))).toEqual([
    {
      id: '1',
      resourceType: '',
      resourceId: '',
      tariffId: '',
      renewal: undefined,
      paidUntil: null,
    },
  ]);
  expect(await listNotifications(answering(page([bare])), 5)).toEqual([
    { id: '1', type: '', title: '', message: '', resourceId: null, isRead: false, createdAt: null },
  ]);
  expect(await countUnreadNotifications(answering({}))).toBeNull();
  expect(
    await readServiceRecord(answering({ locale: 'en-GB', createdAt: at }), accountReadRequest),
  ).toEqual({
    email: '',
    locale: 'en-GB',
    createdAt: Date.parse(at),
  });
});

test('lists are read as arrays and as pages', async () => {
  const items = [
    { id: 'a', status: 'active', createdAt: at, size: 16, sourceImageId: 'i' },
    { id: 'b' },
  ];
  for (const body of [items, page(items)]) {
    const read = await listBackups(answering(body), vm);
    expect(read.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(read[0]).toMatchObject({ createdAt: Date.parse(at), size: 16, sourceImageId: 'i' });
  }
});

test('metrics keep what is a series of points', async () => {
  const series = [
    {
      name: 'cpu',
      unit: 'percent',
      points: [{ at, value: 12 }, { at, value: '?' }, 7, { value: 3 }],
    },
    'odd',
    {},
  ];
  expect(await fetchVmMetrics(answering({ series }), vm)).toEqual([
    {
      name: 'cpu',
      unit: 'percent',
      points: [
        { at: Date.parse(at), value: 12 },
        { at: null, value: 3 },
      ],
    },
    { name: '', unit: '', points: [] },
  ]);
  expect(await fetchVmMetrics(answering({}), vm)).toEqual([]);
});

test('an answer that is something else is no answer of the service', async () => {
  expect(await failureOf(readServiceRecord(answering({}), accountReadRequest))).toBeInstanceOf(
    ForeignAnswerError,
  );
  expect(await failureOf(readServiceRecord(answering({}), preferencesReadRequest))).toBeInstanceOf(
    ForeignAnswerError,
  );
  expect(await failureOf(listBackups(answering([{}]), vm))).toBeInstanceOf(ForeignAnswerError);
});

test('a token whose value is not in the answer may have been made all the same', async () => {
  const token = { name: 'ci', scopes: ['read'], expiresAt: null };
  expect(await failureOf(createToken(answering({ id: 't' }), token))).toMatchObject({
    code: 'outcome-unknown',
    lost: 'half-answer',
  });
});

test('a change that does not answer its record is followed by a look at it', async () => {
  const { client, seen } = connect(({ method }) =>
    method === 'GET'
      ? json({ id: 's', name: 'n', locale: 'de-CH', renewal: 'cancelled', quotaLow: true })
      : new Response(null, { status: 204 }),
  );
  const account = 'account';
  const locale = encodeCommand(kindRegistry, {
    kind: 'updateAccountLocale',
    account,
    locale: 'de-CH',
  });
  const preferences = encodeCommand(kindRegistry, {
    kind: 'updateNotificationPreferences',
    account,
    preferences: { quotaLow: true },
  });
  expect(await changeServiceRecord(client, locale, accountReadRequest)).toMatchObject({
    locale: 'de-CH',
  });
  expect(await changeSale(client, 's', makeSaleRenewalRequest('s', 'cancelled'))).toMatchObject({
    renewal: 'cancelled',
  });
  expect(await renameToken(client, 's', 'n')).toMatchObject({ name: 'n' });
  expect(await changeServiceRecord(client, preferences, preferencesReadRequest)).toEqual({
    quotaLow: true,
  });
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /account/locale',
    'GET /account',
    'POST /sales/s/renewal/cancel',
    'GET /sales/s',
    'PATCH /tokens/s/rename',
    'GET /tokens/s',
    'PUT /notifications/preferences',
    'GET /notifications/preferences',
  ]);
});

test('a token is asked for with its end, or without', async () => {
  const { client, seen } = connect(() => json({ id: 't', name: 'ci', value: 'secret' }, 201));
  const token = { name: 'ci', scopes: ['read'], expiresAt: Date.parse(at) };
  expect((await createToken(client, token)).value).toBe('secret');
  await createToken(client, { ...token, expiresAt: null });
  expect(seen.map(({ body }) => body)).toEqual([
    { name: 'ci', scopes: ['read'], expiresAt: '2026-11-21T10:00:00.000Z' },
    { name: 'ci', scopes: ['read'] },
  ]);
});

test('preferences that the contract does not know are kept', async () => {
  const preferences = { operationFailed: true, weeklyReport: false };
  expect(
    await readServiceRecord(answering({ ...preferences, region: 'eu' }), preferencesReadRequest),
  ).toEqual(preferences);
});

const record = (id: string, more: object = {}) => ({
  id,
  type: 'Stop',
  status: 'Succeeded',
  ...more,
});

test('records are filtered, also by a service that does not filter', async () => {
  const all = page([
    record('1', { resourceId: 'a', resourceType: 'vm' }),
    record('2', { resourceId: 'b', status: 'Failed', failureCode: 'timeout' }),
    record('3', { resourceId: 'a', status: 'Preparing' }),
  ]);
  const ids = async (filter: { resourceId?: string; statuses?: string[]; limit: number }) => {
    const { client, seen } = connect(() => json(all));
    const read = await listOperationRecords(client, 'p', filter);
    return [read.map(({ id }) => id).join(), ...seen.map(({ path }) => path.split('?')[1])];
  };
  expect(await ids({ limit: 2 })).toEqual(['1,2', 'page=1&pageSize=100']);
  expect(await ids({ limit: 9, resourceId: 'a' })).toEqual([
    '1,3',
    'resourceId=a&page=1&pageSize=100',
  ]);
  // A status that is not published may be what the service calls the one that was asked for.
  expect(await ids({ limit: 9, statuses: ['failed'] })).toEqual([
    '2,3',
    'status=Failed&page=1&pageSize=100',
  ]);
  expect(await ids({ limit: 9, statuses: ['preparing'] })).toEqual(['3', 'page=1&pageSize=100']);
  // Each is asked for, and one that may be both is there once.
  expect(await ids({ limit: 9, statuses: ['failed', 'Succeeded'] })).toEqual([
    '2,3,1',
    'status=Failed&page=1&pageSize=100',
    'status=Succeeded&page=1&pageSize=100',
  ]);
});
