// The samples of the documentation: every block of YAML is valid, every console block that is marked does what it says.
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { formatYaml } from '../../src/config/format/format-yaml.ts';
import { readPages, type Block, type Page } from '../support/pages/read-pages.ts';
import { SampleStage } from '../support/pages/sample-stage.ts';
import { isPrinted, readConsole, runCommand } from './run-console.ts';
import { runInProcess } from './run-in-process.ts';

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

/** Writes all blocks of a page that name their file. */
async function writeFiles(page: Page, place: SampleStage, below = ''): Promise<void> {
  for (const block of yamlOf(page)) {
    const name = nameOf(block);
    if (name !== undefined) await place.write(join(below, name), block.text);
  }
}

/** What is said of a sample: with the files of its page, or as a configuration of its own. */
async function findFaults(page: Page, block: Block): Promise<readonly string[]> {
  const own = `sample-${(count += 1)}`;
  const name = nameOf(block);
  if (name === undefined) await stage.writeConfiguration(own, block.text);
  else await writeFiles(page, stage, own);
  const directory = join(own, dirname(name ?? 'main.yaml'));
  const { stdout } = await runInProcess(['validate', directory, '--json'], { cwd: stage.path });
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

test.each(withConsole)('the console of $path does what it says', async (page) => {
  const own = await SampleStage.open();
  onTestFinished(() => own.close());
  await writeFiles(page, own);
  for (const block of page.blocks.filter(({ marks }) => marks.includes('run'))) {
    await applyTypo(page, block, own);
    for (const { command, output } of readConsole(block.text)) {
      const printed = await runCommand(command, own.path);
      const place = `${page.path}:${block.line} $ ${command}\n${printed}`;
      expect(isPrinted(output, printed), place).toBe(true);
    }
  }
});

test('there are blocks to try on many pages', () => {
  expect(withConsole.length).toBeGreaterThan(1);
  expect(pages.flatMap(yamlOf).length).toBeGreaterThan(60);
});
