import { describe, expect, test } from 'vitest';
import { EvaluationBudget } from '../../../../src/expressions/values/budget.ts';
import type { DataCandidate, DataQuery } from '../../../../src/model/data.ts';
import {
  explainAmbiguousQueryProject,
  selectDataEntry,
} from '../../../../src/plan/data/select-data.ts';
import { addReferenceHints } from '../../../../src/plan/data/suggest-references.ts';
import { makeDesired } from '../../../support/desired.ts';
import { readList, readRows } from '../../../support/read-rows.ts';

const source = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };

function query(given: Partial<DataQuery>): DataQuery {
  const selector = { attribute: 'name', value: 'core' };
  return { name: 'data.x', kind: 'network', selector, isNewest: false, source, ...given };
}

const named = (key: string | null, id = `id-${key}`, createdAt: number | null = null) =>
  ({ id, key, createdAt, values: { id, name: key } }) satisfies DataCandidate;
/** `core, v1 n-2`: what is named so, and what is named so and has such an id. */
const readCandidates = (cell: string) =>
  readList(cell).map((one) => {
    const [key = '', id, createdAt] = one.split(' ');
    return named(key === '-' ? null : key, id, createdAt === undefined ? null : Number(createdAt));
  });
/** `network name core`: the kind, and the attribute or the pattern by which one is asked for. */
function readQuery(cell: string): DataQuery {
  const [kind, attribute = '', value = '', newest] = cell.split(' ');
  return query({
    kind: kind as DataQuery['kind'],
    selector: attribute === 'match' ? { pattern: value } : { attribute, value },
    isNewest: newest === 'newest',
  });
}

const byPattern = (pattern: string, isNewest = false) => query({ selector: { pattern }, isNewest });
const images = ['ubuntu-9.10', 'ubuntu-22.04', 'debian-12'].map((key) => named(key));

describe('an entry that is found', () => {
  test.each(
    readRows(`
    by its name | network name core | core, core2 | id-core
    by its id, whatever its name is | network id n-2 | n-2 n-1, core n-2 | n-2
    by an address | publicIp address 203.0.113.7 | - ip-1, 203.0.113.7 ip-2 | ip-2
    by a name that is written in another form | network name café | ${'café'.normalize('NFD')} id-core | id-core
    by a pattern that fits one | network match ^deb | ubuntu-9.10, ubuntu-22.04, debian-12 | id-debian-12
    as the newest by its version | network match ^ubuntu newest | ubuntu-9.10, ubuntu-22.04, debian-12 | id-ubuntu-22.04
    as the newest by its creation, where all tell it | network name core newest | core n-1 2000, core n-2 1000 | n-1
    as the newest by its version, where one does not tell its creation | network match ^v newest | v1 n-1 2000, v2 n-2 | n-2
  `),
  )('%s', (_what, asked, candidates, id) => {
    expect(selectDataEntry(readQuery(asked), readCandidates(candidates))).toMatchObject({
      ...{ kind: 'found', id },
    });
  });

  test('tells the project that it lies in', () => {
    const found = selectDataEntry(query({}), [named('core')], { projectName: 'shared' });
    expect(found).toEqual({
      ...{ kind: 'found', id: 'id-core', projectName: 'shared' },
      values: { id: 'id-core', name: 'core' },
    });
  });
});

describe('an entry that is not found', () => {
  const faultOf = (asked: DataQuery, candidates: readonly DataCandidate[]) => {
    const outcome = selectDataEntry(asked, candidates, { projectName: 'shared' });
    return outcome.kind === 'fault' ? outcome.fault : undefined;
  };

  test('is told with what there is, and with what was meant', () => {
    expect(
      faultOf(query({ selector: { attribute: 'name', value: 'croe' } }), [
        named('core'),
        named('lan'),
      ]),
    ).toEqual({
      code: 'data-not-found',
      summary: 'There is no network `croe` in the project `shared`',
      detail: 'There are `core`, `lan`.',
      hint: 'Did you mean `core`?',
      field: 'name',
    });
  });

  test('is told where there is nothing of its kind', () => {
    expect(faultOf(byPattern('x'), [])).toMatchObject({
      summary: 'There is no network that matches `x` in the project `shared`',
      detail: 'There is no network at all in the project `shared`.',
      hint: 'Correct the name, the id or the pattern.',
      field: 'match',
    });
  });

  test('is told by its id, where what there is has nothing else', () => {
    const asked = query({ kind: 'publicIp', selector: { attribute: 'id', value: 'ip-9' } });
    expect(faultOf(asked, [named(null, 'ip-1')])).toMatchObject({
      summary: 'There is no public IP with the id `ip-9` in the project `shared`',
      detail: 'There is `ip-1`.',
      field: 'id',
    });
  });

  const exactlyOne = 'in the project `shared`, and `data.x` needs exactly one';
  test.each(
    readRows(`
    a name | network name core | core n-1, core n-2 | 2 networks are named \`core\` ${exactlyOne} | They are \`core (n-1)\`, \`core (n-2)\`. | Give the \`id\` of the one that is meant, or add \`newest: true\`.
    a pattern | network match ^ubuntu | ubuntu-9.10, ubuntu-22.04, debian-12 | 2 networks match \`^ubuntu\` ${exactlyOne} | They are \`ubuntu-9.10\`, \`ubuntu-22.04\`. | Narrow the pattern, or add \`newest: true\`.
    a pattern, none of them the newest | network match ^v newest | v1 n-1, v01 n-2, v0 n-3 | 2 networks match \`^v\` in the project \`shared\`, and none of them is the newest | They are \`v1\`, \`v01\`. | Narrow the pattern.
    an address | publicIp address a | a ip-1, a ip-2 | 2 public IPs have the address \`a\` ${exactlyOne} | They are \`a (ip-1)\`, \`a (ip-2)\`. | Give the \`id\` of the one that is meant, or add \`newest: true\`.
  `),
  )('is told where several have %s', (_what, asked, candidates, summary, detail, hint) => {
    expect(faultOf(readQuery(asked), readCandidates(candidates))).toMatchObject({
      ...{ code: 'data-ambiguous', summary, detail, hint },
    });
  });

  test('takes no longer than the run may', () => {
    const outcome = selectDataEntry(byPattern('(a|b)*c'), images, {
      steps: new EvaluationBudget(1),
    });
    expect(outcome).toMatchObject({
      kind: 'fault',
      fault: { code: 'expression-too-costly', field: 'match' },
    });
  });
});

test.each([
  [[], ['shop', 'shared'], 'data-not-found', 'Did you mean `shared`?'],
  [[], [], 'data-not-found', 'Give the name or the id of a live project.'],
  [[{ id: 'p-1' }, { id: 'p-2' }], ['shred'], 'data-ambiguous', 'Give the id of one of them.'],
])('a project that is not clear: %j of %j', (found, all, code, hint) => {
  const fault = explainAmbiguousQueryProject(query({ project: 'shred' }), found, all);
  expect(fault).toMatchObject({ code, hint, field: 'project' });
});

describe('what the configuration itself has', () => {
  const graph = makeDesired({ shop: { name: 'live-shop', networks: { core: {} } } });
  const missing = selectDataEntry(query({}), []);
  const suggest = (asked: DataQuery, outcome = missing) =>
    addReferenceHints([asked], new Map([[asked.name, outcome]]), graph).get(asked.name);

  test('is suggested instead', () => {
    expect(suggest(query({ project: 'live-shop' }))).toMatchObject({
      fault: {
        hint: expect.stringContaining(
          'This configuration has it as projects.shop.networks.core.',
        ) as string,
      },
    });
    const project = query({ kind: 'project', selector: { attribute: 'name', value: 'live-shop' } });
    expect(suggest(project)).toMatchObject({
      fault: { hint: expect.stringContaining('as projects.shop.') as string },
    });
  });

  test.each([
    ['of another project', query({ project: 'other' }), missing],
    [
      'that is found by a pattern',
      query({ project: 'live-shop', selector: { pattern: 'core' } }),
      missing,
    ],
    [
      'that is found by its id',
      query({ project: 'live-shop', selector: { attribute: 'id', value: 'core' } }),
      missing,
    ],
    [
      'that was found',
      query({ project: 'live-shop' }),
      selectDataEntry(query({}), [named('core')]),
    ],
  ])('is none where something is asked for %s', (_what, asked, outcome) => {
    expect(suggest(asked, outcome)).toBe(outcome);
  });
});
