import { describe, expect, test } from 'vitest';
import { commandFamilies } from '../../../../src/cli/command-families.ts';
import { completionScripts } from '../../../../src/cli/commands/completion-command.ts';
import { guardOutputSink } from '../../../../src/cli/output/terminal.ts';
import { buildProgram } from '../../../../src/cli/program.ts';
import { escapeStreamOutput } from '../../../../src/render/format/escape.ts';
import { renderFirstConfiguration } from '../../../../src/render/yaml/first-configuration.ts';
import { reportScript } from '../../../../src/render/html/page.ts';
import { reportStyle } from '../../../../src/render/html/style.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { silentContext, silentRuntime } from '../../../support/silent-runtime.ts';

function write(text: string, isPlain: boolean): string {
  let written = '';
  const sink = { ...silentRuntime.stdout, write: (one: string) => void (written += one) };
  guardOutputSink({ ...sink, isTTY: true, columns: 80, rows: 24 }, isPlain).write(text);
  return written;
}

const { bold, dim, red, green, yellow, cyan, magenta } = createAnsiStyle(true);

describe('a stream', () => {
  test('lets our own colours and the live region pass, and nothing else', () => {
    const painted = [bold, dim, red, green, yellow, cyan, magenta].map((paint) => paint('x'));
    const region = '\u001b[12A\r\u001b[J';
    for (const ours of [...painted, region]) expect(write(ours, false)).toBe(ours);
    for (const foreign of [
      '\u001b[5m',
      '\u001b[2J',
      '\u001b]0;x\u0007',
      '\u001b[12A',
      '\r',
      '\u009b1m',
    ]) {
      expect(write(foreign, false)).toMatch(/^\\u00(1b|0d|9b)/);
    }
  });

  test('lets no sequence pass where there is no terminal', () =>
    expect(write(bold('x'), true)).toBe(String.raw`\u001b[1mx\u001b[22m`));

  test('changes nothing that we say ourselves', async () => {
    const program = await buildProgram(commandFamilies, silentContext);
    const said = [
      reportScript,
      reportStyle,
      renderFirstConfiguration(undefined),
      ...Object.values(completionScripts),
      ...program.commands.map((command) => command.helpInformation()),
    ];
    for (const text of said) expect(escapeStreamOutput(text)).toBe(text);
  });
});
