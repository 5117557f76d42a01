import { expect, test } from 'vitest';
import { drawTable } from '../../../../src/render/format/table.ts';

const rows = [
  ['', 'used', 'limit', 'resource'],
  ['VM cores', '112', '400', 'projects.production.vms.web[0]'],
  ['networks', '4', '50', '-'],
];
const sides = ['left', 'right', 'right', 'left'] as const;
const draw = (columns?: number) =>
  drawTable(rows, sides, { ...(columns !== undefined && { columns }), hasHead: true }).join('\n');

test('a table is as wide as it is, in a pipe too', () => {
  const wide = [
    '             used   limit   resource',
    '  VM cores    112     400   projects.production.vms.web[0]',
    '  networks      4      50   -',
  ].join('\n');
  expect(draw()).toBe(wide);
  expect(draw(80)).toBe(wide);
  expect(drawTable(rows, sides).join('\n')).toBe(wide);
});

test('on a narrow terminal its columns move together', () =>
  expect(draw(55)).toBe(
    [
      '            used  limit  resource',
      '  VM cores   112    400  projects.production.vms.web[0]',
      '  networks     4     50  -',
    ].join('\n'),
  ));

test('on a narrower one a row takes several lines, and its numbers their names', () => {
  expect(draw(40)).toBe(
    [
      '  resource',
      '  VM cores  used 112  limit 400',
      '    projects.production.vms.web[0]',
      '  networks  used 4  limit 50  -',
    ].join('\n'),
  );
  const long = `projects.production.publicIps.edgeStandby.forwards.https`;
  const lines = drawTable([['3m', long]], ['left', 'left'], { columns: 40 }).join('\n');
  expect(lines).toBe('  3m\n    projects.production.publicIps\n    .edgeStandby.forwards.https');
});
