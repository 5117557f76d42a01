// A service whose records go by another clock than its `Date` headers: that is learned, told once, and allowed for.
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { openMemoryState } from '../../src/state/memory-store.ts';
import { drawSome } from '../support/budget/budget.ts';
import { aroundVms } from './every-kind.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';

const nothing = 'projects: { demo: }';
const vm = '{ image: debian-12, configuration: c1-r1-d20, tariff: monthly }';
const few = `projects: { demo: { networks: { lan: , dmz: }, publicIps: { edge: }, vms: { web: ${vm} } } }`;
const all = `${aroundVms}      web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, sshKeys: [alice], networks: [backend] }\n`;

interface Clocks {
  /** How far the times of resources are ahead of `Date`. */
  readonly resources: number;
  /** The same of operation records. */
  readonly operations: number;
}

/** What a service answers that has several clocks. */
function shiftTimes({ resources, operations }: Clocks): Meddle {
  return async (request, pass) => {
    const answer = await pass();
    const body = await answer.text();
    const byMs = request.url.includes('/operations') ? operations : resources;
    const shifted = body.replace(
      /"(createdAt|completedAt)":"([^"]+)"/g,
      (_whole, field: string, time: string) =>
        `"${field}":"${new Date(Date.parse(time) + byMs).toISOString()}"`,
    );
    const { status, headers } = answer;
    return new Response(status === 204 ? null : shifted, { status, headers });
  };
}

const minute = 60_000;
const offsets = [-60, -10, -0.5, 0.5, 10, 60].map((minutes) => minutes * minute);
const clocks: readonly Clocks[] = drawSome(
  offsets.flatMap((ms) => [
    { resources: ms, operations: ms },
    { resources: ms, operations: 0 },
  ]),
  { short: 3, ci: 8 },
  'two clocks',
);

/** Applies, and says what was told and how long it took. */
async function run(world: World, yaml: string, meddle: Meddle, killAt?: number) {
  const told: Diagnostic[] = [];
  const begunAt = world.time.now();
  const end = await world.apply(await configure(yaml), {
    meddle,
    onDiagnostics: (diagnostics) => told.push(...diagnostics),
    ...(killAt !== undefined && { killAt }),
  });
  return { end, codes: told.map(({ code }) => code), tookMs: world.time.now() - begunAt };
}

describe.each(clocks)('records that are ahead of Date by %o', (ahead) => {
  const meddle = shiftTimes(ahead);

  test('are known by the first create that an answer names: all goes as with one clock', async () => {
    const world = await World.open();
    const plain = await run(await World.open(), all, (_request, pass) => pass());
    const { end, codes, tookMs } = await run(world, all, meddle);
    expect(describeFailures(end)).toEqual([]);
    expect(codes).toEqual(['two-clocks']);
    expect(tookMs).toBeLessThan(plain.tookMs + 15_000);
    expect(await findViolations(world, await configure(all))).toEqual([]);
  });

  test('are known by the operation record of the first create where no answer names any', async () => {
    const world = await World.open();
    const single: Meddle = (_request, pass) => pass();
    const plain = await run(await World.open(), few, single);
    await run(world, nothing, single);
    const { end, codes, tookMs } = await run(world, few, meddle);
    expect(describeFailures(end)).toEqual([]);
    expect(codes).toEqual(['two-clocks']);
    expect(tookMs).toBeLessThan(plain.tookMs + minute / 2);
    expect(await findViolations(world, await configure(few))).toEqual([]);
  });
});

const isCreate = ({ method, url }: Request) =>
  method === 'POST' && /\/(networks|public-ips|vms|ssh-keys|projects)$/.test(url);

/** The first answer to each create is lost. */
function loseAnswers(meddle: Meddle): Meddle {
  const lost = new Set<string>();
  return async (request, pass) => {
    const body = isCreate(request) ? `${request.url} ${await request.clone().text()}` : '';
    const answer = await meddle(request, pass);
    if (body === '' || lost.has(body)) return answer;
    lost.add(body);
    throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
  };
}

const made = ['network', 'network', 'project', 'publicIp', 'vm'];
const kindsIn = async (world: World) =>
  (await world.readAccount()).map(({ kind }) => kind).toSorted();

/** Beyond what the configuration asks for. */
function findExtra(account: readonly string[]) {
  const left = [...made];
  return account.filter((kind) => !left.includes(kind) || !left.splice(left.indexOf(kind), 1));
}

/** What may be said where nothing tells whether a create has made what the account shows. */
const asks = /perhaps-ours|ambiguous-create/;

describe.each(clocks)('creates without an answer, and records ahead of Date by %o', (ahead) => {
  const shifted = shiftTimes(ahead);

  test('are made once by a run that knows of the clocks', async () => {
    const world = await World.open();
    await run(world, nothing, shifted);
    const { end } = await run(world, few, loseAnswers(shifted));
    expect(describeFailures(end)).toEqual([]);
    expect(await kindsIn(world)).toEqual(made);
    expect(await findViolations(world, await configure(few))).toEqual([]);
  });

  test('are made once by a run that does not: what is older by its time is asked about', async () => {
    const world = await World.open();
    await run(world, nothing, (_request, pass) => pass());
    world.store = await openMemoryState({ state: { ...world.store.state, clocks: {} } });
    const lossy = loseAnswers(shifted);
    for (let count = 0; count < 2; count += 1) {
      const { end } = await run(world, few, lossy);
      const failures = describeFailures(end);
      if (ahead.resources > 0) expect(failures).toEqual([]);
      else expect(failures.filter((one) => asks.test(one))).toHaveLength(4);
      expect(await kindsIn(world)).toEqual(made);
    }
  });
});

describe.each(clocks.slice(0, 2))('kills, and records ahead of Date by %o', (ahead) => {
  const shifted = shiftTimes(ahead);

  test.each([3, 8].map((step) => [step]))(
    'at every step from the %ith on make nothing twice',
    async (step) => {
      for (let killAt = step; ; killAt += 17) {
        const world = await World.open();
        const { end } = await run(world, few, shifted, killAt);
        if (end.kind !== 'killed') break;
        await world.settle(minute);
        const next = await run(world, few, shifted);
        const failures = describeFailures(next.end);
        const account = await kindsIn(world);
        if (failures.length > 0) expect(failures.join()).toMatch(asks);
        else expect(account).toEqual(made);
        expect(findExtra(account)).toEqual([]);
      }
    },
  );
});
