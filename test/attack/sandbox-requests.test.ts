// Every operation of the sandbox, asked for what nobody should ask for.

import { describe, expect, it } from 'vitest';
import { routes, type OperationId } from '../../src/api/contract/routes.ts';
import { furnish, openBench, type Bench } from '../contract/bench.ts';
import { happyCases } from '../contract/cases.ts';
import { drawVariants } from '../support/budget/budget.ts';

type Case = { readonly body?: (bench: Bench) => unknown };
const operationIds = (Object.keys(routes) as OperationId[]).filter((id) => id !== 'resizeVm');
const withBody = operationIds.filter((id) => (happyCases as Record<string, Case>)[id]?.body);
const goodBody = (bench: Bench, id: OperationId): Record<string, unknown> =>
  ((happyCases as Record<string, Case>)[id]?.body?.(bench) ?? {}) as Record<string, unknown>;

/** Bodies as they are sent: no program writes most of these. */
const badBodies = [
  '{"__proto__": 1}',
  '{"__proto__": {"name": "x"}}',
  '{"constructor": 1, "toString": {}, "hasOwnProperty": null}',
  '[['.repeat(20_000),
  '['.repeat(20_000) + ']'.repeat(20_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  'NaN',
  '-Infinity',
  '1e999',
  '"text"',
  'true',
  '{"name": "\\ud800"}',
  '{"\\udfff": 1}',
  '{"name": "web\\u0000"}',
  '{"": 1, "a/b": 2, "~0": 3}',
  `{${Array.from({ length: 5000 }, (_, index) => `"k${index}": 1`).join(',')}}`,
];

/** Values for each field of a good body, one at a time. */
const badValues = [
  ...['null', '-1', '1.5', '1e20', '1e999', 'true', '""', '"\\u0000"', '"\\udc00"', '{}', '[[]]'],
  ...['{"__proto__": {}}', '[{"__proto__": 1}]', '["__proto__"]', '"2030-12-31T23:59:60Z"'],
];

const badQueries = [
  ...['page=1e20', 'page=0x10', 'page=%201', 'page=1.0', 'page=%2B1', 'page=', 'page=NaN'],
  ...['page=99999999999999999999', 'pageSize=1e3', 'pageSize=Infinity', 'page=true', 'page=%FF'],
];
const pagedLists = ['listProjects', 'listOperations', 'listVms', 'listNotifications'] as const;

const badIds = ['__proto__', 'constructor', '%00', '%FF', '%2F', '%zz', 'x'.repeat(5000)];

describe.each(drawVariants('bad requests'))(
  'attack q: a bad request of the %s sandbox',
  (variant) => {
    const bugs: unknown[] = [];
    /** Each answer is held to the contract, too. */
    const open = async (): Promise<Bench> => {
      bugs.length = 0;
      const bench = await openBench({ variant, onError: (error) => bugs.push(error) });
      await furnish(bench);
      return bench;
    };
    const expectRefusal = (
      { status, text }: { status: number; text: string },
      of: string,
    ): void => {
      expect(bugs, of).toEqual([]);
      expect(status, `${of}: ${text}`).toBeGreaterThanOrEqual(400);
      expect(status, `${of}: ${text}`).toBeLessThan(500);
      // The loose one leaves some refusals without a body.
      if (variant === 'strict' || text !== '') {
        expect(JSON.parse(text)).toMatchObject({ status, type: 'about:blank' });
      }
      expect(text.length, of).toBeLessThan(50_000);
    };

    it('is refused with 4xx for each bad body, and nothing comes of it', async () => {
      const bench = await open();
      const projects = await bench.list('listProjects');
      for (const id of withBody) {
        for (const text of badBodies) {
          expectRefusal(await bench.ask(id, { text }), `${id} ${text.slice(0, 60)}`);
        }
      }
      expect(await bench.list('listProjects')).toEqual(projects);
      expect(Object.prototype).not.toHaveProperty('name');
    });

    it('is never answered with 5xx for a bad value in a good body', async () => {
      const bench = await open();
      for (const id of withBody) {
        const good = goodBody(bench, id);
        for (const field of Object.keys({
          ...good,
          ...(id === 'createToken' && { expiresAt: 0 }),
        })) {
          for (const value of badValues) {
            const others = Object.entries(good)
              .filter(([key]) => key !== field)
              .map(([key, one]) => `"${key}": ${JSON.stringify(one)}`);
            const text = `{${[...others, `"${field}": ${value}`].join(', ')}}`;
            const answer = await bench.ask(id, { text });
            expect(bugs, `${id} ${text}`).toEqual([]);
            expect(answer.status, `${id} ${text}`).toBeLessThan(500);
          }
        }
      }
    });

    it('is refused with 4xx for a page that is no number as people write it', async () => {
      const bench = await open();
      for (const id of pagedLists) {
        const path = routes[id].path.replace('{projectId}', bench.params.projectId ?? '');
        for (const query of badQueries) {
          expectRefusal(await bench.request('GET', `/v1${path}?${query}`), `${id} ${query}`);
        }
      }
    });

    it('finds nothing by a bad id', async () => {
      const bench = await open();
      for (const id of operationIds) {
        const { method, path } = routes[id];
        for (const [name] of path.matchAll(/\{\w+\}/g)) {
          for (const bad of badIds) {
            const filled = path
              .replace(name, bad)
              .replaceAll(/\{(\w+)\}/g, (_match, param: string) => bench.params[param] ?? '');
            const body = method === 'GET' ? {} : { body: goodBody(bench, id) };
            expectRefusal(await bench.request(method, `/v1${filled}`, body), `${id} ${filled}`);
          }
        }
      }
      const { projectId = '', vmId = '' } = bench.params;
      const aliased = await bench.request('GET', `/v1/projects/${projectId}/vms/${vmId}%00`);
      expectRefusal(aliased, 'an id with a NUL behind it');
    });

    it('takes no time to speak of for lists as long as a body holds', async () => {
      const bench = await open();
      const many = Array.from({ length: 80_000 }, (_, index) => `s${index}`);
      const startedAt = performance.now();
      expectRefusal(
        await bench.ask('createToken', { body: { name: 'x', scopes: many } }),
        'scopes',
      );
      const body = { ...goodBody(bench, 'createVm'), sshKeyIds: many };
      expectRefusal(await bench.ask('createVm', { body }), 'sshKeyIds');
      // The comparison of each with each took over a minute.
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });
  },
);

it('attack q: texts that the sandbox takes come back as they went in', async () => {
  const bench = await openBench();
  for (const name of [
    '\u001b[31m',
    '\u202e',
    '😀',
    'a\u0301',
    '__proto__',
    "' OR 1=1 --",
    '\u007f',
  ]) {
    const { id } = await bench.get('createProject', { body: { name } });
    expect((await bench.get('getProject', { params: { projectId: id } })).name).toBe(name);
  }
});
