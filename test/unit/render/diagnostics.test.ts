import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { renderDiagnosticsJson } from '../../../src/render/json/diagnostics-json.ts';
import { renderDiagnosticsText } from '../../../src/render/text/diagnostics-text.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';
import { makeFinding, plain } from './sample-plan.ts';

const source = { file: 'main.yaml', line: 12, column: 5, endLine: 12, endColumn: 8 } as const;
const frame = ['  11 | vms:', '> 12 |     wbe:', '     |     ^^^'].join('\n');
const full: Diagnostic = {
  severity: 'error',
  code: 'unknown-key',
  summary: 'Unknown key "wbe"',
  detail:
    'A VM has no such field.\n\n  These are: name, image, configuration, tariff, sshKeys, networks, publicIp.',
  hint: 'Did you mean "web"? Every key of the language is described in the README of the project.',
  address: 'projects.shop.vms.web[0]',
  source: { ...source, frame },
};

describe('as text', () => {
  test('with everything', () =>
    expect(renderDiagnosticsText([full], plain)).toMatchInlineSnapshot(`
      "╷
      │ Error: Unknown key "wbe" [unknown-key]
      │
      │   with projects.shop.vms.web[0],
      │   on main.yaml line 12, column 5:
      │       11 | vms:
      │     > 12 |     wbe:
      │          |     ^^^
      │
      │ A VM has no such field.
      │
      │   These are: name, image, configuration, tariff, sshKeys, networks, publicIp.
      │
      │ Hint: Did you mean "web"? Every key of the language is described in the README
      │ of the project.
      ╵
      "
    `));

  test('a place without a frame, an address without a place', () => {
    const diagnostics = [
      makeFinding({ severity: 'note', source }),
      makeFinding({ severity: 'note', address: 'projects.shop' }),
    ];
    expect(renderDiagnosticsText(diagnostics, plain)).toMatchInlineSnapshot(`
      "╷
      │ Note: Too many cores [quota-exceeded]
      │
      │   on main.yaml line 12, column 5
      ╵
      ╷
      │ Note: Too many cores [quota-exceeded]
      │
      │   with projects.shop
      ╵
      "
    `);
  });

  test('in a line each where that is asked for and nothing is an error', () => {
    const findings = [
      makeFinding({ severity: 'note', code: 'n', summary: 'Something to know' }),
      makeFinding({
        severity: 'warning',
        code: 'w',
        summary: 'A warning that is too long for a line',
        detail: 'D',
      }),
      makeFinding({ severity: 'warning', code: 'v', summary: 'Another', hint: 'H' }),
    ];
    const compact = { ...plain, columns: 40, isCompact: true };
    expect(renderDiagnosticsText(findings, compact)).toMatchInlineSnapshot(`
      "Warnings:

      - A warning that is too long for a line
        [w]
      - Another [v]

      Notes:

      - Something to know [n]

      To see them in full, leave
      --compact-warnings out.
      "
    `);
    expect(renderDiagnosticsText([], compact)).toBe('');
    const withError = [...findings, makeFinding()];
    expect(renderDiagnosticsText(withError, compact)).toBe(
      renderDiagnosticsText(withError, { ...plain, columns: 40 }),
    );
  });

  test('breaks no line that is there to be copied', () => {
    const to = `projects.shop.vms.${'web-with-a-long-name '.repeat(4)}`;
    const detail = `Add to the configuration:\n\nmoved:\n  - from: projects.shop\n    to: "${to}"`;
    const text = renderDiagnosticsText([makeFinding({ detail })], { ...plain, columns: 40 });
    expect(text).toContain(`\n│     to: "${to}"\n`);
  });

  test('at 40 columns, where even the summary is wrapped', () => {
    const summary = 'The name of this VM is longer than the service allows';
    expect(renderDiagnosticsText([{ ...full, summary }], { ...plain, columns: 40 }))
      .toMatchInlineSnapshot(`
      "╷
      │ Error: The name of this VM is longer
      │ than the service allows [unknown-key]
      │
      │   with projects.shop.vms.web[0],
      │   on main.yaml line 12, column 5:
      │       11 | vms:
      │     > 12 |     wbe:
      │          |     ^^^
      │
      │ A VM has no such field.
      │
      │   These are: name, image,
      │   configuration, tariff, sshKeys,
      │   networks, publicIp.
      │
      │ Hint: Did you mean "web"? Every key of
      │ the language is described in the
      │ README of the project.
      ╵
      "
    `);
  });

  test('in colour', () => {
    const layout = { columns: 80, style: createAnsiStyle(true) };
    const text = renderDiagnosticsText([{ ...full, hint: 'Mend it.', detail: 'D.' }], layout);
    expect(text.replaceAll('\u001b', '^')).toMatchInlineSnapshot(`
      "^[31m╷^[39m
      ^[31m│^[39m ^[1m^[31mError: ^[39m^[22m^[1mUnknown key "wbe" ^[22m^[90m[unknown-key]^[39m
      ^[31m│^[39m
      ^[31m│^[39m   with projects.shop.vms.web[0],
      ^[31m│^[39m   on main.yaml line 12, column 5:
      ^[31m│^[39m       11 | vms:
      ^[31m│^[39m     > 12 |     wbe:
      ^[31m│^[39m          |     ^[31m^^^^[39m
      ^[31m│^[39m
      ^[31m│^[39m D.
      ^[31m│^[39m
      ^[31m│^[39m ^[1mHint:^[22m Mend it.
      ^[31m╵^[39m
      "
    `);
    expect(renderDiagnosticsText([makeFinding({ severity: 'note' })], layout)).toContain(
      '\u001b[36m╷',
    );
  });

  test('none is nothing', () => expect(renderDiagnosticsText([], plain)).toBe(''));

  test('foreign text cannot steer the terminal', () => {
    const evil = 'a\u001b[2Jb';
    const text = renderDiagnosticsText(
      [
        {
          severity: 'error',
          code: 'x',
          summary: evil,
          detail: evil,
          hint: evil,
          address: evil,
          source: { ...source, file: evil, frame: evil },
        },
      ],
      plain,
    );
    expect(text).not.toContain('\u001b');
    expect(text.match(/a\\u001b\[2Jb/g)).toHaveLength(6);
  });
});

describe('as JSON', () => {
  test('with everything', () =>
    expect(renderDiagnosticsJson([full]).diagnostics[0]).toEqual({
      severity: 'error',
      code: 'unknown-key',
      summary: full.summary,
      detail: full.detail,
      hint: full.hint,
      address: full.address,
      range: {
        filename: 'main.yaml',
        start: { line: 12, column: 5 },
        end: { line: 12, column: 8 },
      },
      frame,
    }));

  test('with a summary alone', () => {
    expect(renderDiagnosticsJson([makeFinding({ source })]).diagnostics[0]).not.toHaveProperty(
      'frame',
    );
    expect(renderDiagnosticsJson([makeFinding()]).diagnostics).toEqual([
      { severity: 'error', code: 'quota-exceeded', summary: 'Too many cores', detail: '' },
    ]);
  });

  test.each<[string, readonly Diagnostic[], [boolean, number, number]]>([
    ['nothing', [], [true, 0, 0]],
    [
      'a warning and a note',
      [makeFinding({ severity: 'warning' }), makeFinding({ severity: 'note' })],
      [true, 0, 1],
    ],
    ['errors', [makeFinding(), makeFinding()], [false, 2, 0]],
  ])('counts of %s', (_, diagnostics, counts) => {
    const json = renderDiagnosticsJson(diagnostics);
    expect([json.valid, json.error_count, json.warning_count]).toEqual(counts);
  });
});
