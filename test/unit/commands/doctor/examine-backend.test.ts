// What `doctor` says of a backend on another machine: how far away it is, whether its clock is right, whether it keeps what
// is written, and whether it refuses a run that has lost its lock.
import { describe, expect, onTestFinished, test } from 'vitest';
import { examineBackend } from '../../../../src/commands/doctor/examine-backend.ts';
import type { DatabaseResultRow } from '../../../../src/state/backends/postgres/database.ts';
import { openPostgresBackend } from '../../../../src/state/backends/postgres/postgres.ts';
import { openHttpSetup } from '../../../support/backends/http-setup.ts';
import type { DoubleOptions } from '../../../support/backends/http-state-double.ts';
import {
  answerAsPostgres,
  openTables,
  schema,
  SqlError,
} from '../../../support/backends/postgres-double.ts';

type Answer = (
  rows: readonly DatabaseResultRow[],
  statement: string,
) => readonly DatabaseResultRow[];

const pass: Answer = (rows) => rows;
const farMs = 12;

/** A database whose answers are changed on the way. */
async function examine(options: {
  readonly answer?: Answer;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
  readonly isHeld?: boolean;
}) {
  const { answer = pass, aheadMs = 0, isHeld = false } = options;
  const tables = openTables();
  let now = Date.UTC(2026, 10, 24);
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const backend = openPostgresBackend({
    ...{ schema, name: 'shop', database: 'db.example.com/infra', clock },
    openPool: () =>
      Promise.resolve({
        query: (statement: string, values: readonly (string | number | null)[]) => {
          now += farMs;
          const rows = answerAsPostgres(tables, statement, values, now + aheadMs);
          return Promise.resolve({ rows: answer(rows, statement) });
        },
        end: () => Promise.resolve(),
      }),
  });
  const process_ = { pid: process.pid, host: 'here', user: 'me' };
  const runtime = { clock, process: process_ };
  const found = await examineBackend(runtime, backend, isHeld);
  const texts = [...tables.texts.values()].flatMap((files) => [...files.keys()]);
  return { found, texts, lockId: tables.states.get('shop')?.lock_id ?? null };
}

const isWrite = (statement: string) => statement.startsWith('WITH held');
const place = 'PostgreSQL at db.example.com/infra, schema hostwright, state shop';

describe('a backend', () => {
  test('that does what it promises is in order, and nothing is left there', async () => {
    const { found, texts, lockId } = await examine({});
    expect(found).toEqual([
      { name: 'backend', outcome: 'ok', summary: `${place}: answers within 12 ms` },
    ]);
    expect({ texts, lockId }).toEqual({ texts: [], lockId: null });
  });

  test.each([
    [45_000, '45 s ahead of'],
    [-90_000, '90 s behind'],
  ])('whose clock is %i ms ahead: a warning', async (aheadMs, words) => {
    const { found } = await examine({ aheadMs });
    expect(found.map(({ outcome }) => outcome)).toEqual(['ok', 'warning']);
    expect(found[1]?.summary).toBe(`Its clock is ${words} this machine's`);
  });

  test('that loses what it is given is a failure', async () => {
    const { found } = await examine({
      answer: (rows, statement) => (statement.startsWith('SELECT text') ? [] : rows),
    });
    expect(found.at(-1)).toMatchObject({ outcome: 'failure', code: 'state-not-written' });
  });

  test('that takes what is written without the lock is a failure', async () => {
    const { found } = await examine({
      answer: (rows, statement) => (isWrite(statement) ? [{ held: '1' }] : rows),
    });
    expect(found.at(-1)).toMatchObject({ outcome: 'failure', code: 'state-not-fenced' });
  });

  test('that refuses is a failure in its own words', async () => {
    const { found } = await examine({
      answer() {
        throw new SqlError('28P01', 'password authentication failed');
      },
    });
    expect(found).toMatchObject([{ outcome: 'failure', code: 'state-backend' }]);
    expect(found[0]?.detail).toContain('password authentication failed');
  });

  test('whose lock somebody holds is not written to', async () => {
    let writes = 0;
    const { found } = await examine({
      isHeld: true,
      answer(rows, statement) {
        writes += Number(isWrite(statement));
        return rows;
      },
    });
    expect(found.map(({ outcome }) => outcome)).toEqual(['ok', 'skipped']);
    expect(writes).toBe(0);
  });
});

describe('a state server', () => {
  const examineServer = async (options: DoubleOptions) => {
    const setup = await openHttpSetup(options);
    onTestFinished(() => setup.close());
    const clock = { now: Date.now, sleep: () => Promise.resolve() };
    const process_ = { pid: process.pid, host: 'here', user: 'me' };
    const runtime = { clock, process: process_ };
    const found = await examineBackend(runtime, setup.openBackend(), false);
    return { setup, found: found.map(({ outcome, code }) => code ?? outcome) };
  };

  test.each(['terraform', 'gitlab', 'gitea'] as const)(
    'of %s is sent a write under a lock that was released, and refuses it',
    async (flavour) => {
      const { found, setup } = await examineServer({ flavour });
      expect(found).toEqual(['ok']);
      expect(setup.double.heard.at(-1)).toMatchObject({ method: 'POST', isLock: false });
      expect(setup.double.heard.at(-1)?.status).not.toBe(200);
    },
  );

  test('that takes it is named, and what is there stays as it is', async () => {
    const { found, setup } = await examineServer({ isLax: true });
    expect(found).toEqual(['ok', 'state-takes-late']);
    const [latest, before] = setup.double.heard.filter(({ method }) => method === 'POST').reverse();
    expect(latest?.body).toBe(before?.body);
    expect(setup.double.lock).toBeUndefined();
  });
});
