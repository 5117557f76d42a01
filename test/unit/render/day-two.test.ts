import { expect, test } from 'vitest';
import type { AccessToken, Notification, Sale } from '../../../src/model/account/account.ts';
import {
  findDisplacedBackup,
  type Backup,
  type OperationWithAddresses,
  type EndedVmOperation,
  type EndedVmOperations,
} from '../../../src/model/account/vm-work.ts';
import {
  renderAccountJson,
  renderAccountText,
  renderSaleJson,
  renderSalesJson,
  renderSalesText,
  renderSaleText,
} from '../../../src/render/account/account-text.ts';
import {
  describeBackup,
  renderBackupsJson,
  renderBackupsText,
} from '../../../src/render/account/backups-text.ts';
import {
  renderVmMetricsJson,
  renderVmMetricsText,
} from '../../../src/render/account/metrics-text.ts';
import {
  formatAge,
  formatDay,
  formatTime,
  formatIsoTime,
} from '../../../src/render/format/moment.ts';
import {
  renderNotificationsJson,
  renderNotificationsText,
  renderNotificationPreferencesJson,
  renderNotificationPreferencesText,
  renderUnreadNotificationsJson,
  renderUnreadNotificationsText,
} from '../../../src/render/account/notifications-text.ts';
import {
  renderOperationsJson,
  renderOperationsText,
} from '../../../src/render/account/operations-text.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';
import {
  renderCreatedAccessTokenJson,
  renderAccessTokenJson,
  renderAccessTokensJson,
  renderAccessTokensText,
  renderAccessTokenText,
} from '../../../src/render/account/tokens-text.ts';
import {
  renderVmCommandResultsJson,
  renderVmCommandStart,
  renderVmCommandProgress,
  renderVmCommandResultsText,
} from '../../../src/render/account/vm-work-text.ts';

const style = createAnsiStyle(false);
const layout = { columns: 80, style };
const now = Date.UTC(2026, 10, 21, 12);
const iso = '2026-11-21T12:00:00.000Z';
const web = 'projects.shop.vms.web[0]';
const backup = (id: string, minutesAgo: number | null, more: Partial<Backup> = {}): Backup => ({
  id,
  status: 'active',
  createdAt: minutesAgo === null ? null : now - minutesAgo * 60_000,
  size: 16,
  sourceImageId: 'img-1',
  ...more,
});

test('times', () => {
  expect([formatTime(now), formatDay(now), formatIsoTime(now)]).toEqual([
    '2026-11-21 12:00:00 UTC',
    '2026-11-21',
    iso,
  ]);
  expect([formatTime(null), formatDay(null), formatIsoTime(null), formatAge(null, now)]).toEqual([
    '-',
    '-',
    null,
    '-',
  ]);
  expect(
    [-5, 0, 59, 61, 3_700, 90_000].map((seconds) => formatAge(now - seconds * 1000, now)),
  ).toEqual(['0s', '0s', '59s', '1m', '1h', '1d']);
});

test('the oldest of seven backups is the one that goes', () => {
  const seven = [1, 2, 3, 4, 5, 6, 7].map((age) => backup(`b${age}`, age));
  expect(findDisplacedBackup(seven)?.id).toBe('b7');
  expect(findDisplacedBackup(seven.slice(1))).toBeUndefined();
  expect(findDisplacedBackup([...seven, backup('b0', null)])?.id).toBe('b0');
});

test('backups', () => {
  const some = [
    { ...backup('bak-1', 1), ageMs: 90_000_000, sourceImage: 'debian-12' },
    {
      ...backup('bak-2', null, { size: null, sourceImageId: null }),
      ageMs: null,
      sourceImage: null,
    },
  ];
  expect(renderBackupsText(web, some, layout)).toBe(
    [
      `Backups of ${web}:`,
      '  id      created                    age    size   status   image',
      '  bak-1   2026-11-21 11:59:00 UTC   1d1h   16 GB   active   debian-12',
      '  bak-2   -                            -       -   active   -',
      '',
      '2 of at most 7.',
      '',
    ].join('\n'),
  );
  const seven = [1, 2, 3, 4, 5, 6, 7].map((age) => ({
    ...backup(`b${age}`, age),
    ageMs: age * 60_000,
    sourceImage: null,
  }));
  expect(renderBackupsText(web, seven, layout)).toContain('deletes the oldest, b7.');
  expect(renderBackupsText(web, [], layout)).toBe(`${web} has no backups.\n`);
  expect(describeBackup(some[1]!)).toBe('the backup bak-2');
  expect(renderBackupsJson(web, some)).toMatchObject({
    format_version: '1.0',
    backups: [
      { id: 'bak-1', size: 16, sourceImageId: 'img-1', sourceImage: 'debian-12' },
      { createdAt: null, sourceImage: null },
    ],
  });
});

const work = (more: Partial<EndedVmOperation>): EndedVmOperation => ({
  verb: 'stop',
  address: web,
  id: 'vm-1',
  outcome: 'done',
  operation: null,
  backup: null,
  fault: undefined,
  elapsedMs: 12_000,
  ...more,
});

const one = (only: EndedVmOperation): EndedVmOperations => ({ vms: [only], isSeveral: false });

test('the work on several VMs', () => {
  const vms = [work({}), work({ outcome: 'failed' }), work({ outcome: 'skipped' })];
  const several = { vms, isSeveral: true };
  expect(renderVmCommandResultsText(several, layout)).toBe(
    `${web}: stopped after 12s\n${web}: was not stopped, because one before it was not\n1 of 3 VMs stopped.\n`,
  );
  expect(renderVmCommandResultsJson(several)).toMatchObject({
    command: 'vm stop',
    vms: [{ outcome: 'done' }, { outcome: 'failed' }, { outcome: 'skipped' }],
  });
});

test.each<[Partial<EndedVmOperation>, string]>([
  [{}, `${web}: stopped after 12s\n`],
  [
    { verb: 'backup', backup: backup('bak-1', 0) },
    `${web}: backed up after 12s\n  the backup bak-1 of 2026-11-21 12:00:00 UTC (16 GB)\n`,
  ],
  [{ verb: 'backup' }, `${web}: backed up after 12s\n  the backup is not in the list yet\n`],
  [
    { outcome: 'accepted' },
    `${web}: the stop was accepted\n  See how it ends: hostwright operations --resource '${web}'\n`,
  ],
  [{ outcome: 'unchanged' }, `${web}: is stopped already. Nothing was sent.\n`],
  [{ verb: 'start', outcome: 'unchanged' }, `${web}: is running already. Nothing was sent.\n`],
  [{ outcome: 'failed' }, ''],
  [{ outcome: 'unknown' }, ''],
  [{ outcome: 'declined' }, ''],
])('the work %j', (more, expected) =>
  expect(renderVmCommandResultsText(one(work(more)), layout)).toBe(expected),
);

test('work for machines', () => {
  const operation = {
    ...{ id: 'op-1', type: 'Stop', status: 'Failed', resourceId: 'vm-1' },
    ...{ createdAt: now, completedAt: now, failureCode: 'timeout' },
  };
  const fault = { severity: 'error', code: 'operation-failed', summary: 'It failed' } as const;
  expect(renderVmCommandResultsJson(one(work({ outcome: 'failed', operation, fault })))).toEqual({
    format_version: '1.0',
    command: 'vm stop',
    address: web,
    id: 'vm-1',
    outcome: 'failed',
    operation: {
      ...{ id: 'op-1', type: 'Stop', status: 'Failed' },
      ...{ createdAt: iso, completedAt: iso, failureCode: 'timeout' },
    },
    backup: null,
    elapsedMs: 12_000,
    diagnostics: [{ ...fault, detail: '' }],
  });
  expect(renderVmCommandResultsJson(one(work({ backup: backup('bak-1', 0) })))).toMatchObject({
    operation: null,
    backup: { id: 'bak-1', createdAt: iso },
    diagnostics: [],
  });
});

test('work while it goes on', () => {
  const running = { verb: 'backup', address: web, phase: 'running', status: 'InProgress' } as const;
  const waiting = { ...running, phase: 'waiting', status: 'Stop Running\u001b' } as const;
  expect([
    renderVmCommandStart(running, style),
    renderVmCommandProgress(running, 10_000, style),
    renderVmCommandStart(waiting, style),
    renderVmCommandProgress(waiting, 70_000, style),
  ]).toEqual([
    `${web}: Backing up...`,
    `${web}: Still backing up... [10s elapsed] InProgress`,
    `${web}: Waiting for a lock: Stop Running\\u001b...`,
    `${web}: Still waiting for a lock... [1m10s elapsed] Stop Running\\u001b`,
  ]);
});

test('metrics', () => {
  const points = [1, 3, 2].map((value, index) => ({ at: now + index * 60_000, value }));
  const flat = { name: 'ram', unit: '%', points: [{ at: null, value: 5 }] };
  const series = [
    { name: 'cpu', unit: 'percent', points },
    flat,
    { name: 'none', unit: '', points: [] },
  ];
  expect(renderVmMetricsText(web, series, layout)).toBe(
    [
      `Metrics of ${web}:`,
      '        last   least   mean   most   unit',
      '  cpu      2       1      2      3   percent   ▁█▅',
      '  ram      5       5      5      5   %         ▁',
      '',
      'From 2026-11-21 12:00:00 UTC to 2026-11-21 12:02:00 UTC.',
      'The service documents these figures as fixed sample data: they measure nothing.',
      '',
    ].join('\n'),
  );
  expect(renderVmMetricsText(web, series, { columns: 60, style })).not.toContain('▁');
  expect(renderVmMetricsText(web, [flat], layout)).toContain('From - to -.');
  expect(renderVmMetricsText(web, [], layout)).toBe(`The service shows no metrics of ${web}.\n`);
  expect(renderVmMetricsJson(web, [flat])).toMatchObject({
    series: [{ name: 'ram', points: [{ at: null, value: 5 }] }],
  });
});

test('operations', () => {
  const operation: OperationWithAddresses = {
    ...{ id: 'op-1', type: 'Stop', status: 'Succeeded', resourceType: 'vm', resourceId: 'vm-1' },
    ...{ createdAt: now - 60_000, completedAt: now - 50_000, failureCode: null },
    ...{ project: 'projects.shop', address: web },
  };
  const operations = [
    { ...operation, status: 'Running', completedAt: null },
    { ...operation, type: 'CreateBackup', status: 'Failed', failureCode: 'timeout' },
    { ...operation, address: null, resourceType: 'backup', resourceId: 'bak-1' },
    { ...operation, address: null, resourceType: null, resourceId: null, createdAt: null },
  ];
  expect(renderOperationsText(operations, now, layout)).toBe(
    [
      '  age   type           status      took   resource',
      `   1m   Stop           Running        -   ${web}`,
      `   1m   CreateBackup   Failed       10s   ${web}`,
      '         timeout',
      '   1m   Stop           Succeeded    10s   backup bak-1',
      '    -   Stop           Succeeded      -   -',
      '',
    ].join('\n'),
  );
  expect(renderOperationsText([], now, layout)).toBe('There are no such operations.\n');
  expect(renderOperationsJson([operation])).toEqual({
    format_version: '1.0',
    operations: [
      {
        ...operation,
        createdAt: '2026-11-21T11:59:00.000Z',
        completedAt: '2026-11-21T11:59:10.000Z',
      },
    ],
  });
});

const token: AccessToken = {
  ...{ id: 'tok-1', name: 'ci', scopes: ['read', 'compute'] },
  ...{ expiresAt: now + 86_400_000, createdAt: now, lastUsedAt: null },
};

test('tokens', () => {
  const over = { ...token, id: 'tok-2', name: 'x'.repeat(40), expiresAt: now - 1, lastUsedAt: now };
  const lasting = { ...token, id: 'tok-3', name: 'evil\u202e', expiresAt: null };
  expect(renderAccessTokensText([token, over, lasting], now, layout)).toBe(
    [
      '  name                       id      scopes          expires             last used',
      '  ci                         tok-1   read, compute   2026-11-22          never',
      `  ${'x'.repeat(23)}…   tok-2   read, compute   2026-11-21 (over)   0s ago`,
      '  evil\\u202e                 tok-3   read, compute   never               never',
      '',
    ].join('\n'),
  );
  expect(renderAccessTokensText([], now, layout)).toContain('no access tokens');
  expect(renderAccessTokenText('Made', token)).toBe(
    'Made the access token ci (tok-1)\n  scopes read, compute; expires 2026-11-22 12:00:00 UTC\n',
  );
  expect(renderAccessTokenText('Revoked', lasting)).toContain('never expires');
  const json = { ...token, expiresAt: '2026-11-22T12:00:00.000Z', createdAt: iso };
  expect(renderAccessTokensJson([token])).toEqual({ format_version: '1.0', tokens: [json] });
  expect(renderAccessTokenJson(token, 'declined')).toEqual({
    format_version: '1.0',
    outcome: 'declined',
    token: json,
  });
  const created = { token, value: 'secret' };
  expect(renderCreatedAccessTokenJson(created, undefined)).toMatchObject({ value: 'secret' });
  expect(JSON.stringify(renderCreatedAccessTokenJson(created, 'f'))).not.toContain('secret');
});

test('notifications', () => {
  const one: Notification = {
    ...{ id: 'ntf-1', type: 'operationFailed', title: 'Stop failed', message: 'Why: internal.' },
    ...{ resourceId: 'vm-1', isRead: false, createdAt: now },
  };
  const feed = [one, { ...one, id: 'ntf-2', isRead: true, message: '' }];
  expect(renderNotificationsText(feed, 1, now, layout)).toBe(
    [
      '  age     title         id',
      '   0s   * Stop failed   ntf-1',
      '          Why: internal.',
      '   0s     Stop failed   ntf-2',
      '',
      '1 unread. Mark all as read: hostwright notifications read --all',
      '',
    ].join('\n'),
  );
  expect(renderNotificationsText(feed, 0, now, layout)).toMatch(/\n0 unread\.\n$/);
  expect(renderNotificationsText(feed, null, now, layout)).toMatch(/ntf-2\n$/);
  expect(renderNotificationsText([], 0, now, layout)).toBe(
    'There are no notifications. 0 unread.\n',
  );
  expect(renderNotificationsText([], null, now, layout)).toBe('There are no notifications.\n');
  expect(renderNotificationsJson([one], null)).toMatchObject({
    unread: null,
    notifications: [{ id: 'ntf-1', isRead: false, createdAt: iso }],
  });
  expect([renderUnreadNotificationsText(3), renderUnreadNotificationsText(null)]).toEqual([
    'Marked as read. 3 unread.\n',
    'Marked as read.\n',
  ]);
  expect(renderUnreadNotificationsJson(3)).toEqual({ format_version: '1.0', unread: 3 });
  const preferences = { quotaLow: true, operationFailed: false };
  expect(renderNotificationPreferencesText(preferences, layout)).toBe(
    '  notification      by email\n  quotaLow          true\n  operationFailed   false\n',
  );
  expect(renderNotificationPreferencesJson(preferences)).toEqual({
    format_version: '1.0',
    preferences,
  });
});

test('the account and its sales', () => {
  const account = { email: 'a@b.c', locale: 'en-GB', createdAt: now, service: 'http://x/v1' };
  expect(renderAccountText(account, layout)).toBe(
    '  service   http://x/v1\n  email     a@b.c\n  locale    en-GB\n  since     2026-11-21\n',
  );
  expect(renderAccountJson(account)).toEqual({
    ...{ format_version: '1.0', email: 'a@b.c', locale: 'en-GB', createdAt: iso },
  });
  const sale: Sale & { address: string | null } = {
    ...{ id: 'sale-1', resourceType: 'vm', resourceId: 'vm-1', tariffId: 'trf' },
    ...{ renewal: 'active', paidUntil: now, address: web },
  };
  const other = { ...sale, id: 'sale-2', renewal: 'cancelled', paidUntil: null, address: null };
  expect(renderSalesText([sale, other], layout)).toBe(
    [
      '  paid until   renewal     id       resource',
      `  2026-11-21   active      sale-1   ${web}`,
      '  -            cancelled   sale-2   vm vm-1',
      '',
    ].join('\n'),
  );
  expect(renderSalesText([], layout)).toBe('The account has no sales.\n');
  expect(renderSaleText(sale, 'done')).toBe(
    `${web}: renews\n  paid until 2026-11-21 12:00:00 UTC\n`,
  );
  expect(renderSaleText(other, 'unchanged')).toBe(
    'vm vm-1: renewal cancelled, as it was already\n  paid until -\n',
  );
  expect(renderSalesJson([sale])).toMatchObject({ sales: [{ address: web, paidUntil: iso }] });
  expect(renderSaleJson(other, 'declined')).toMatchObject({
    outcome: 'declined',
    sale: { id: 'sale-2', address: null },
  });
});
