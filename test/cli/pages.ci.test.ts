// The samples of the documentation: every block of YAML is valid, every console block that is marked does what it says.
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { formatYaml } from '../../src/config/format/format-yaml.ts';
import { readPages, type Block, type Page } from '../support/pages/read-pages.ts';
import { SampleStage } from '../support/pages/sample-stage.ts';
import { isPrinted, readConsole, runCommand } from './run-console.ts';
import { runInProcess } from './run-in-process.ts';
import { serveDialect } from './serve-dialect.ts';

const pages = readPages();
const yamlOf = (page: Page) => page.blocks.filter(({ language }) => language === 'yaml');

/** The file that a block is, by the comment that it begins with. */
const nameOf = ({ text }: Block) => /^# (\S+\.ya?ml)$/m.exec(text.split('\n')[0] ?? '')?.[1];

let stage: SampleStage;
let count = 0;
beforeAll(async () => {
  stage = await SampleStage.open();
});
afterAll(() => stage.close());

/** The first block of a page for each file that its blocks name. */
function listFiles(page: Page): ReadonlyMap<string, Block> {
  const named = yamlOf(page).flatMap((block) => {
    const name = nameOf(block);
    return name === undefined ? [] : [[name, block] as const];
  });
  return new Map(named.toReversed());
}

/** Writes all blocks of a page that name their file. */
async function writeFiles(page: Page, place: SampleStage, below = ''): Promise<void> {
  for (const [name, { text }] of listFiles(page)) await place.write(join(below, name), text);
}

/** What is said of a sample: with the files of its page, or as a configuration of its own. */
async function findFaults(page: Page, block: Block): Promise<readonly string[]> {
  const own = `sample-${(count += 1)}`;
  const name = nameOf(block);
  let env = {};
  if (name === undefined) env = await stage.place(own, block.text);
  else {
    await writeFiles(page, stage, own);
    await stage.write(join(own, 'hosting.contract.yaml'), 'version: 1\n');
    await stage.write(join(own, name), block.text);
  }
  const directory = join(own, dirname(name ?? 'main.yaml'));
  const { stdout } = await runInProcess(['validate', directory, '--json'], {
    ...{ cwd: stage.path, env },
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { severity: string; code: string; summary: string; detail: string }[];
  };
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, summary, detail }) => `${code}: ${summary} ${detail}`);
}

/** True for a file of values, of tests or of a module, which are no configuration alone. */
function isOther({ text, marks }: Block, name: string | undefined): boolean {
  const isPart = name !== undefined && !/^version:/m.test(text);
  return marks.includes('other') || /^tests:/m.test(text) || isPart;
}

describe.each(pages.filter((page) => yamlOf(page).length > 0))('$path', (page) => {
  test.each(yamlOf(page).map((block) => [block.line, block] as const))(
    'the YAML at line %i is valid',
    async (_, block) => {
      const faulty = parseAllDocuments(block.text).flatMap(({ errors }) => errors);
      expect(faulty).toEqual([]);
      const name = nameOf(block);
      if (isOther(block, name)) return;
      const expected = block.marks.find((mark) => mark.startsWith('fails='))?.slice(6);
      const faults = await findFaults(page, block);
      if (expected === undefined) expect(faults, block.text).toEqual([]);
      else expect(faults.map((fault) => fault.split(':')[0])).toEqual([expected]);
    },
  );
});

/** Makes the fault that a block shows: `typo=RIGHT/WRONG` in the first file of the page. */
async function applyTypo(page: Page, { marks }: Block, place: SampleStage): Promise<void> {
  const typo = marks.find((mark) => mark.startsWith('typo='));
  const file = yamlOf(page).find((block) => nameOf(block) !== undefined);
  if (typo === undefined || !file) return;
  const [right = '', wrong = ''] = typo.slice('typo='.length).split('/');
  expect(file.text).toContain(right);
  await place.write(nameOf(file) ?? '', file.text.replace(right, wrong));
}

const configurations = pages.flatMap((page) =>
  yamlOf(page)
    .filter(({ text }) => /^version:/m.test(text))
    .map((block) => [page.path, block.line, block] as const),
);

test.each(configurations)(
  '%s: the configuration at line %i is what "hostwright fmt" writes',
  (_path, _line, { text }) => {
    expect(formatYaml('main.yaml', text, { isOrdered: true }).text).toBe(text);
  },
);

const withConsole = pages.filter(({ blocks }) => blocks.some(({ marks }) => marks.includes('run')));

/** The address of the service on pages. */
const shownAddress = 'https://api.example.com/v1';

/** The service of a page that has `dialect=NAME` at a block, at its address; a page without one names no service. */
async function openService(page: Page, place: SampleStage) {
  const mark = page.blocks.flatMap(({ marks }) => marks).find((one) => one.startsWith('dialect='));
  if (mark === undefined) return { env: {}, here: (text: string) => text, shown: String };
  const served = await serveDialect(mark.slice('dialect='.length));
  onTestFinished(() => served.stop());
  const { baseUrl, token, document } = served;
  await place.write('service.json', document);
  return {
    env: { HOSTWRIGHT_TOKEN: token },
    here: (text: string) => text.replaceAll(shownAddress, baseUrl),
    shown: (text: string) => text.replaceAll(baseUrl, shownAddress),
  };
}

/** Makes the change that a block shows: `edits=FILE`, with `-` before each line that goes and `+` before each that comes. */
async function applyEdit({ text, marks }: Block, place: SampleStage): Promise<void> {
  const file = marks.find((mark) => mark.startsWith('edits='))?.slice('edits='.length);
  if (file === undefined) return;
  const linesOf = (sign: string) =>
    text.split('\n').flatMap((line) => (line.startsWith(sign) ? [`${line.slice(1)}\n`] : []));
  const [before, after] = [linesOf('-').join(''), linesOf('+').join('')];
  const whole = await readFile(join(place.path, file), 'utf8');
  expect(whole).toContain(before);
  await place.write(
    file,
    whole.replace(before, () => after),
  );
}

test.each(withConsole)('the console of $path does what it says', async (page) => {
  const own = await SampleStage.open();
  onTestFinished(() => own.close());
  const { env, here, shown } = await openService(page, own);
  const files = listFiles(page);
  for (const [name, { text }] of files) await own.write(name, here(text));
  for (const block of page.blocks) {
    await applyEdit(block, own);
    const name = block.language === 'yaml' ? nameOf(block) : undefined;
    // A file that an earlier block has: from here on, it is as this one shows it.
    if (name !== undefined && files.get(name) !== block) await own.write(name, here(block.text));
    if (!block.marks.includes('run')) continue;
    await applyTypo(page, block, own);
    for (const { command, output } of readConsole(block.text)) {
      const printed = shown(await runCommand(command, own.path, env));
      const place = `${page.path}:${block.line} $ ${command}\n${printed}`;
      expect(isPrinted(output, printed), place).toBe(true);
    }
  }
});

test('there are blocks to try on many pages', () => {
  expect(withConsole.length).toBeGreaterThan(1);
  expect(pages.flatMap(yamlOf).length).toBeGreaterThan(60);
});
