// A service whose lists tell less than its single reads do, or nothing at all.
import { describe, expect, test } from 'vitest';
import { isEffectivePlan } from '../../src/model/plan/plan.ts';
import { drawSome } from '../support/budget/budget.ts';
import { everyKind } from './every-kind.ts';
import { configure, describeFailures, World, type Meddle } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const text = `${everyKind.replace('      web: {', '      web: { count: 12,').replaceAll('vm: web,', 'vm: "web[0]",')}\
  other: { name: beside }
`;

type Json = Readonly<Record<string, unknown>>;

const lists = ['projects', 'ssh-keys', 'networks', 'public-ips', 'port-forwards', 'vms', 'tokens'];
const summaryFields = ['id', 'name', 'status'];

/** A service whose lists are summaries; what single reads tell besides is edited. Counts the requests. */
class SummaryService {
  readonly singles: string[] = [];
  readonly sent: string[] = [];
  readonly meddle: Meddle;

  constructor(
    fields: readonly string[] | null = summaryFields,
    single: (record: Json) => Json = (record) => record,
  ) {
    const pick = (record: Json) =>
      Object.fromEntries(
        Object.entries(record).filter(([field]) => fields?.includes(field) ?? true),
      );
    this.meddle = async (request, pass) => {
      const path = new URL(request.url).pathname;
      const answer = await pass();
      if (request.method !== 'GET') this.sent.push(`${request.method} ${path}`);
      const [holder = '', last = ''] = path.split('/').slice(-2);
      if (request.method !== 'GET' || !answer.ok) return answer;
      const body = (await answer.json()) as Json | readonly Json[];
      let edited: unknown = body;
      if (lists.includes(last)) {
        const items = 'items' in body ? (body.items as readonly Json[]) : (body as readonly Json[]);
        const picked = items.map(pick);
        edited = 'items' in body ? { ...body, items: picked } : picked;
      } else if (lists.includes(holder)) {
        this.singles.push(path);
        edited = single(body as Json);
      }
      return Response.json(edited, { status: answer.status, headers: answer.headers });
    };
  }
}

describe('a list of summaries', () => {
  test('is completed by one single read of each: nothing is changed, and all is imported or adopted as it is', async () => {
    const world = await World.open();
    const desired = await configure(text);
    await world.apply(desired);
    const to = 'projects.demo';
    const entries = `{ to: ${to}, name: demo }, { to: ${to}.vms.bastion, name: bastion }`;
    const importing = await configure(`${text}imports: [${entries}]\n`);
    const all = (await world.readAccount()).filter(({ kind }) => kind !== 'project');
    for (const adoptsAll of [false, true]) {
      if (adoptsAll) await world.loseState();
      const service = new SummaryService();
      const { meddle } = service;
      const end = adoptsAll
        ? await world.apply(importing, { meddle, planOptions: { adoptsAll } })
        : await world.apply(desired, { meddle });
      expect(describeFailures(end)).toEqual([]);
      if (end.kind !== 'ended') throw new Error(end.kind);
      expect(end.planned.plan.findings).toEqual([]);
      expect(isEffectivePlan(end.planned.plan)).toBe(adoptsAll);
      expect(service.sent).toEqual([]);
      expect(service.singles).toHaveLength(all.length);
      expect(new Set(service.singles).size).toBe(all.length);
    }
    expect(isEffectivePlan((await world.plan(desired)).plan)).toBe(false);
  });

  test('is told of by one single read where that tells no more, and by none where it tells all', async () => {
    const world = await World.open();
    const desired = await configure(text);
    await world.apply(desired);
    const whole = new SummaryService(null);
    await world.apply(desired, { meddle: whole.meddle });
    expect(whole.singles).toEqual([]);
    const pick = ({ id, name, status }: Json) => ({ id, name, status });
    const thin = new SummaryService(summaryFields, pick);
    const end = await world.apply(desired, { meddle: thin.meddle });
    expect(thin.sent).toEqual([]);
    expect(describeFailures(end)).toEqual([]);
    // One of each kind that lies in a project.
    expect(thin.singles).toHaveLength(5);
  });

  test('is enough of a service to make, change and destroy all, in few requests', async () => {
    const world = await World.open();
    const desired = await configure(text);
    const whole = new SummaryService(null);
    await (await World.open()).apply(desired, { meddle: whole.meddle });
    const service = new SummaryService();
    const { meddle } = service;
    await expectBuilt(world, desired, { meddle });
    const made = (await world.readAccount()).length;
    // What is made is looked at while it is made, and what stands there already is not.
    expect(service.singles.length - whole.singles.length).toBeLessThan(3 * made);
    const less = await configure(text.replace('count: 12', 'count: 11').replace('[alice]', '[]'));
    const planOptions = { allowsDataLoss: true };
    await expectBuilt(world, less, { meddle, planOptions });
  });
});

describe('a list with null items', () => {
  const managed = `${text}tokens: { ci: { name: ci, scopes: [compute], writeTo: { file: ci.token } } }\n`;
  const bodies = {
    'no total': { items: null, totalCount: undefined },
    'a total': { items: null, totalCount: 3 },
  };
  const cases = lists.flatMap((list) =>
    Object.entries(bodies).map(([how, body]) => ({ list, how, body })),
  );

  test.each(drawSome(cases, 5, 'null items'))(
    '$list, with $how: nothing managed counts as gone',
    async ({ list, body }) => {
      const world = await World.open();
      const desired = await configure(managed);
      await world.apply(desired);
      const sent: string[] = [];
      const meddle: Meddle = async (request, pass) => {
        const answer = await pass();
        if (request.method !== 'GET') sent.push(request.url);
        return new URL(request.url).pathname.endsWith(`/${list}`) ? Response.json(body) : answer;
      };
      const run = world.apply(desired, { meddle });
      if (body.totalCount !== undefined) {
        await expect(run).rejects.toThrow('nothing instead of a list of 3 items');
        expect(sent).toEqual([]);
        return;
      }
      const end = await run;
      expect(describeFailures(end)).toEqual([]);
      expect(end.kind === 'ended' && isEffectivePlan(end.planned.plan)).toBe(false);
      expect(sent).toEqual([]);
      // Where it is the only one that shows, it may be the token that Hostwright itself uses.
      if (list === 'tokens') return;
      await expectApplied(world, desired, { mode: 'destroy', meddle });
      expect(await world.readAccount()).toEqual([]);
    },
  );
});
