// A service that refuses what is so already: the account tells whether it is exactly what was wanted.
import { describe, expect, test } from 'vitest';
import { aroundVms } from './every-kind.ts';
import { drawSome } from '../support/budget/budget.ts';
import { configure, describeFailures, World, type Meddle } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly, sshKeys: [alice]';
const before = `${aroundVms.replace('backend: }', 'backend: , old: , front: }')}\
      web: { ${vm}, networks: [backend, old] }
      spare: { ${vm} }
account: { locale: de-DE }
tokens: { ci: { name: ci, scopes: [compute], writeTo: { file: ci.token } } }
`;
/** Each command that sets, attaches, detaches, switches, renames or deletes something. */
const after = before
  .replace(', old: ,', ',')
  .replace(
    'networks: [backend, old]',
    'networks: [front], name: www, power: stopped, renewal: cancelled',
  )
  .replace(/ +spare: .*\n/, '')
  .replace('front: }', 'front: { name: face } }')
  .replace('publicPort: 443', 'publicPort: 8443')
  .replace('alice: {', 'alice: { name: al,')
  .replace('demo:\n', 'demo:\n    name: shop\n')
  .replace('de-DE', 'en-GB')
  .replace('name: ci,', 'name: ci-2,');

/** Answers as a service does that was asked for it a moment before, and has ended it by then or has not. */
function refuseDoubled(world: World, status: number, takesMs: number) {
  const refused: string[] = [];
  const meddle: Meddle = async (request, pass) => {
    const answer = await pass();
    const { pathname } = new URL(request.url);
    if (request.method === 'GET' || !answer.ok) return answer;
    refused.push(`${request.method} ${pathname}`);
    if (takesMs > 0) await world.time.openClock().sleep(takesMs);
    return Response.json(
      { title: 'It is so already' },
      { status, headers: { 'content-type': 'application/problem+json' } },
    );
  };
  return { meddle, refused };
}

const statuses = drawSome([400, 404, 409, 422, 412], { short: 2, ci: 5 }, 'wanted already');

describe.each(statuses)('%i for what is so already', (status) => {
  test.each([0, 40_000])('is the wanted result, %i ms after it was asked for', async (takesMs) => {
    const world = await World.open();
    await expectApplied(world, await configure(before));
    const { meddle, refused } = refuseDoubled(world, status, takesMs);
    const planOptions = { allowsDataLoss: true };
    await expectBuilt(world, await configure(after), { meddle, planOptions });
    // Nothing was asked for twice.
    expect(refused.length).toBeGreaterThan(10);
    expect(new Set(refused).size).toBe(refused.length);
  });
});

test.each([400, 409])(
  '%i for a create: what stands in its place is nobody’s to take',
  async (status) => {
    const world = await World.open();
    const one = 'projects: { demo: { networks: { backend: } } }';
    await expectApplied(world, await configure('projects: { demo: }'));
    const { meddle, refused } = refuseDoubled(world, status, 0);
    const end = await world.apply(await configure(one), { meddle });
    expect(describeFailures(end).join()).toContain('"code":"name-taken"');
    expect(refused).toHaveLength(1);
    expect(world.store.state.resources.size).toBe(1);
  },
);
