// Every folder here is a case: config.yaml, live.json and state.json make the plan in every format that it has. Those that are
// the same as another case's stand there alone, and case.json says whose: `{ "like": "destroy-all" }`.
//
// plan.txt stands in the folders where the words and the layout are the point, plan.oneline.txt or, without the words of the
// findings, plan.lines.txt in all others, and the other formats where they are the point; of one that doesn't stand in a folder, hashes.txt has the hash, so that each change of it
// is seen. plan.json has in its lists an entry a line, and leaves out the
// two sides that follow from the changes, what each case has alike, and what is empty; plan.configuration.json is a part of
// it that the configuration alone decides. Of the page an outline is kept.
// A file that is deleted, or added empty, is a format that the case stores no longer, or from now on: update then.
//
//   UPDATE_GOLDEN=1 npx vitest run test/golden
//     writes what the cases are compared with; read the difference before you commit it.
//   DRAW_GOLDEN=coverage/drawn npx vitest run test/golden -t '^over-quota '
//     draws every format of a case into a folder of its name in that one, also those whose hash alone is kept.
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { measureTerminalWidth } from '../../src/render/format/measure.ts';
import { createAnsiStyle } from '../../src/render/format/style.ts';
import { renderPlanText } from '../../src/render/text/text.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { hasOutputChanges } from '../../src/model/plan/plan.ts';
import { deriveSides } from '../support/derive-sides.ts';
import { expectOneStory } from '../support/expect-one-story.ts';
import {
  drawPlan,
  goldenFiles,
  readCase,
  sameInEach,
  type DrawnPlan,
} from '../support/golden-case.ts';
import {
  drawGolden,
  expectGolden,
  goldenCases,
  goldenFolder,
  readHashes,
  readStored,
  updateGolden,
  writeHashes,
} from '../support/golden-files.ts';
import { changeLines, checkedPlanOf, rearrangedWorld } from '../support/plan-lines.ts';
import { applyPlan } from '../support/simulate.ts';

const isUpdating = process.env.UPDATE_GOLDEN === '1';
const drawsInto = process.env.DRAW_GOLDEN ?? '';
const hashes = readHashes();

afterAll(() => {
  if (isUpdating) writeHashes(hashes);
});

/** The formats that tell of the downtime of a plan. */
const formsOfDowntime = [
  ...(['plan.txt', 'plan.oneline.txt', 'plan.json', 'plan.md', 'plan.html.txt'] as const),
  'plan.events.jsonl',
] as const;

const listToldDowntime = (drawn: DrawnPlan) =>
  formsOfDowntime.filter((form) => /downtime/i.test(drawn[form]));

const compile = async (file: string) => {
  const schema = JSON.parse(await readFile(`schemas/${file}`, 'utf8')) as object;
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
};
const validate = await compile('plan.schema.json');
const validateEvent = await compile('events.schema.json');

/** A public tool that is made for Terraform's plans: it checks one, counts its changes, and draws their differences. */
const readAsTerraform = createRequire(import.meta.url)('@ahmadnassri/terraform-unidiff') as (
  plan: unknown,
) => { summary: { create: number; update: number; delete: number }; patches: readonly string[] };

test.skipIf(isUpdating)('no hash is kept of a case that is gone', () => {
  expect([...hashes.keys()].filter((name) => !goldenCases.includes(name))).toEqual([]);
});

describe.each(goldenCases)('%s', (name) => {
  // Planned and drawn once, for all that is asked of it.
  let world: Awaited<ReturnType<typeof readCase>>;
  let drawn: DrawnPlan;

  beforeAll(async () => {
    world = await readCase(join(goldenFolder, name));
    drawn = drawPlan(world);
    if (isUpdating) updateGolden(name, drawn, hashes);
    if (drawsInto !== '') drawGolden(drawsInto, name, drawn);
  });

  it('is planned and shown as it was', () => {
    expect(readStored(name)).not.toBe('');
    for (const file of goldenFiles) expectGolden(name, file, drawn, hashes);
  });

  it('has a JSON that keeps its schema', () => {
    validate(drawn.json);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('has what each case has, and planned values and a prior state that follow from its changes', () => {
    expect(drawn.json).toMatchObject(sameInEach);
    const { planned_values, prior_state } = drawn.json;
    // As text, in which the order of the keys counts too.
    expect(JSON.stringify({ planned_values, prior_state }, null, 2)).toBe(
      JSON.stringify(deriveSides(drawn.json), null, 2),
    );
  });

  it('has a JSON that a tool made for Terraform counts alike', () => {
    const { add, change, rebuild, destroy, expire = 0 } = drawn.json.hostwright.summary;
    expect(readAsTerraform(drawn.json).summary).toEqual({
      ...{ create: add, update: change + rebuild, delete: destroy + expire },
    });
  });

  it('has events that keep their schema', () => {
    for (const line of drawn['plan.events.jsonl'].trimEnd().split('\n')) {
      validateEvent(JSON.parse(line));
      expect(validateEvent.errors ?? [], line).toEqual([]);
    }
  });

  it('says the same in every form', () => expectOneStory(drawn.plan));

  it('tells its downtime in every form, and in none where no VM runs before it', () => {
    expect(listToldDowntime(drawn)).toEqual(drawn.plan.downtime ? formsOfDowntime : []);
    const resources = world.live.resources.map((one) =>
      one.kind === 'vm' ? { ...one, bootStatus: 'Stopped' as const } : one,
    );
    const unserved = drawPlan({ ...world, live: { ...world.live, resources } });
    expect(unserved.plan).not.toHaveProperty('downtime');
    expect(listToldDowntime(unserved)).toEqual([]);
  });

  it('breaks no word on a narrow terminal', () => {
    const layout = { columns: 40, room: 40, style: createAnsiStyle(false) };
    for (const line of renderPlanText(drawn.plan, layout).split('\n')) {
      // Of a finding, the lines of its file stay whole; of a line, what has no space and no dot.
      const words = line.replace(/^ *(?:# *)?/, '').replace(/^-> /, '');
      if (measureTerminalWidth(line) > 40 && !line.startsWith('│'))
        expect(words).toMatch(/^[^ .]+$/);
    }
  });

  it('leaves nothing to do once it is applied', () => {
    const { plan } = drawn;
    if (hasErrors(plan.findings)) return;
    const done = applyPlan(rearrangedWorld(world), plan);
    // What is replaced because it was asked for is asked for once.
    const planOptions = { ...world.planOptions, replace: [] };
    const next = checkedPlanOf({ ...done, planOptions });
    expect(changeLines(next)).toEqual([]);
    // Of a part, what is left out keeps its outputs waiting.
    const isPart =
      world.planOptions.selection.targets.length + world.planOptions.selection.excludes.length > 0;
    if (!isPart) expect(hasOutputChanges(next)).toBe(false);
  });
});
