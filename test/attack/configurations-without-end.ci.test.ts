import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { expectFailure } from '../support/expect-words.ts';

// A pull request writes any file of the configuration. It gets neither all memory of the machine nor all of its time.

const directories: string[] = [];

afterEach(() => {
  for (const one of directories.splice(0)) rmSync(one, { recursive: true });
});

/** What `hostwright validate ARGS` says of these files, and the processor time that it took. */
async function validate(files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const cwd = mkdtempSync(join(tmpdir(), 'hostwright-attack-'));
  directories.push(cwd);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const before = process.cpuUsage();
  const { code, stdout } = await runInProcess(['validate', '--format', 'json', ...args], { cwd });
  const { user, system } = process.cpuUsage(before);
  const said = JSON.parse(stdout) as {
    readonly error_count: number;
    readonly diagnostics: readonly { readonly code: string; readonly summary: string }[];
  };
  return {
    code,
    ...said,
    codes: said.diagnostics.map((one) => one.code),
    cpuS: (user + system) / 1e6,
  };
}

const head = 'version: 1\nservice: { sandbox: true }\n';
const vm = 'image: a, configuration: b, tariff: c';

describe('attack g: few lines that stand for very many resources', () => {
  const nested = {
    'main.yaml': `${head}modules:\n  x: { source: ./a, count: 1000 }\n`,
    'a/main.yaml': 'modules:\n  y: { source: ./b, count: 1000 }\n',
    'a/b/main.yaml': `projects:\n  p: { vms: { w: { count: 3, ${vm} } } }\n`,
  };

  test('a module with count: 1000 in a module with count: 1000 is not expanded', async () => {
    const { code, codes, diagnostics, cpuS } = await validate(nested);
    expect(code).toBe(1);
    expect(codes).toEqual(['too-many-module-instances']);
    expect(diagnostics[0]?.summary).toBe('The configuration has more than 10,000 module instances');
    expect(cpuS).toBeLessThan(10);
  });

  test('nor are thirty modules that use one another twice', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index): [string, string] => {
        const next = `{ source: ../m${index + 1} }`;
        const uses = `modules:\n  l: ${next}\n  r: ${next}\n`;
        return [`m${index}/main.yaml`, index < 29 ? uses : 'locals: { a: 1 }\n'];
      }),
    );
    const main = { 'main.yaml': `${head}modules:\n  l: { source: ./m0 }\n` };
    const { codes, cpuS } = await validate({ ...main, ...files });
    expect(codes).toEqual(['too-many-module-instances']);
    expect(cpuS).toBeLessThan(10);
  });

  test('nor a module of very many values in ten thousand instances', async () => {
    const locals = Array.from({ length: 1000 }, (_, index) => `  l${index}: 1\n`).join('');
    const { codes } = await validate({
      'main.yaml': `${head}modules:\n  x: { source: ./a, count: 10000 }\n`,
      'a/main.yaml': `locals:\n${locals}`,
    });
    expect(codes).toEqual(['too-many-module-instances']);
  });

  test.each([
    ['a count', `w: { count: 100000, ${vm} }\n      v: { count: 100000, ${vm} }`],
    [
      'a count that is worked out',
      `w: { count: "\${50000 * 2}", ${vm} }\n      v: { count: 60000, ${vm} }`,
    ],
    [
      'a count that something reads first',
      `w: { count: 90000, name: "\${projects.p.vms.v[0].name}", ${vm} }\n      v: { count: 90000, name: x, ${vm} }`,
    ],
  ])('%s is refused before it is expanded', async (_, vms) => {
    const main = `${head}projects:\n  p:\n    vms:\n      ${vms}\n`;
    const { codes, diagnostics, cpuS } = await validate({ 'main.yaml': main });
    expect(codes).toEqual(['too-many-resources']);
    expect(diagnostics[0]?.summary).toBe('The configuration has more than 150,000 resources');
    expect(cpuS).toBeLessThan(10);
  });

  test('a count of a hundred million is out of range', async () => {
    const main = `${head}projects: { p: { vms: { w: { count: 100000000, ${vm} } } } }\n`;
    expect((await validate({ 'main.yaml': main })).codes).toContain('out-of-range');
  });

  test('flags raise the bounds, and lower them', async () => {
    const main = { 'main.yaml': `${head}projects: { p: { vms: { w: { count: 20, ${vm} } } } }\n` };
    expect((await validate(main)).code).toBe(0);
    expect((await validate(main, ['--max-resources', '20'])).codes).toEqual(['too-many-resources']);
    expect((await validate(main, ['--max-resources=21'])).code).toBe(0);
    const few = ['--max-module-instances', '999'];
    const one = { ...nested, 'a/main.yaml': 'locals: { a: 1 }\n' };
    expect((await validate(one, few)).codes).toEqual(['too-many-module-instances']);
    expect((await validate(one)).code).toBe(0);
    expectFailure(
      await runInProcess(['validate', '--max-resources', 'many']),
      '--max-resources takes a whole number above zero',
    );
  });
});

describe('attack n: a configuration that takes all memory or time', () => {
  test('a file that is too large is not read', async () => {
    const main = `${head}# ${'x'.repeat(64 * 1024 * 1024)}\n`;
    const before = process.resourceUsage().maxRSS;
    const { codes, diagnostics, cpuS } = await validate({ 'main.yaml': main });
    expect(codes).toEqual(['file-too-large']);
    expect(diagnostics[0]?.summary).toBe('main.yaml is larger than 64 MB');
    expect(cpuS).toBeLessThan(5);
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(300);
  });

  test('a flag lowers the size of a file, and raises it', async () => {
    const main = { 'main.yaml': `${head}projects: { p: }\n# ${'x'.repeat(2 * 1024 * 1024)}\n` };
    expect((await validate(main, ['--max-file-size', '2'])).codes).toEqual(['file-too-large']);
    expect((await validate(main, ['--max-file-size', '3'])).code).toBe(0);
  });

  test('a dense file is not parsed: its values take far more room than its letters', async () => {
    const main = `${head}locals: { a: [${'1,'.repeat(100_000)}1] }\n`;
    const { codes, diagnostics } = await validate({ 'main.yaml': main }, ['--max-file-size', '1']);
    expect(codes).toEqual(['file-too-large']);
    expect(diagnostics[0]?.summary).toBe('main.yaml holds more than 65536 values');
    expect((await validate({ 'main.yaml': main }, ['--max-file-size', '2'])).code).toBe(0);
  });

  test('aliases of aliases of aliases', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) =>
        `  a${index}: &a${index} [${Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*a${index - 1}`)).join(', ')}]\n`,
    );
    const { codes, cpuS } = await validate({ 'main.yaml': `${head}locals:\n${levels.join('')}` });
    expect(codes).toEqual(['too-many-aliases']);
    expect(cpuS).toBeLessThan(5);
  });

  test.each([
    ['[', ']'],
    ['{a: ', '}'],
    ['- ', ''],
    ['? ', ''],
  ])('20,000 levels of %s', async (open, close) => {
    const text = `${head}locals:\n  a: ${open.repeat(20_000)}${close.repeat(20_000)}\n`;
    const { code, cpuS } = await validate({ 'main.yaml': text });
    expect(code).toBe(1);
    expect(cpuS).toBeLessThan(10);
  });

  const many = Array.from({ length: 2_000 }, (_, index) => `  p${index}: { vmz: 1 }\n`).join('');

  test('thousands of faults: 500 are shown, the others counted', async () => {
    const { diagnostics, codes, error_count } = await validate({
      'main.yaml': `${head}projects:\n${many}`,
    });
    expect(codes).toHaveLength(501);
    expect(codes.slice(-2)).toEqual(['unknown-key', 'more-not-shown']);
    expect(diagnostics.at(-1)?.summary).toBe('There are 1500 errors more, which are not shown');
    expect(error_count).toBe(2_000);
    const cwd = directories.at(-1) ?? '';
    const text = await runInProcess(['validate'], { cwd });
    expect(text.stderr.match(/\[unknown-key\]/g)).toHaveLength(500);
    expect(text.stderr).toContain('[more-not-shown]');
    expect(text.stderr.length).toBeLessThan(1_000_000);
    const sarif = await runInProcess(['validate', '--format', 'sarif'], { cwd });
    const log = JSON.parse(sarif.stdout) as { runs: { results: { ruleId: string }[] }[] };
    expect(log.runs[0]?.results).toHaveLength(501);
    const junit = await runInProcess(['validate', '--format', 'junit'], { cwd });
    expect(junit.stdout).toContain('tests="501" failures="501"');
  });

  const ten = '[0,1,2,3,4,5,6,7,8,9]';
  const loops = (inner: string) =>
    ['a', 'b', 'c', 'd', 'e'].reduceRight((all, name) => `${ten}.map(${name}, ${all})`, inner);
  const outputs = (inner: string, count: number) =>
    Array.from(
      { length: count },
      (_, index) => `  o${index}: { value: "\${${loops(`${inner} + ${index}`)}}" }\n`,
    ).join('');

  test('40 costly outputs share one budget', async () => {
    const { codes, diagnostics, cpuS } = await validate({
      'main.yaml': `${head}outputs:\n${outputs('a * b + c * d', 40)}`,
    });
    expect(new Set(codes)).toEqual(new Set(['expression-too-costly']));
    expect(diagnostics.map((one) => one.summary)).toContain(
      'The expressions of this run take too long to evaluate together',
    );
    expect(cpuS).toBeLessThan(30);
  });
});
