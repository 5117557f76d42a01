// Approvals of saved plans: who counts, what closes a plan, and what they let happen.
import { silentRuntime } from '../support/silent-runtime.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/server/audit/audit-entry.ts';
import { transferPlanApprovals } from '../../src/server/runs/carry-approvals.ts';
import type { Role } from '../../src/server/people/roles.ts';
import { findAnswerFaults } from '../support/server/check-answer.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';
import { expectWords } from '../support/expect-words.ts';

const commit = 'c'.repeat(40);
const here = { address: '192.0.2.1' };

let rig: PagesRig;
let tokens: Readonly<Record<'ada' | 'bob' | 'eve' | 'applier', string>>;

async function call(token: string, method: string, path: string, body?: object) {
  const response = await rig.send(method, path, { token, body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function makeToken(name: string, role: Role): Promise<string> {
  const made = await rig.store.members.addToken(name, 1);
  await rig.store.members.grant(made?.member.id ?? '', [{ role: 'plan' }, { role }]);
  return made?.token ?? '';
}

/** A workspace that wants approvals, and a plan of it that ada started. */
async function openPlan(name: string, rule: object) {
  const repository = 'https://git.example.com/acme/a.git';
  const made = await call(rig.adminToken, 'POST', '/api/v1/workspaces', {
    name,
    repository,
    ...rule,
  });
  expect(made.status).toBe(201);
  return plan(name);
}

/** A plan with changes that has succeeded. */
async function plan(workspace: string): Promise<string> {
  const asked = { operation: 'plan', workspace, commit };
  const { body } = await call(tokens.ada, 'POST', '/api/v1/runs', asked);
  const id = String(body.id);
  const blob = await rig.store.blobs.add(Buffer.from('a plan'));
  await rig.ask(
    `UPDATE hostwright_server.runs SET status = 'succeeded', has_changes = true, plan_file = $2, ended_at = now(),
       changes = '[{ "address": "a", "action": "create" }]' WHERE id = $1`,
    [id, blob],
  );
  await rig.ask(
    `INSERT INTO hostwright_server.run_reports (run, page, summary, quotas) VALUES ($1, $2, '{ "add": 1 }', '[]')`,
    [id, blob],
  );
  return id;
}

const memberOf = async (name: string) =>
  (await rig.store.members.list()).find((one) => one.name === name)?.id;
const say = (who: keyof typeof tokens, id: string, decision: string, comment = '') =>
  call(tokens[who], 'POST', `/api/v1/runs/${id}/approvals`, { decision, comment });
const apply = (id: string, token = tokens.applier) =>
  call(token, 'POST', '/api/v1/runs', { operation: 'apply', plan: id });
const stateOf = async (id: string) =>
  (await call(tokens.bob, 'GET', `/api/v1/runs/${id}/approvals`)).body.state;

beforeAll(async () => {
  rig = await openPagesRig();
  tokens = {
    ada: await makeToken('ada', 'approve'),
    bob: await makeToken('bob', 'approve'),
    eve: await makeToken('eve', 'approve'),
    applier: await makeToken('applier', 'apply'),
  };
});

afterAll(() => rig.close());

describe('a plan that needs two approvals', () => {
  it('is applied once two have said yes who did not start it', async () => {
    const id = await openPlan('two', { approvals: { count: 2 } });
    const none = await apply(id);
    expect([none.status, none.body.detail]).toEqual([409, 'The plan has 0 of 2 approvals.']);
    expect((await say('ada', id, 'yes')).body).toMatchObject({ state: 'waiting', given: 0 });
    const first = await say('bob', id, 'yes', 'fine');
    expect(first.body).toMatchObject({ state: 'waiting', given: 1, needed: 2 });
    const path = `/api/v1/runs/${id}/approvals`;
    expect(findAnswerFaults('POST', path, first)).toEqual([]);
    expect((await say('bob', id, 'yes')).body).toMatchObject({ given: 1 });
    expect((await apply(id, rig.adminToken)).status).toBe(409);
    expect((await say('eve', id, 'yes')).body).toMatchObject({ state: 'approved', given: 2 });
    expect((await apply(id, tokens.bob)).status).toBe(403);
    const applied = await apply(id);
    expect(applied.status).toBe(201);
    const { status, body } = await apply(id);
    expect([status, body.run]).toEqual([409, applied.body.id]);
    expect(body.detail).toContain('applies this plan already');
    expect((await say('eve', id, 'no')).status).toBe(409);
    expect(await stateOf(id)).toBe('closed');
  });

  it('is not applied after a no, until whoever said it says yes', async () => {
    const id = await openPlan('no', { approvals: { count: 1 } });
    await say('bob', id, 'yes');
    await say('eve', id, 'no', 'not on a Friday');
    expect((await apply(id)).body.detail).toBe('Somebody said no to this plan.');
    expect((await say('bob', id, 'yes')).body).toMatchObject({ state: 'rejected' });
    await say('eve', id, 'yes');
    expect((await apply(id)).status).toBe(201);
  });

  it('counts nobody who has the role no longer, for it or against it', async () => {
    const id = await openPlan('left', { approvals: { count: 1 } });
    const { member, token = '' } = (await rig.store.members.addToken('leaver', 1)) ?? {};
    const leaver = member?.id ?? '';
    const grant = (role: Role) => rig.store.members.grant(leaver, [{ role, workspace: 'left' }]);
    const decide = (decision: string) =>
      call(token, 'POST', `/api/v1/runs/${id}/approvals`, { decision, comment: '' });
    const mark = async () => {
      const { body } = await call(rig.adminToken, 'GET', '/api/v1/overview?search=left');
      return (body.workspaces as { approval?: { given: number; isRejected: boolean } }[])[0]
        ?.approval;
    };
    await grant('approve');
    expect((await decide('yes')).body).toMatchObject({ state: 'approved' });
    await grant('plan');
    expect(await stateOf(id)).toBe('waiting');
    expect(await mark()).toMatchObject({ given: 0 });
    expect((await apply(id)).body.detail).toBe('The plan has 0 of 1 approvals.');
    await grant('approve');
    expect((await decide('no')).body).toMatchObject({ state: 'rejected' });
    await rig.store.members.remove(leaver);
    expect(await stateOf(id)).toBe('waiting');
    expect(await mark()).toMatchObject({ isRejected: false });
  });

  it('is closed by a newer plan, whose approvals are its own', async () => {
    const old = await openPlan('newer', { approvals: { count: 1 } });
    await say('bob', old, 'yes');
    const newer = await plan('newer');
    expect(await stateOf(old)).toBe('closed');
    const { status, body } = await apply(old);
    expect([status, body.detail]).toEqual([409, expect.stringContaining('A newer run')]);
    expect((await say('eve', old, 'yes')).status).toBe(409);
    expect((await apply(newer)).body.detail).toBe('The plan has 0 of 1 approvals.');
  });

  it('is not got around by a retry, by a destroy, or by the author of the plan', async () => {
    const id = await openPlan('around', { approvals: { count: 1 } });
    const destroy = { operation: 'destroy', workspace: 'around', commit };
    expect((await call(rig.adminToken, 'POST', '/api/v1/runs', destroy)).status).toBe(409);
    await say('bob', id, 'yes');
    const { body } = await apply(id);
    await rig.ask(
      `UPDATE hostwright_server.runs SET status = 'failed', ended_at = now() WHERE id = $1`,
      [body.id],
    );
    const retried = await call(tokens.applier, 'POST', `/api/v1/runs/${String(body.id)}/retry`);
    expect(retried).toMatchObject({ status: 201, body: { operation: 'plan', commit } });
    expect((await apply(id)).body.detail).toContain('ended as failed. Plan again.');
  });

  it('stays open while the workspace runs something else', async () => {
    const id = await openPlan('queue', { approvals: { count: 1 } });
    const drift = { operation: 'drift', workspace: 'queue', commit };
    expect((await call(tokens.ada, 'POST', '/api/v1/runs', drift)).status).toBe(201);
    expect((await say('bob', id, 'yes')).body).toMatchObject({ state: 'approved' });
  });

  it('is decided by one of two who say the opposite at once, never half', async () => {
    for (const name of ['race-1', 'race-2', 'race-3']) {
      const id = await openPlan(name, { approvals: { count: 1 } });
      await say('bob', id, 'yes');
      const [applied, rejected] = await Promise.all([apply(id), say('eve', id, 'no')]);
      expect([
        [201, 409],
        [409, 200],
      ]).toContainEqual([applied.status, rejected.status]);
    }
  });
});

describe('a yes that does not count', () => {
  it('is said to whoever started the plan, in the answer and on the page', async () => {
    const id = await openPlan('own', { approvals: { count: 1 } });
    const path = `/api/v1/runs/${id}/approvals`;
    expect((await call(tokens.ada, 'GET', path)).body.note).toBeUndefined();
    const said = await say('ada', id, 'yes');
    expect(said.status).toBe(200);
    expect(findAnswerFaults('POST', path, said)).toEqual([]);
    expect(said.body.note).toBe(
      'Your yes does not count: you started this plan, and this workspace asks for somebody else. 1 approval is missing.',
    );
    expect(said.body.decisions).toMatchObject([{ counts: false, ignored: 'author' }]);
    expect((await say('bob', id, 'yes')).body.note).toBeUndefined();

    const grace = await rig.store.members.meet({ issuer: 'i', subject: 'own', name: 'Grace' }, []);
    const roles = ['plan', 'approve'] as const;
    await rig.store.members.grant(
      grace.id,
      roles.map((role) => ({ role })),
    );
    const other = await plan('own');
    await rig.ask(`UPDATE hostwright_server.runs SET requested_by = $2 WHERE id = $1`, [
      other,
      grace.id,
    ]);
    const secret = await rig.store.sessions.begin('Grace', grace.id);
    const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
    const headers = { ...own, cookie: `hostwright=${secret}` };
    const look = async () =>
      (await rig.app.fetch(new Request(`${origin}/runs/${other}`, { headers }), here)).text();
    const [, formToken = ''] = /name="formToken"\s+value="([^"]+)"/.exec(await look()) ?? [];
    const fields = { formToken, decision: 'yes', comment: '' };
    await rig.app.fetch(
      new Request(`${origin}/runs/${other}/approvals`, {
        ...{ method: 'POST', body: new URLSearchParams(fields).toString() },
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
      here,
    );
    const page = await look();
    expect(page).toContain('Your yes does not count: you started this plan');
    expect(page).toContain('does not count: started the plan');
    expect(page).not.toContain('has the role no longer');
  });

  it('names the role that whoever said it has no longer', async () => {
    const id = await openPlan('lost', { approvals: { count: 1 } });
    const { member, token = '' } = (await rig.store.members.addToken('loser', 1)) ?? {};
    await rig.store.members.grant(member?.id ?? '', [{ role: 'approve' }]);
    const path = `/api/v1/runs/${id}/approvals`;
    await call(token, 'POST', path, { decision: 'yes' });
    await rig.store.members.grant(member?.id ?? '', [{ role: 'view' }]);
    const { body } = await call(token, 'GET', path);
    expect(body.decisions).toMatchObject([{ counts: false, ignored: 'role' }]);
    expect(body.note).toBeUndefined();
  });
});

describe('a yes to an older plan', () => {
  const look = async (id: string) => {
    const secret = await rig.store.sessions.begin('Administrator');
    const headers = { cookie: `hostwright=${secret}` };
    return (await rig.app.fetch(new Request(`${origin}/runs/${id}`, { headers }), here)).text();
  };
  /** Ends a plan that was made after another one, as a worker does. */
  const follow = async (id: string, older: string, isEqual: boolean) => {
    const blob = await rig.store.blobs.add(Buffer.from('["vms.web: after.ram 1 -> 2"]'));
    await rig.ask(
      `UPDATE hostwright_server.run_reports SET compared_with = $2, differences = $3, is_equal = $4 WHERE run = $1`,
      [id, older, blob, isEqual],
    );
    const run = await rig.store.runs.find(id);
    if (!run || !isEqual) return;
    const carried = { from: older, authors: undefined };
    await rig.store.transact(() =>
      transferPlanApprovals({ store: rig.store, runtime: silentRuntime }, run, carried),
    );
  };

  it('is shown with the plan that it was said about, where the newer one is the same', async () => {
    const old = await openPlan('same', { approvals: { count: 1 } });
    await say('eve', old, 'yes');
    await say('bob', old, 'no');
    const newer = await plan('same');
    await follow(newer, old, true);
    const path = `/api/v1/runs/${newer}/approvals`;
    const answer = await call(tokens.bob, 'GET', path);
    expect(findAnswerFaults('GET', path, answer)).toEqual([]);
    const { number } = (await rig.store.runs.find(old)) ?? {};
    expect(answer.body).toMatchObject({
      state: 'rejected',
      decisions: [
        { name: 'eve', ignored: 'unknownCommit', carriedFrom: { id: old, number } },
        { name: 'bob', decision: 'no', counts: true, carriedFrom: { id: old, number } },
      ],
    });
    expect(answer.body.replaced).toBeUndefined();
    const page = await look(newer);
    expectWords(page, `plan #${number}</a>, the same`, 'may have written one of its commits');
    const asked = async (token: string) =>
      (await call(token, 'GET', '/api/v1/overview?search=same')).body.workspaces as {
        approval?: object;
      }[];
    await say('bob', newer, 'yes');
    expect((await asked(tokens.eve))[0]?.approval).toMatchObject({ given: 1 });
    await rig.store.members.grant((await memberOf('bob')) ?? '', []);
    expect((await asked(tokens.eve))[0]?.approval).toMatchObject({ given: 0, isYours: true });
    await rig.store.members.grant((await memberOf('bob')) ?? '', [{ role: 'approve' }]);
  });

  it('is named where the newer plan differs, with the difference open', async () => {
    const old = await openPlan('differs', { approvals: { count: 1 } });
    await say('bob', old, 'yes');
    const newer = await plan('differs');
    await follow(newer, old, false);
    const path = `/api/v1/runs/${newer}/approvals`;
    const answer = await call(tokens.bob, 'GET', path);
    expect(findAnswerFaults('GET', path, answer)).toEqual([]);
    expect(answer.body).toMatchObject({
      state: 'waiting',
      decisions: [],
      replaced: { id: old, approvedBy: ['bob'] },
    });
    const page = await look(newer);
    expectWords(page, 'bob approved', 'so approvals begin anew');
    expect(page).toContain('<details class="compared" open>');
  });
});

describe('a policy that asks for approvals', () => {
  it('is named in the answer and on the page, and in the overview it counts like the rule', async () => {
    const id = await openPlan('policed', {});
    await rig.ask(
      `UPDATE hostwright_server.run_reports SET approvals_needed = 2, approval_policies = '{lossesNeedTwo}' WHERE run = $1`,
      [id],
    );
    const path = `/api/v1/runs/${id}/approvals`;
    const answer = await call(tokens.bob, 'GET', path);
    expect(findAnswerFaults('GET', path, answer)).toEqual([]);
    expect(answer.body).toMatchObject({ state: 'waiting', needed: 2, policies: ['lossesNeedTwo'] });
    expect((await apply(id)).body.detail).toBe('The plan has 0 of 2 approvals.');
    const { body } = await call(tokens.bob, 'GET', '/api/v1/overview?search=policed');
    expect(body.workspaces).toMatchObject([{ approval: { needed: 2, given: 0, isYours: true } }]);
    const secret = await rig.store.sessions.begin('Administrator');
    const headers = { cookie: `hostwright=${secret}` };
    const request = new Request(`${origin}/runs/${id}`, { headers });
    const page = await (await rig.app.fetch(request, here)).text();
    expectWords(page, '0 of 2 approvals, as the policy lossesNeedTwo asks.');
  });
});

describe('the rule of a workspace', () => {
  it('may let the author count', async () => {
    const id = await openPlan('author', { approvals: { count: 1, byAuthor: true } });
    expect((await say('ada', id, 'yes')).body).toMatchObject({ state: 'approved', isOwn: false });
  });

  it('may apply the plan with the last yes', async () => {
    const id = await openPlan('once', { approvals: { count: 2 }, applyWhenApproved: true });
    await say('bob', id, 'yes');
    const before = await rig.store.runs.list('once', 5);
    expect(before.map(({ operation }) => operation)).toEqual(['plan']);
    expect((await say('eve', id, 'yes')).body).toMatchObject({ state: 'closed', given: 2 });
    const [queued] = await rig.store.runs.list('once', 5);
    expect(queued).toMatchObject({
      operation: 'apply',
      planRun: id,
      reason: 'approved by bob, eve',
    });
  });

  it('is none at first: a plan is applied without, and nobody is asked', async () => {
    const id = await openPlan('free', {});
    expect(await stateOf(id)).toBe('notNeeded');
    expect((await say('bob', id, 'yes')).body.detail).toContain('need no approval');
    const three = await Promise.all([apply(id), apply(id), apply(id)]);
    const [done, ...refused] = three.toSorted((left, right) => left.status - right.status);
    expect([done?.status, ...refused.map(({ status }) => status)]).toEqual([201, 409, 409]);
    expect(refused.map(({ body }) => body.run)).toEqual([done?.body.id, done?.body.id]);
    expect(findAnswerFaults('POST', '/api/v1/runs', refused[0]!)).toEqual([]);
  });

  it('that asks for none lets the newest plan be applied and no other', async () => {
    const old = await openPlan('older', {});
    const body = { operation: 'plan', workspace: 'older', commit };
    const queued = await call(tokens.ada, 'POST', '/api/v1/runs', body);
    expect((await apply(old)).body.detail).toContain('A newer run took the place of plan #');
    await call(tokens.ada, 'POST', `/api/v1/runs/${String(queued.body.id)}/cancel`);
    expect((await apply(await plan('older'))).status).toBe(201);
    expect(await apply(old)).toMatchObject({ status: 409 });
  });

  it.each([{ count: 11 }, { count: -1 }, { count: 1.5 }, { people: 1 }])(
    'is refused as %j',
    async (approvals) => {
      const repository = 'https://git.example.com/a.git';
      const body = { name: 'refused', repository, approvals };
      expect((await call(rig.adminToken, 'POST', '/api/v1/workspaces', body)).status).toBe(422);
    },
  );

  it('is edited in parts', async () => {
    await openPlan('parts', { approvals: { count: 2, byAuthor: true } });
    const edit = { approvals: { count: 3 } };
    const { body } = await call(rig.adminToken, 'PATCH', '/api/v1/workspaces/parts', edit);
    expect(body).toMatchObject({ approvals: { count: 3, byAuthor: true } });
  });
});

describe('a decision', () => {
  it('is in the audit log, with its comment', async () => {
    const id = await openPlan('logged', { approvals: { count: 1 } });
    await say('bob', id, 'no', 'not on a Friday');
    const [entry] = await rig.store.audit.list({ limit: 1, isNewestFirst: true });
    expect(entry).toMatchObject({ act: 'plan.reject', actor: { kind: 'token', name: 'bob' } });
    expect((entry as AuditEntry).detail).toContain('not on a Friday');
  });

  it('is asked for in the overview of those who may decide, and on the page of the run', async () => {
    const id = await openPlan('asked', { approvals: { count: 1 } });
    const mark = async (token: string) => {
      const { body } = await call(token, 'GET', '/api/v1/overview?search=asked');
      expect(findAnswerFaults('GET', '/api/v1/overview', { status: 200, body })).toEqual([]);
      return (body.workspaces as { approval?: object }[])[0]?.approval;
    };
    const open = { needed: 1, given: 0, isRejected: false };
    expect(await mark(tokens.bob)).toEqual({ ...open, isYours: true });
    expect(await mark(rig.adminToken)).toEqual({ ...open, isYours: true });
    expect(await mark(tokens.ada)).toEqual({ ...open, isYours: false });
    expect(await mark(tokens.applier)).toEqual({ ...open, isYours: false });

    const identity = { issuer: 'i', subject: 'grace', name: 'Grace' };
    const grace = await rig.store.members.meet(identity, []);
    await rig.store.members.grant(grace.id, [{ role: 'approve', workspace: 'asked' }]);
    const secret = await rig.store.sessions.begin('Grace', grace.id);
    const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
    const headers = { ...own, cookie: `hostwright=${secret}` };
    const look = async (path: string) =>
      (await rig.app.fetch(new Request(`${origin}${path}`, { headers }), here)).text();
    expect(await look('/')).toContain('Waiting for your approval (0 of 1)');
    const page = await look(`/runs/${id}`);
    expect(page).toMatch(/value="yes"[^]*Approve[^]*value="no"/);
    expect(page).not.toContain('Apply this plan');
    const [, formToken = ''] = /name="formToken"\s+value="([^"]+)"/.exec(page) ?? [];
    const fields = { formToken, decision: 'yes', comment: '<script>alert(1)</script>' };
    const sent = await rig.app.fetch(
      new Request(`${origin}/runs/${id}/approvals`, {
        ...{ method: 'POST', body: new URLSearchParams(fields).toString() },
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
      here,
    );
    expect(sent.headers.get('location')).toBe(`/runs/${id}`);
    const after = await look(`/runs/${id}`);
    expectWords(after, '1 of 1 approval: the plan can be applied.', '&lt;script&gt;');
    expect(await mark(tokens.bob)).toEqual({ ...open, given: 1, isYours: false });
  });
});
