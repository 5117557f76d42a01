import { expect, test } from 'vitest';
import type { DoctorCheckUp } from '../../../../src/model/account/check-up.ts';
import {
  isEveryCheckUpHealthy,
  renderCheckUpsJson,
  renderCheckUpsText,
} from '../../../../src/render/account/check-up-text.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';

const layout = { columns: 60, style: createAnsiStyle(false) };

const all: readonly DoctorCheckUp[] = [
  { name: 'configuration', outcome: 'ok', summary: '1 resource in 1 file' },
  {
    ...{ name: 'address', outcome: 'warning', code: 'unencrypted' },
    summary: 'http://api.example.test/v1 answered within 12 ms, and more',
    detail: '',
    hint: 'Use an address that begins with https://, whatever it takes.',
  },
  { name: 'token', outcome: 'failure', code: 'x', summary: 'No\u001b[2J', detail: 'Why.' },
  { name: 'scopes', outcome: 'skipped', summary: 'There is no token' },
];

test('a line each, what to do below it, and the sum', () => {
  expect(renderCheckUpsText(all, layout)).toBe(`ok       configuration  1 resource in 1 file
warning  address        http://api.example.test/v1 answered
                        within 12 ms, and more
    Use an address that begins with https://, whatever it
    takes.
failure  token          No\\u001b[2J
    Why.
skipped  scopes         There is no token

1 failure, 1 warning.
`);
  expect(renderCheckUpsText(all.slice(0, 1), layout)).toMatch(/\n\nNo problems found\.\n$/);
  expect(renderCheckUpsText(all.slice(0, 2), layout)).toMatch(/\n\n1 warning\.\n$/);
});

test('colours tell the outcomes apart', () => {
  const text = renderCheckUpsText(all, { columns: 80, style: createAnsiStyle(true) });
  for (const colour of ['\u001b[32mok', '\u001b[33mwarning', '\u001b[31mfailure']) {
    expect(text).toContain(colour);
  }
});

test('for machines', () => {
  expect(renderCheckUpsJson(all)).toMatchObject({ format_version: '1.0', healthy: false });
  expect(renderCheckUpsJson(all.slice(0, 1))).toEqual({
    format_version: '1.0',
    healthy: true,
    checks: [all[0]],
  });
  expect(isEveryCheckUpHealthy(all.slice(0, 2))).toBe(true);
});
