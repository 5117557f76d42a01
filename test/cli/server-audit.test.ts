// The audit log: an entry for each act, in the same transaction, in one order, and nobody changes it unseen.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adoptServerKey } from '../../src/server/access/confirm-key.ts';
import { openServerKeyring } from '../../src/server/secrets/keyring.ts';
import {
  firstPreviousHash,
  hashAuditEntry,
  serverActor,
  type AuditActor,
  type AuditEntry,
} from '../../src/server/audit/audit-entry.ts';
import { verifyAuditLog } from '../../src/server/audit/verify-audit.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { openServerDatabase } from '../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../src/server/store/store.ts';
import { openPagesRig, origin, serverKey, type PagesRig } from '../support/server/pages-rig.ts';
import { silentRuntime } from '../support/silent-runtime.ts';

const commit = 'c'.repeat(40);
const secret = 'a value to hide';

let rig: PagesRig;

async function call(method: string, path: string, body?: object, token = rig.adminToken) {
  const response = await rig.send(method, path, { token, body, address: '192.0.2.7' });
  return { status: response.status, text: await response.text() };
}

async function readEntries(query = ''): Promise<readonly AuditEntry[]> {
  const { text } = await call('GET', `/api/v1/audit${query}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as AuditEntry);
}

/** The entries that something makes. */
async function watch(work: () => Promise<unknown>): Promise<readonly AuditEntry[]> {
  const before = (await readEntries()).at(-1)?.seq ?? 0;
  await work();
  return readEntries(`?after=${before}`);
}

const workspace = (name: string) => ({
  ...{ name, repository: 'https://git.example.com/acme/a.git' },
  variables: { HOSTWRIGHT_TOKEN: secret },
});

beforeAll(async () => {
  rig = await openPagesRig();
  await call('POST', '/api/v1/workspaces', workspace('shop'));
});

afterAll(() => rig.close());

describe('an act', () => {
  it.each([
    ['POST', '/api/v1/workspaces', workspace('more'), 'workspace.create', 'workspace/more'],
    [
      ...([
        'PATCH',
        '/api/v1/workspaces/shop',
        { variables: { HOSTWRIGHT_TOKEN: secret } },
      ] as const),
      ...(['workspace.edit', 'workspace/shop'] as const),
    ],
    [
      ...(['POST', '/api/v1/runs', { operation: 'plan', workspace: 'shop', commit }] as const),
      ...(['run.plan', 'workspace/shop/run/1'] as const),
    ],
    [
      ...(['POST', '/api/v1/members'] as const),
      { kind: 'token', name: 'ci', expiresInDays: 1, grants: [{ role: 'view' }] },
      ...(['member.create', 'token/ci'] as const),
    ],
    ['DELETE', '/api/v1/sessions', undefined, 'sessions.end', 'sessions'],
  ] as const)('by %s %s has one entry', async (method, path, body, act, target) => {
    const entries = await watch(() => call(method, path, body));
    expect(entries).toMatchObject([
      {
        ...{ act, target, result: 'done' },
        actor: { id: 'administrator', kind: 'administrator', address: '192.0.2.7' },
      },
    ]);
    expect(findAnswerFaults('GET', '/api/v1/audit', { status: 200, body: entries[0] })).toEqual([]);
    expect(JSON.stringify(entries)).not.toMatch(/a value to hide|hwt_|hws_/);
  });

  it('on a member and on a run has one entry each, with what it was before', async () => {
    const [member] = await rig.store.members.list();
    const path = `/api/v1/members/${member?.id ?? ''}`;
    const [edited] = await watch(() => call('PATCH', path, { grants: [{ role: 'plan' }] }));
    expect(JSON.parse(edited?.detail ?? '')).toMatchObject({
      ...{ before: [{ role: 'view' }], grants: [{ role: 'plan' }] },
    });
    expect(await watch(() => call('DELETE', path))).toMatchObject([{ act: 'member.remove' }]);
    const [run] = await rig.store.runs.list('shop', 1);
    const cancel = () => call('POST', `/api/v1/runs/${run?.id ?? ''}/cancel`);
    expect(await watch(cancel)).toMatchObject([{ act: 'run.cancel', result: 'done' }]);
    expect(await watch(cancel)).toMatchObject([{ result: 'refused', detail: '{"status":409}' }]);
    const retry = () => call('POST', `/api/v1/runs/${run?.id ?? ''}/retry`);
    expect(await watch(retry)).toMatchObject([{ act: 'run.plan', result: 'done' }]);
  });

  it('that is refused has an entry, and changes nothing else', async () => {
    const { token = '' } = (await rig.store.members.addToken('weak', 1)) ?? {};
    const weak = await watch(() => call('POST', '/api/v1/workspaces', workspace('no'), token));
    expect(weak).toMatchObject([
      { act: 'POST /api/v1/workspaces', result: 'refused', actor: { kind: 'token', name: 'weak' } },
    ]);
    expect(await watch(() => call('POST', '/api/v1/workspaces', workspace('shop')))).toMatchObject([
      { result: 'refused', detail: '{"status":409}' },
    ]);
  });

  it('that cannot be written down does not happen', async () => {
    await rig.ask('ALTER TABLE hostwright_server.audit RENAME TO away');
    const { status } = await call('POST', '/api/v1/workspaces', workspace('unseen'));
    await rig.ask('ALTER TABLE hostwright_server.away RENAME TO audit');
    expect(status).toBe(500);
    expect(await rig.store.workspaces.find('unseen')).toBeUndefined();
  });

  it('that fails leaves no entry that says it was done', async () => {
    const actor: AuditActor = { id: 'a', kind: 'person', name: 'a', address: '' };
    const entries = await watch(async () => {
      const work = () => Promise.reject(new Error('on purpose'));
      const recorded = rig.store.audit.record(actor, work, () => ({ act: 'x', target: 'y' }));
      await expect(recorded).rejects.toThrow('on purpose');
    });
    expect(entries).toEqual([]);
  });
});

describe('strangers', () => {
  it('have entries for wrong tokens, and not without end', async () => {
    const statuses: number[] = [];
    const entries = await watch(async () => {
      for (let count = 0; count < 15; count += 1)
        statuses.push((await call('GET', '/api/v1/runs', undefined, `hwt_wrong${count}`)).status);
    });
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]);
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({ result: 'refused', actor: { kind: 'stranger' } });
    expect(JSON.stringify(entries)).not.toContain('wrong');
    // Whoever has a token is not kept out by others at the same address.
    expect((await call('GET', '/api/v1/runs')).status).toBe(200);
  });

  it('have entries for signing in, and so have people', async () => {
    const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
    const enter = (token: string) =>
      rig.app.fetch(
        new Request(`${origin}/sign-in`, {
          method: 'POST',
          headers: { ...own, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ token }).toString(),
        }),
        { address: '192.0.2.8' },
      );
    expect(await watch(() => enter('hws_other') as Promise<unknown>)).toMatchObject([
      { act: 'sign-in', result: 'refused', actor: { kind: 'stranger', address: '192.0.2.8' } },
    ]);
    expect(await watch(() => enter(rig.adminToken) as Promise<unknown>)).toMatchObject([
      { act: 'sign-in', result: 'done', actor: { kind: 'administrator' } },
    ]);
  });
});

describe('the chain', () => {
  const verify = (key = serverKey, before = '') => {
    const env = { HOSTWRIGHT_SERVER_KEY: key, HOSTWRIGHT_SERVER_KEY_PREVIOUS: before };
    return verifyAuditLog({ ...silentRuntime, env }, rig.databaseUrl);
  };
  const broken = (seq: number, said: string) => ({
    diagnostics: [
      {
        code: 'server-audit-broken',
        summary: `The audit log is broken at entry ${seq}`,
        detail: expect.stringContaining(said) as string,
      },
    ],
  });
  /** What somebody does who has the database, and no key; undone afterwards. */
  const tamper = async (statements: readonly string[], work: () => Promise<unknown>) => {
    const tables = ['audit', 'audit_keys'];
    const lock = 'ALTER TABLE hostwright_server.audit';
    for (const one of tables)
      await rig.ask(`CREATE TABLE kept_${one} AS SELECT * FROM hostwright_server.${one}`);
    await rig.ask(`${lock} DISABLE TRIGGER audit_is_append_only`);
    for (const statement of statements) await rig.ask(statement);
    await work();
    for (const one of tables) {
      await rig.ask(`DELETE FROM hostwright_server.${one}`);
      await rig.ask(`INSERT INTO hostwright_server.${one} SELECT * FROM kept_${one}`);
      await rig.ask(`DROP TABLE kept_${one}`);
    }
    await rig.ask(`${lock} ENABLE TRIGGER audit_is_append_only`);
    expect((await verify()).count).toBeGreaterThan(10);
  };
  /** All entries from one on written anew, as whole as whoever has no key can make them. */
  const rewrite = async (from: number, keyId: string | undefined) => {
    const all = await readEntries();
    let previous = all[from - 2]?.hash ?? firstPreviousHash;
    return all.slice(from - 1).map((entry) => {
      const key = keyId ?? entry.key;
      const made = { ...entry, key, previous, actor: { ...entry.actor, name: 'nobody' } };
      const hash = hashAuditEntry(made, key === '' ? undefined : Buffer.from('guessed'));
      const set = `actor_name = 'nobody', key_id = '${key}', previous = '\\x${previous}', hash = '\\x${hash}'`;
      previous = hash;
      return `UPDATE hostwright_server.audit SET ${set} WHERE seq = ${entry.seq}`;
    });
  };

  it('is in one order, whoever adds at the same time', async () => {
    const add = (index: number) =>
      rig.store.audit.append(
        { id: `a${index}`, kind: 'token', name: 'many', address: '' },
        { act: 'test', target: '', result: 'done' },
      );
    const entries = await watch(() => Promise.all(Array.from({ length: 40 }, (_, n) => add(n))));
    expect(new Set(entries.map(({ actor }) => actor.id)).size).toBe(40);
    const all = await readEntries();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    const end = { count: all.length, hash: all.at(-1)?.hash, unkeyed: 0 };
    expect(await verify()).toEqual(end);
  });

  it('is computed with a key that each entry names, and read from its end', async () => {
    const all = await readEntries();
    const { id, key } = openServerKeyring([serverKey]).auditKey;
    for (const entry of all)
      expect([entry.key, hashAuditEntry(entry, key)]).toEqual([id, entry.hash]);
    const newest = await readEntries('?newest=2');
    expect(newest).toEqual([all.at(-1), all.at(-2)]);
    expect(await readEntries(`?newest=1&before=${newest[0]?.seq ?? 0}`)).toEqual([newest[1]]);
    for (const query of ['?after=x', '?newest=0', '?newest=1001', '?before=-1'])
      expect((await call('GET', `/api/v1/audit${query}`)).status).toBe(422);
  });

  it.each([
    `UPDATE hostwright_server.audit SET actor = 'x'`,
    'DELETE FROM hostwright_server.audit',
    'TRUNCATE hostwright_server.audit',
  ])('is not changed by %s', async (statement) => {
    await expect(rig.ask(statement)).rejects.toThrow('append-only');
  });

  it.each([
    ['changed', `UPDATE hostwright_server.audit SET actor_name = 'nobody' WHERE seq = 3`, 3],
    ['gone', 'DELETE FROM hostwright_server.audit WHERE seq = 2', 2],
    [
      'written anew',
      `UPDATE hostwright_server.audit SET previous = sha256('x'), hash = sha256('y') WHERE seq = 1`,
      1,
    ],
  ])('shows where an entry is %s', (_what, statement, seq) =>
    tamper([statement], () => expect(verify()).rejects.toMatchObject(broken(seq, ''))),
  );

  it.each([
    ['another key', 1, undefined, 'does not match its hash'],
    ['another key under a name of its own', 3, 'mine', 'another key than the server had'],
    ['no key', 1, '', 'The entry has no key'],
    ['no key, behind entries with one', 3, '', 'The entry has no key'],
  ])('shows that it was written anew with %s', async (_what, from, key, said) =>
    tamper(await rewrite(from, key), () =>
      expect(verify()).rejects.toMatchObject(broken(from, said)),
    ),
  );

  it('is not taken for one of before there were keys where the keys are removed', async () => {
    const gone = 'DELETE FROM hostwright_server.audit_keys';
    await tamper([gone, ...(await rewrite(1, ''))], () =>
      expect(verify()).rejects.toMatchObject({ diagnostics: [{ code: 'server-audit-unkeyed' }] }),
    );
  });

  it('is told to begin without keys where it was begun by an older version', async () => {
    const keys = 'DELETE FROM hostwright_server.audit_keys';
    await tamper([keys, ...(await rewrite(1, ''))], async () => {
      await adoptServerKey(rig.store);
      const { count } = await verify();
      await watch(() => call('DELETE', '/api/v1/sessions'));
      expect(await verify()).toMatchObject({ count: count + 1, unkeyed: count });
    });
  });

  it('stays one where the key is rotated, and takes no entry of the old key after that', async () => {
    const other = 'another key of a server, for tests alone';
    const { length } = await readEntries();
    const database = await openServerDatabase(rig.databaseUrl);
    const open = (...keys: string[]) => assembleServerStore(database, openServerKeyring(keys));
    const add = (to: ServerStore) =>
      to.audit.append(serverActor, { act: 'a', target: '', result: 'done' });
    await tamper([], async () => {
      const rotated = open(other, serverKey);
      await adoptServerKey(rotated);
      await add(rotated);
      expect(await verify(other)).toMatchObject({ count: length + 1, unkeyed: 0 });
      await add(open(serverKey));
      await expect(verify(other)).rejects.toMatchObject(broken(length + 2, 'another key'));
      await adoptServerKey(open(serverKey, other));
    });
    await database.close();
  });
});
