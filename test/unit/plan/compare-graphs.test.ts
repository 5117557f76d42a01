import { expect, test } from 'vitest';
import type { DesiredGraph } from '../../../src/model/resource.ts';
import { compareDesiredGraphs } from '../../../src/plan/compare-graphs.ts';
import { defer, expressionOf } from '../../support/defer.ts';
import { editProject } from '../../support/world.ts';

const graphOf = (vms: Readonly<Record<string, { name?: string }>>): DesiredGraph =>
  editProject({}, { vms }).desired;
const web = 'projects.p.vms.web';

test('says what either has alone, and what both want otherwise', () => {
  const planned = graphOf({ web: {}, old: {} });
  expect(compareDesiredGraphs(planned, structuredClone(planned))).toEqual([]);
  const [first, ...rest] = graphOf({ web: { name: 'other' }, fresh: {} }).resources;
  const source = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const guards = { dataLoss: 'deny', source } as const;
  const now = { resources: [first!, ...rest], guards, data: [] };
  expect(compareDesiredGraphs(planned, now)).toEqual([
    `${web}: name`,
    'projects.p.vms.old: it is not in the configuration',
    'projects.p.vms.fresh: it is not in the plan',
    'guards',
  ]);
});

test('goes by expressions, and not by where anything is written', () => {
  const given = editProject({}, { vms: { web: {} } });
  const at = (text: string) => defer(given, web, 'name', expressionOf(text, [])).desired;
  const move = (graph: DesiredGraph) =>
    JSON.parse(JSON.stringify(graph).replace(/"line":\d+/g, '"line":99')) as DesiredGraph;
  expect(compareDesiredGraphs(at('"a"'), move(at('"a"')))).toEqual([]);
  expect(compareDesiredGraphs(at('"a"'), at('"b"'))).toEqual([`${web}: name`]);
  expect(compareDesiredGraphs(given.desired, at('"a"'))).toEqual([`${web}: name`]);
});
