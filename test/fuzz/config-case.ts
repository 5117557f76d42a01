import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import { renderDiagnosticsJson } from '../../src/render/json/diagnostics-json.ts';
import { renderDiagnosticsText } from '../../src/render/text/diagnostics-text.ts';
import { createAnsiStyle } from '../../src/render/format/style.ts';
import { Dice } from '../scenario/simulation/dice.ts';
import { makeLive } from '../support/account.ts';
import { drawPlan } from '../support/golden-case.ts';
import { makeState } from '../support/memory.ts';
import { checkedPlanOf } from '../support/plan-lines.ts';
import { JumpingClock } from '../unit/api/fake-service.ts';
import { readCorpus, type Files } from './corpus.ts';
import type { Found } from './found.ts';
import { makeBytes, mutateText } from './mutate-text.ts';
import { findLeaks, plantedEnvironment } from './planted.ts';
import { runCommand } from './run-command.ts';
import { writeConfiguration } from './write-configuration.ts';

/** One in so many goes through the whole command line. */
const wholeEvery = 100;

const live = makeLive({});
const state = makeState({}, live);
const layout = { columns: 80, style: createAnsiStyle(false) };

/** The files of one case. */
function makeFiles(dice: Dice): Files {
  const corpus = readCorpus();
  const files: Record<string, string | Uint8Array> = { ...dice.pick(corpus) };
  if (dice.chance(0.3)) files['main.yaml'] = writeConfiguration(dice);
  if (dice.chance(0.1)) files['more.yaml'] = writeConfiguration(dice);
  const [other = ''] = Object.values(dice.pick(corpus)).filter((one) => typeof one === 'string');
  for (const [name, text] of Object.entries(files)) {
    if (typeof text !== 'string' || dice.chance(0.25)) continue;
    const mutated = mutateText(text, dice, other);
    files[name] = dice.chance(0.05) ? makeBytes(mutated, dice) : mutated;
  }
  return files;
}

function writeFiles(directory: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    if (name.includes('/')) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** What can be seen of a configuration without the command line; all of it in one text. */
async function examine(directory: string, dice: Dice): Promise<string> {
  const { configuration, diagnostics } = await loadConfiguration({
    directory,
    workingDirectory: directory,
    variables: { env: plantedEnvironment },
  });
  const shown = [
    renderDiagnosticsText(diagnostics, layout),
    JSON.stringify(renderDiagnosticsJson(diagnostics)),
  ];
  if (configuration) {
    const world = { mode: 'apply', desired: configuration.graph, live, state } as const;
    if (dice.chance(0.1)) {
      const { json, ...drawn } = drawPlan(world);
      const texts = Object.values(drawn).filter((one) => typeof one === 'string');
      shown.push(...texts, JSON.stringify(json));
    } else checkedPlanOf(world);
  }
  return shown.join('\n');
}

/** The whole command line, against the embedded sandbox. */
async function runWhole(directory: string, dice: Dice): Promise<string> {
  const formats = ['text', 'json', 'markdown', 'html', 'sarif', 'junit'];
  const args = dice.pick([
    ['plan', '--format', dice.pick(formats)],
    ['validate', '--format', dice.pick(['text', 'json', 'sarif', 'junit'])],
    ['plan', '--json'],
    ['graph'],
    ['apply', '--auto-approve'],
  ]);
  const { code, output } = await runCommand(args, {
    cwd: directory,
    env: plantedEnvironment,
    clock: new JumpingClock(),
    fetch: () => Promise.reject(new Error('nothing is asked here')),
  });
  if (output.includes('a bug in Hostwright')) throw new Error(output);
  if (![0, 1].includes(code)) throw new Error(`exit code ${code}: ${output}`);
  return output;
}

/** Runs one case in a directory of its own. */
export async function runConfigCase(seed: number, directory: string): Promise<Found> {
  const dice = new Dice(seed, 'configuration');
  const files = makeFiles(dice);
  const texts = Object.values(files).map((one) =>
    typeof one === 'string' ? one : Buffer.from(one).toString(),
  );
  writeFiles(directory, files);
  try {
    const output = await examine(directory, dice);
    const whole = dice.below(wholeEvery) === 0 ? await runWhole(directory, dice) : '';
    const leaks = [...findLeaks(output, texts), ...findLeaks(whole, texts)];
    const problems = leaks.map((one) => `The output shows ${one}.`);
    if (output.length > 5_000_000) problems.push(`The output has ${output.length} characters.`);
    return { problems, files, cases: 1, output: `${output}\n${whole}` };
  } catch (error) {
    return { problems: [describe(error)], files, cases: 1, output: '' };
  } finally {
    const names = new Set(Object.keys(files).map((name) => name.split('/')[0] ?? name));
    for (const name of [...names, '.hostwright', '.box', 'secrets']) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
}

/** An error that nothing should have thrown. */
export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
