import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { readDataCandidates } from '../../src/live/read-data.ts';
import { shareListReads } from '../../src/live/share-reads.ts';
import type { DataQuery } from '../../src/model/data.ts';
import { selectDataEntry } from '../../src/plan/data/select-data.ts';
import { makeLive } from '../support/account.ts';
import { sourceOf } from '../support/resolve-data.ts';

const source = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const names = ['a', 'b', 'c'] as const;

/** Projects by name, each with networks and VMs by name. */
const accounts = fc.dictionary(
  fc.constantFrom('shop', 'shared', 'private'),
  fc.record({ networks: fc.subarray([...names]), vms: fc.subarray([...names]) }),
  { maxKeys: 3 },
);

const queries = fc.array(
  fc.record({
    kind: fc.constantFrom('network' as const, 'vm' as const, 'image' as const),
    project: fc.constantFrom('shop', 'shared', 'nowhere'),
    value: fc.constantFrom(...names, 'ubuntu-24.04'),
  }),
  { maxLength: 8 },
);

const toQuery = (
  { kind, project, value }: typeof queries extends fc.Arbitrary<(infer T)[]> ? T : never,
  at: number,
): DataQuery => ({
  ...{ name: `data.d${at}`, kind, isNewest: false, source },
  ...(kind !== 'image' && { project }),
  selector: { attribute: 'name', value },
});

describe('data', () => {
  test.prop([accounts, queries])(
    'reads no project that no entry names, no list twice, and finds what has the name',
    async (account, asked) => {
      const live = makeLive({
        projects: Object.fromEntries(
          Object.entries(account).map(([name, { networks, vms }]) => [
            `p-${name}`,
            {
              name,
              networks: Object.fromEntries(
                networks.map((one) => [`n-${name}-${one}`, { name: one }]),
              ),
              vms: Object.fromEntries(vms.map((one) => [`v-${name}-${one}`, { name: one }])),
            },
          ]),
        ),
      });
      const reads: string[] = [];
      const all = asked.map(toQuery);
      const listings = await readDataCandidates(
        shareListReads(sourceOf(live, (read) => reads.push(read))),
        all,
      );
      const named = new Set(all.map(({ project }) => `p-${project}`));
      const projects = reads.flatMap((read) => / (p-\w+)/.exec(read)?.[1] ?? []);
      expect(projects.filter((one) => !named.has(one))).toEqual([]);
      expect(reads).toEqual([...new Set(reads)]);
      for (const [at, query] of all.entries()) {
        const listing = listings[at];
        if (listing?.kind !== 'candidates') {
          expect(query.project === undefined || !(query.project in account)).toBe(true);
          continue;
        }
        const outcome = selectDataEntry(query, listing.candidates, listing);
        const own = account[query.project ?? ''];
        const value = 'value' in query.selector ? query.selector.value : '';
        const has =
          query.kind === 'image'
            ? value.startsWith('ubuntu')
            : (own?.[query.kind === 'vm' ? 'vms' : 'networks'] ?? []).includes(value as 'a');
        expect(outcome.kind).toBe(has ? 'found' : 'fault');
        if (outcome.kind === 'found') expect(outcome.values.name).toBe(value);
      }
    },
  );
});
