// What version 0.1 has written into each backend, in the middle of an apply: it is read for ever, and what has drifted from
// it shows in each plan.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import { openGitBackend } from '../../../src/state/backends/git/open-git-backend.ts';
import { openHttpBackend } from '../../../src/state/backends/http/open-http-backend.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openS3Backend } from '../../../src/state/backends/s3/open-s3-backend.ts';
import { forceUnlock, readStateLockHolder } from '../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../src/state/store.ts';
import {
  openMemoryGit,
  openMemoryRemote,
  openMemoryRepository,
} from '../../support/backends/git-double.ts';
import { openHttpStateDouble } from '../../support/backends/http-state-double.ts';
import {
  answerAsPostgres,
  openTables,
  schema,
  type PostgresTables,
} from '../../support/backends/postgres-double.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { openS3Double } from '../../support/backends/s3-double.ts';
import { readCase } from '../../support/golden-case.ts';
import { changeLines, checkedPlanOf } from '../../support/plan-lines.ts';

const folder = 'test/contract/backends/fixtures/format-2';
const clock = openQuickClock();
const readFixture = async <T>(name: string) =>
  JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as T;

type Texts = Readonly<Record<string, string>>;
type TableRow = PostgresTables['states'] extends Map<string, infer R> ? R : never;

async function openLocal(): Promise<StateBackend> {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-former-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(await readFixture<Texts>('local'))) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return openLocalBackend(directory);
}

async function openPostgres(): Promise<StateBackend> {
  const { states, texts } = await readFixture<{
    readonly states: readonly (TableRow & { readonly name: string })[];
    readonly texts: readonly { state: string; name: string; part: number; text: string }[];
  }>('postgres');
  const tables = { ...openTables(), isMade: true };
  for (const { name, ...row } of states) tables.states.set(name, row);
  for (const { state, name, part, text } of texts) {
    const files = tables.texts.get(state) ?? new Map<string, Map<number, string>>();
    tables.texts.set(
      state,
      files.set(name, (files.get(name) ?? new Map<number, string>()).set(part, text)),
    );
  }
  const openPool = () =>
    Promise.resolve({
      query: (statement: string, values: readonly (string | number | null)[]) =>
        Promise.resolve({ rows: answerAsPostgres(tables, statement, values, clock.now()) }),
      end: () => Promise.resolve(),
    });
  return openPostgresBackend({ schema, name: 'shop', database: 'memory', openPool, clock });
}

async function openS3(): Promise<StateBackend> {
  const double = await openS3Double();
  const network = openLazyNetwork({}, { maxConnections: 8 });
  onTestFinished(() => (network.close(), double.close()));
  for (const [key, text] of Object.entries(await readFixture<Texts>('s3'))) {
    double.objects.set(key, { text, etag: `"${key}"`, at: new Date(0) });
  }
  const { endpoint, bucket, region, keys: credentials } = double;
  const place = { endpoint, bucket, region, credentials, key: 'shop', isPathStyle: true };
  return openS3Backend({ ...place, exchange: network.exchange, clock });
}

async function openHttp(): Promise<StateBackend> {
  const double = await openHttpStateDouble();
  const network = openLazyNetwork({}, { maxConnections: 8 });
  onTestFinished(() => (network.close(), double.close()));
  const { latest, lock } = await readFixture<{ latest: string; lock: object }>('http');
  const { address } = double;
  await fetch(`${address}/lock`, { method: 'LOCK', body: JSON.stringify(lock) });
  double.put(latest);
  return openHttpBackend({ address, exchange: network.exchange, clock, warn: () => undefined });
}

async function openGit(): Promise<StateBackend> {
  const remote = openMemoryRemote();
  const idOf = (text: string) => Buffer.from(text).toString('hex').padEnd(40, '0').slice(-40);
  for (const [ref, texts] of Object.entries(await readFixture<Record<string, Texts>>('git'))) {
    const blobs = Object.entries(texts).map(([path, text]) => {
      remote.objects.set(idOf(path), { kind: 'blob', text: Buffer.from(text) });
      return [path, idOf(path)] as const;
    });
    const files = new Map(blobs);
    remote.objects.set(idOf(ref), { kind: 'commit', parent: undefined, files });
    remote.refs.set(ref, idOf(ref));
  }
  const repository = openMemoryRepository(openMemoryGit(remote));
  const place = { directory: '/', env: {}, branch: 'hostwright-state', clock };
  return openGitBackend({ ...place, repository });
}

describe.each(Object.entries({ openLocal, openPostgres, openS3, openHttp, openGit }))(
  'format 2, %s',
  (name, open) => {
    test('is read, with its journal and its lock, and shows what has drifted', async () => {
      const backend = await open();
      const holder = await readStateLockHolder(backend.lock);
      // A generic state server tells only a run that it refuses.
      if (name !== 'openHttp') expect(holder?.info.Who).toBe('anna@runner-1');
      const store = await openStateStore(backend, { isReadOnly: true });
      const { state } = store;
      expect(state.pending.get('projects.shop.vms.db')).toMatchObject({
        acceptedAt: 1767225645826,
      });
      const plan = checkedPlanOf({ ...(await readCase(folder)), state });
      expect(changeLines(plan)).toEqual([
        'replace shop.publicIps.edge.forwards.web: protocol!',
        'rebuild shop.vms.web: name, image!, networks, power',
      ]);
      expect(plan.drift?.map(({ address, names }) => [address, names])).toEqual([
        ['projects.shop.publicIps.edge.forwards.web', ['protocol']],
        ['projects.shop.sshKeys.alice', ['fingerprint']],
        ['projects.shop.vms.web', ['image', 'internalIp', 'name', 'networks', 'power']],
      ]);
      const codes = plan.findings.map(({ code }) => code);
      expect(codes.filter((code) => code.startsWith('name') || code.startsWith('shown'))).toEqual([
        'name-normalised',
      ]);
      await store.close();
      if (holder) await forceUnlock(backend.lock, holder.info.ID);
      await backend.close();
    });
  },
);
