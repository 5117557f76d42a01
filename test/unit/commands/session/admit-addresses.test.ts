// To which hosts the credentials for a state may go.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { admitAddresses } from '../../../../src/commands/session/state/admit-addresses.ts';
import type { DiagnosticError } from '../../../../src/model/errors.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-hosts-'));
});
afterEach(() => rm(directory, { recursive: true }));

const admit = (
  addresses: readonly string[],
  allowed: { readonly allowsOtherState?: boolean; readonly allowsPlainHttp?: boolean } = {},
  source: 'configuration' | 'person' = 'configuration',
) =>
  admitAddresses(allowed, directory, addresses, source).then(
    () => 'admitted',
    (error: unknown) => (error as DiagnosticError).diagnostics[0]?.code,
  );

test('they go where they went first, and nowhere else', async () => {
  expect(await admit(['https://a.example/s', 'https://a.example/lock'])).toBe('admitted');
  expect(await admit(['https://a.example/other'])).toBe('admitted');
  expect(await admit(['https://b.example/s'])).toBe('other-state-host');
  // One of several is enough, and another port is another host.
  expect(await admit(['https://a.example/s', 'https://b.example/s'])).toBe('other-state-host');
  expect(await admit(['https://a.example:8443/s'])).toBe('other-state-host');
  expect(await admit(['http://127.0.0.1:9/s'])).toBe('other-state-host');
});

test('a person may allow another one, which is remembered', async () => {
  await admit(['https://a.example']);
  expect(await admit(['https://b.example'], { allowsOtherState: true })).toBe('admitted');
  expect(await admit(['https://c.example'], {}, 'person')).toBe('admitted');
  expect(await admit(['https://b.example', 'https://c.example', 'https://a.example'])).toBe(
    'admitted',
  );
});

test('nothing travels without encryption beyond this machine', async () => {
  expect(await admit(['http://a.example'])).toBe('state-plain-http');
  expect(await admit(['http://a.example'], {}, 'person')).toBe('state-plain-http');
  expect(await admit(['http://127.0.0.1:9', 'http://[::1]:9', 'http://localhost'])).toBe(
    'admitted',
  );
  expect(await admit(['http://a.example'], { allowsPlainHttp: true, allowsOtherState: true })).toBe(
    'admitted',
  );
});
