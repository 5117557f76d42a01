import { expect, test } from 'vitest';
import fc from 'fast-check';
import { breakAddressAtDots, breakLine } from '../../../../src/render/format/break-line.ts';
import { measureTerminalWidth } from '../../../../src/render/format/measure.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';

const { red, bold } = createAnsiStyle(true);

test('a line that has room stays as it is', () => {
  expect(breakLine('  + name   = "web"', 18)).toEqual(['  + name   = "web"']);
  expect(breakLine('', 40)).toEqual(['']);
});

test.each([
  [
    'Plan: 4 to add, 3 to change, 3 to rebuild (3 disks lost), 3 to destroy.',
    ['Plan: 4 to add, 3 to change, 3 to', '    rebuild (3 disks lost), 3 to', '    destroy.'],
  ],
  [
    '      + internalIp    = (known after apply)',
    ['      + internalIp    =', '          (known after apply)'],
  ],
  [
    '      - configuration = "c4-r8-d80" -> null',
    ['      - configuration = "c4-r8-d80"', '          -> null'],
  ],
  [
    '        # (10 unchanged attributes hidden)',
    ['        # (10 unchanged attributes', '        # hidden)'],
  ],
  ['                     # forces replacement', ['                     # forces replacement']],
  [
    '  - projects.production.publicIps.edge.forwards.http',
    ['  - projects.production.publicIps.edge', '      .forwards.http'],
  ],
])('%j', (line, broken) => {
  expect(breakLine(line, line.includes('forces') ? 41 : 40)).toEqual(broken);
});

test.each([
  ['plain', (text: string) => text],
  ['coloured', red],
])('every line of a box has its edge: %s', (_what, paint) => {
  const line = `${paint('│')}   with projects.production.networks.back,`;
  expect(breakLine(line, 40)).toEqual([
    `${paint('│')}   with projects.production.networks`,
    `${paint('│')}       .back,`,
  ]);
  expect(breakLine(`${paint('│')} a b`, 40)).toEqual([`${paint('│')} a b`]);
});

test('a colour ends with its line, and begins anew on the next one', () =>
  expect(breakLine(bold(red('alpha beta')), 9)).toEqual([
    bold(red('alpha')),
    bold(red('    beta')),
  ]));

test('what belongs together stays so in colours', () => {
  const { dim, yellow } = createAnsiStyle(true);
  expect(breakLine(`      - power = "running" ${dim('-> null')}`, 28)).toEqual([
    '      - power = "running"',
    `          ${dim('-> null')}`,
  ]);
  expect(
    breakLine(`      ~ power = "on" ${yellow('->')} "off" ${red('# forces rebuild')}`, 28),
  ).toEqual([
    '      ~ power = "on"',
    `          ${yellow('->')} "off"`,
    `          ${red('# forces rebuild')}`,
  ]);
});

test('a word that has no dot runs over, alone', () => {
  const key = 'x'.repeat(50);
  expect(breakLine(`  a ${key} b`, 40)).toEqual(['  a', key, '      b']);
  expect(breakLine(`${' '.repeat(30)}# forces replacement`, 40)).toEqual([
    `${' '.repeat(20)}# forces replacement`,
  ]);
  expect(breakAddressAtDots('a.b.c', 1)).toEqual(['a', '.b', '.c']);
});

test('nothing is lost, and only what cannot be broken is wider', () => {
  const word = fc.stringMatching(/^[a-z.()>#-]{1,30}$/);
  const line = fc.tuple(fc.nat(8), fc.array(word, { minLength: 1, maxLength: 12 }));
  fc.assert(
    fc.property(line, fc.integer({ min: 20, max: 60 }), ([indent, words], room) => {
      const whole = ' '.repeat(indent) + words.join(' ');
      const broken = breakLine(whole, room);
      const letters = (text: string) => text.replaceAll(/[ #]/g, '');
      expect(letters(broken.join(''))).toBe(letters(whole));
      for (const one of broken) {
        const isAlone = !/\S \S/.test(one.replace(/^ *(?:# )?/, '').replace(/^-> /, ''));
        if (measureTerminalWidth(one) > room) expect(isAlone, JSON.stringify(one)).toBe(true);
      }
    }),
  );
});
