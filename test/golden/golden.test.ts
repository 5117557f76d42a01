// Every folder here is a case: config.yaml, live.json and state.json make the plan in every form that it has; of the
// page an outline is kept.
// UPDATE_GOLDEN=1 npx vitest run --project unit test/golden writes what the cases are compared with; read the
// difference before you commit it.
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureWidth } from '../../src/render/format/measure.ts';
import { createStyle } from '../../src/render/format/style.ts';
import { renderPlanText } from '../../src/render/text/text.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { changesOutputs } from '../../src/model/plan/plan.ts';
import { expectOneStory } from '../support/expect-one-story.ts';
import { drawPlan, goldenFiles, readCase, readGolden } from '../support/golden-case.ts';
import { changeLines, checkedPlanOf, rearrangedWorld } from '../support/plan-lines.ts';
import { applyPlan } from '../support/simulate.ts';

const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const isUpdating = process.env.UPDATE_GOLDEN === '1';

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

describe.each(cases)('%s', (name) => {
  const directory = join(root, name);
  // Planned and drawn once, for all that is asked of it.
  let world: Awaited<ReturnType<typeof readCase>>;
  let drawn: ReturnType<typeof drawPlan>;

  beforeAll(async () => {
    world = await readCase(directory);
    drawn = drawPlan(world);
  });

  it('is planned and shown as it was', () => {
    for (const file of goldenFiles) {
      if (isUpdating) writeFileSync(join(directory, file), drawn[file]);
      expect(drawn[file]).toBe(readGolden(directory, file));
    }
  });

  it('has a JSON that keeps its schema', () => {
    validate(JSON.parse(drawn['plan.json']));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('has a JSON that a tool made for Terraform counts alike', () => {
    const json = JSON.parse(drawn['plan.json']) as {
      hostwright: { summary: { add: number; change: number; rebuild: number; destroy: number } };
    };
    const { add, change, rebuild, destroy } = json.hostwright.summary;
    expect(readAsTerraform(json).summary).toEqual({
      ...{ create: add, update: change + rebuild, delete: destroy },
    });
  });

  it('has events that keep their schema', () => {
    for (const line of drawn['plan.events.jsonl'].trimEnd().split('\n')) {
      validateEvent(JSON.parse(line));
      expect(validateEvent.errors ?? [], line).toEqual([]);
    }
  });

  it('says the same in every form', () => {
    expectOneStory(drawn.plan);
  });

  it('breaks no word on a narrow terminal', () => {
    const layout = { columns: 40, room: 40, style: createStyle(false) };
    for (const line of renderPlanText(drawn.plan, layout).split('\n')) {
      // Of a finding, the lines of its file stay whole; of a line, what has no space and no dot.
      const words = line.replace(/^ *(?:# *)?/, '').replace(/^-> /, '');
      if (measureWidth(line) > 40 && !line.startsWith('│')) expect(words).toMatch(/^[^ .]+$/);
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
    if (!isPart) expect(changesOutputs(next)).toBe(false);
  });
});
