import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runInProcess } from './run-in-process.ts';
import { expectFailure } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await openFolder('habits');
  await writeFile(
    join(directory, 'main.yaml'),
    'version: 1\nservice: { sandbox: {} }\nvariables: { name: { default: shop } }\nprojects: { a: { name: "${var.name}" } }\n',
  );
});

const run = (line: string, input?: string) =>
  runInProcess(line.split(' '), { cwd: directory, ...(input !== undefined && { input }) });

test('a pipeline for Terraform runs as it is', async () => {
  expect(await run('validate -no-color -json')).toMatchObject({ code: 0 });
  const planned = await run(
    'plan -input=false -no-color -compact-warnings -detailed-exitcode -lock-timeout=30s -var name=b -out=x.hwp',
  );
  expect(planned).toMatchObject({ code: 2, stderr: '' });
  expect(planned.stdout).toContain('+ name = "b"');
  expect((await stat(join(directory, 'x.hwp'))).isFile()).toBe(true);
  expect(await run('apply -input=false -auto-approve -var name=b x.hwp')).toMatchObject({
    code: 0,
  });
  expect(await run('state list')).toMatchObject({ code: 0, stdout: 'projects.a\n' });
  expect((await run('destroy -auto-approve -refresh=true -parallelism=3')).code).toBe(0);
});

test('with -input=false nobody is asked, whoever sits there', async () => {
  expectFailure(await run('apply -input=false', 'yes\n'), 'Use --auto-approve');
  expect(await run('apply -input=true', 'yes\n')).toMatchObject({ code: 0 });
});

test('what follows a flag with a value is its value', async () => {
  expectFailure(await run('plan --var -out=x'), '[undeclared-variable]');
  expect(await run('plan --out -json')).toMatchObject({ code: 0 });
  expect((await stat(join(directory, '-json'))).isFile()).toBe(true);
});

test('what is not known is told on standard error, and to programs', async () => {
  const told = { code: 'unknown-flag', hint: 'Did you mean --format?' };
  const text = await run('plan --fromat json');
  expect(text).toMatchObject({ code: 1, stdout: '' });
  expect(text.stderr).toContain('Error: "hostwright plan" has no flag --fromat [unknown-flag]');

  const events = await run('plan --json --fromat=text');
  const [version, event] = events.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(version).toMatchObject({ type: 'version' });
  expect(event).toMatchObject({ type: 'diagnostic', diagnostic: told });

  const document = await run('validate --json --fromat=text');
  expect(JSON.parse(document.stdout)).toMatchObject({ valid: false, diagnostics: [told] });
  const failure = await run('limits --json a b');
  expect(JSON.parse(failure.stdout)).toMatchObject({
    outcome: 'failed',
    diagnostics: [
      { code: 'too-many-arguments', summary: '"hostwright limits" takes 1 argument, and got 2' },
    ],
  });
  expect(failure.code).toBe(1);
});

test.each([
  ['state show', '"hostwright state show" needs the argument <address>'],
  ['state migrate', '"hostwright state migrate" needs --to <file>'],
  ['plan --json --format json', '--json cannot be used with --format'],
  ['plan --format yaml', '--format cannot be "yaml"'],
  ['completion tcsh', 'The argument <shell> cannot be "tcsh"'],
  ['plan --out', '--out <file> needs its value'],
])('%s', async (line, summary) => {
  const { code, stderr } = await run(line);
  expect(code).toBe(1);
  expect(stderr.replaceAll('\n│ ', ' ')).toContain(`Error: ${summary} [`);
});

test('the help of every command lists the flags that all share', async () => {
  for (const line of ['plan -help', 'state show --help', 'help vm']) {
    const { code, stdout } = await run(line);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Global Options:\n {2}--no-color [^]*--chdir <dir>[^]*--var-file/);
    expect(stdout).not.toMatch(/ -[a-z]{2}/);
  }
});
