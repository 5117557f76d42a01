import { afterAll, describe, expect, it } from 'vitest';

import { routes, type OperationId } from '../../src/api/contract/routes.ts';
import { furnish, isSpelled, openBench, openFurnishedBench, type Bench } from './bench.ts';
import { drawVariants } from '../support/budget/budget.ts';
import { happyCases } from './cases.ts';

const operationIds = Object.keys(routes) as OperationId[];
const variants = drawVariants('operations');

/** Checks made, by operation and variant. */
const counts = new Map<string, number>();

function count(operationId: OperationId, variant: string): void {
  const key = `${operationId} ${variant}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

afterAll(() => {
  const rows = operationIds.map((operationId, index) => {
    const checks = variants.map(
      (variant) => `${variant} ${counts.get(`${operationId} ${variant}`) ?? 0}`,
    );
    return `${String(index + 1).padStart(2)} ${operationId.padEnd(30)} ${checks.join('  ')}`;
  });
  console.log(['checks by operation', ...rows].join('\n'));
});

it('has 72 operations (section 4)', () => expect(operationIds).toHaveLength(72));

/** What a loose service answers instead. */
const looseSuccess: Partial<Record<OperationId, number>> = {
  createProject: 202,
  createNetwork: 201,
  createPublicIp: 201,
  createPortForward: 201,
  createSshKey: 202,
};
const looseRefusal: Readonly<Record<number, number>> = { 422: 400 };

describe.each(variants)('%s: every operation', (variant) => {
  const isLoose = variant === 'loose';
  const refused = (status: number) => (isLoose ? (looseRefusal[status] ?? status) : status);

  it.each(Object.entries(happyCases))('%s succeeds', async (name, { prepare, body, query }) => {
    const operationId = name as keyof typeof happyCases;
    const bench = await openFurnishedBench({ variant });
    await prepare?.(bench);
    const answer = await bench.ask(operationId, {
      ...(body && { body: body(bench) }),
      ...(query && { query }),
    });
    const success = routes[operationId].success;
    expect(answer.status, answer.text).toBe(
      (isLoose ? looseSuccess[operationId] : undefined) ?? success,
    );
    if (success === 204) expect(answer.text).toBe('');
    count(operationId, variant);
  });

  describe('refuses', () => {
    let shared: Promise<Bench> | undefined;
    /** Refusals change nothing: they share a bench. */
    const furnished = (): Promise<Bench> =>
      (shared ??= openBench({ variant }).then(async (bench) => {
        await furnish(bench);
        return bench;
      }));

    it.each(operationIds)('%s without a token, with 401', async (operationId) => {
      const bench = await furnished();
      const answer = await bench.ask(operationId, { authorization: null });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      count(operationId, variant);
    });

    const withParams = operationIds.filter(
      (id) => routes[id].path.includes('{') && id !== 'resizeVm',
    );
    it.each(withParams)('%s of what is not there, with 404', async (operationId) => {
      const bench = await furnished();
      const names = [...routes[operationId].path.matchAll(/\{(\w+)\}/g)].map(
        (match) => match[1] ?? '',
      );
      const body = operationId in happyCases ? happyCases[operationId as 'getVm'].body : undefined;
      for (const name of names.filter((one) => bench.tells(operationId, one))) {
        const answer = await bench.ask(operationId, {
          params: { [name]: 'no-such-id' },
          ...(body && { body: body(bench) }),
        });
        expect(answer.status, `${name}: ${answer.text}`).toBe(404);
        count(operationId, variant);
      }
    });

    const withBody = operationIds.filter(
      (id) => id !== 'resizeVm' && happyCases[id].body !== undefined,
    );
    it.each(withBody)('%s with a bad body, with 400, 413, 415, 422', async (operationId) => {
      const bench = await furnished();
      if (!bench.keepsBody(operationId)) return;
      const cases = [
        [400, { text: '{"name":' }],
        [400, {}],
        [413, { text: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) }],
        [415, { text: '{}', headers: { 'content-type': 'text/plain' } }],
        [refused(422), { body: { surprise: true } }],
        [refused(422), { body: [] }],
        [refused(422), { body: null }],
      ] as const;
      for (const [status, ask] of cases) {
        const answer = await bench.ask(operationId, ask);
        expect(answer.status, answer.text).toBe(status);
        count(operationId, variant);
      }
    });

    const paged = operationIds.filter((id) =>
      [
        'listProjects',
        'listOperations',
        'listNetworks',
        'listPublicIps',
        'listVms',
        'listNotifications',
      ].includes(id),
    );
    // A page that cannot be is never asked for: the engine reads lists whole.
    it.skipIf(isSpelled).each(paged)(
      '%s by a page that cannot be, with 422',
      async (operationId) => {
        const bench = await furnished();
        const queries = [
          { page: 0 },
          { page: 'x' },
          { pageSize: 0 },
          { pageSize: -1 },
          { page: 1.5 },
        ];
        for (const query of queries) {
          const answer = await bench.ask(operationId, { query });
          expect(answer.status, answer.text).toBe(refused(422));
          count(operationId, variant);
        }
      },
    );

    it('resizeVm always, with 503', async () => {
      const bench = await furnished();
      for (const ask of [{}, { body: {} }, { text: '{' }, { params: { vmId: 'no-such-id' } }]) {
        expect((await bench.ask('resizeVm', ask)).status).toBe(503);
        count('resizeVm', variant);
      }
    });
  });
});
