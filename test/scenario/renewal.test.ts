import { describe, expect, test } from 'vitest';
import { changeSale, listSales } from '../../src/api/sales.ts';
import { makeSaleRenewalRequest } from '../../src/kinds/vm/requests.ts';
import { drawVariants } from '../support/budget/budget.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';
import { expectApplied } from './expect-built.ts';

const web = (renewal?: string, more = '') =>
  configure(
    `projects: { demo: { vms: { web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly${renewal === undefined ? '' : `, renewal: ${renewal}`}${more} } } } }`,
  );

const readRenewal = async (world: World): Promise<string | undefined> =>
  (await world.time.run(listSales(world.connect())))[0]?.renewal;

/** Counts requests for sales, and changes of one; the first change is answered by `respond`. */
function watching(respond?: (pass: () => Promise<Response>) => Promise<Response>) {
  const counts = { lists: 0, changes: 0 };
  const meddle: Meddle = (request, pass) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/sales')) counts.lists += 1;
    if (!pathname.includes('/renewal/')) return pass();
    counts.changes += 1;
    return respond && counts.changes === 1 ? respond(pass) : pass();
  };
  return { counts, meddle };
}

describe.each(drawVariants('renewals'))('renewal, %s', (variant) => {
  test('is set with the VM, changed later, and left alone where nobody says', async () => {
    const world = await World.open({ variant });
    const cancelled = await web('cancelled');
    await expectApplied(world, cancelled);
    expect(await readRenewal(world)).toBe('cancelled');
    expect(await findViolations(world, cancelled)).toEqual([]);

    const { counts, meddle } = watching();
    const unsaid = await expectApplied(world, await web(), { meddle });
    expect(unsaid.kind === 'ended' && unsaid.planned.plan.findings).toEqual([]);
    expect(counts).toEqual({ lists: 0, changes: 0 });
    expect(await readRenewal(world)).toBe('cancelled');

    const active = await web('active', ', power: stopped');
    await expectApplied(world, active);
    expect(await readRenewal(world)).toBe('active');
    expect(await findViolations(world, active)).toEqual([]);
  });

  test('that somebody cancelled is shown as changed outside, and resumed', async () => {
    const world = await World.open({ variant });
    const desired = await web('active');
    await world.apply(desired);
    const [sale] = await world.time.run(listSales(world.connect()));
    const { id = '' } = sale ?? {};
    await world.time.run(changeSale(world.connect(), id, makeSaleRenewalRequest(id, 'cancelled')));
    expect((await world.plan(desired)).plan.changes).toContainEqual(
      expect.objectContaining({ action: 'update', drift: { renewal: 'active' } }),
    );
    await expectApplied(world, desired);
    expect(await readRenewal(world)).toBe('active');
  });
});

describe('a renewal', () => {
  test.each(['renewal', 'resourceId'])('is left alone where sales lack their %s', async (field) => {
    const world = await World.open();
    const desired = await web('cancelled');
    await world.apply(desired);
    const { counts, meddle: count } = watching();
    const meddle: Meddle = async (request, pass) => {
      const answer = await count(request, pass);
      if (!new URL(request.url).pathname.endsWith('/sales')) return answer;
      const text = await answer.text();
      return new Response(text.replaceAll(`"${field}":`, '"other":'), { headers: answer.headers });
    };
    await expectApplied(world, desired, { meddle });
    await world.loseState();
    const planOptions = { adoptsAll: true };
    await expectApplied(world, desired, { planOptions, meddle });
    await expectApplied(world, desired, { meddle });
    expect(counts.changes).toBe(0);
    expect((await world.plan(desired)).plan.changes.map(({ action }) => action)).toEqual([
      'no-op',
      'no-op',
    ]);
  });

  test('that is never told is recorded as untold, and is no news in the next plan', async () => {
    const world = await World.open();
    const meddle: Meddle = async (request, pass) => {
      const answer = await pass();
      if (!new URL(request.url).pathname.endsWith('/sales')) return answer;
      const text = (await answer.text()).replaceAll('"renewal":', '"other":');
      return new Response(text, { headers: answer.headers });
    };
    const desired = await web('cancelled');
    await expectApplied(world, desired, { meddle });
    expect(await readRenewal(world)).toBe('cancelled');
    const end = await world.apply(desired, { meddle });
    const codes = end.kind === 'ended' ? end.planned.plan.findings.map(({ code }) => code) : [];
    expect(codes).toEqual(['untold-field']);
  });

  test('whose answer is lost is looked after, not sent twice', async () => {
    const world = await World.open();
    await world.apply(await web('active'));
    const { counts, meddle } = watching(async (pass) => {
      await pass();
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
      });
    });
    await expectApplied(world, await web('cancelled'), { meddle });
    expect(counts.changes).toBe(1);
    expect(await readRenewal(world)).toBe('cancelled');
  });

  test('of a new VM waits for a sale that is late', async () => {
    const world = await World.open();
    let late = 3;
    await expectApplied(world, await web('cancelled'), {
      meddle: async (request, pass) => {
        if (!request.url.includes('/sales') || request.method !== 'GET' || late === 0)
          return pass();
        late -= 1;
        return Response.json([]);
      },
    });
    expect(late).toBe(0);
    expect(await readRenewal(world)).toBe('cancelled');
  });

  test('of a VM that never gets a sale fails, and says so', async () => {
    const world = await World.open();
    const end = await world.apply(await web('cancelled'), {
      meddle: async (request, pass) =>
        request.url.includes('/sales') ? Response.json([]) : pass(),
    });
    expect(describeFailures(end).join()).toContain('sale-not-found');
    const desired = await web('cancelled');
    await expectApplied(world, desired);
    expect(await readRenewal(world)).toBe('cancelled');
  });

  test('of many VMs costs few lists', async () => {
    const world = await World.open();
    const { counts, meddle } = watching();
    const many = await web('cancelled', ', count: 20');
    await expectApplied(world, many, { meddle, parallelism: 20 });
    expect(counts.changes).toBe(20);
    expect(counts.lists).toBeLessThan(counts.changes);
  });
});
