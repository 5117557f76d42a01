// One rehearsal in every form of a plan.
import { describe, expect, it } from 'vitest';
import {
  describeRehearsalEvent,
  describeRehearsalJson,
} from '../../../src/render/json/rehearsal-json.ts';
import { renderPlanHtml } from '../../../src/render/html/report.ts';
import { renderPlanMarkdown } from '../../../src/render/markdown/markdown.ts';
import { renderPlanOneline } from '../../../src/render/text/oneline-text.ts';
import { renderPlanText } from '../../../src/render/text/text.ts';
import { makeChange, makePlan, plain } from './sample-plan.ts';
import { makeFailure, makeRehearsal, vm } from './sample-rehearsal.ts';

const plan = makePlan([makeChange({ action: 'create', after: { name: 'web' } })]);
const hostile = makeRehearsal({
  failures: [makeFailure('projects.shop.vms["<b>\u001b[31m"]')],
  faults: { file: '<script>\u202e', each: [] },
});

describe('the text', () => {
  it('has it below the plan, within the width', () => {
    expect(renderPlanText(plan, { ...plain, rehearsal: makeRehearsal() })).toContain(
      'Plan: 1 to add, 0 to change, 0 to destroy.\n\nRehearsal: 3 changes end in 4m10s, and a second plan has no changes.\n  Not known:',
    );
    const skipped = Array.from({ length: 30 }, (_, index) => vm(`some-long-name-${index}`));
    const wide = renderPlanText(plan, { ...plain, rehearsal: makeRehearsal({ skipped }) });
    expect(wide.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('has it below the lines of --oneline, too', () => {
    const text = renderPlanOneline(plan, { ...plain, room: Infinity }, makeRehearsal());
    expect(text).toContain('0 to destroy.\n\nRehearsal: 3 changes end in 4m10s');
    expect(renderPlanOneline(plan, { ...plain, room: Infinity })).not.toContain('Rehearsal');
  });

  it('says nothing of it where nothing was rehearsed', () =>
    expect(renderPlanText(plan, plain)).not.toContain('Rehearsal'));

  it('escapes what strangers have written', () => {
    const text = renderPlanText(plan, { ...plain, rehearsal: hostile });
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
  });
});

describe('the comment', () => {
  it('has a line of it', () => {
    expect(renderPlanMarkdown(plan, { rehearsal: makeRehearsal() })).toContain(
      '\n**Rehearsal:** 3 changes end in 4m10s, and a second plan has no changes.\n',
    );
  });

  it('fences what does not come about', () => {
    const text = renderPlanMarkdown(plan, { rehearsal: hostile });
    expect(text).toMatch(/```diff\n! Fails: projects\.shop\.vms\["<b>.*\(create\)/);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
  });
});

describe('the page', () => {
  const render = (rehearsal = makeRehearsal()) =>
    renderPlanHtml(plan, { version: '1', plannedAt: 0, hashOf: () => '', rehearsal });

  it('has a section of it with its timeline', () => {
    const page = render();
    expect(page).toContain('<li><a href="#rehearsal">Rehearsal</a></li>');
    expect(page).toContain('aria-label="Timeline of the rehearsal"');
    expect(page).toContain('<p class="closing-verdict">3 changes end in 4m10s');
  });

  it('escapes what strangers have written', () => {
    const page = render(hostile);
    expect(page).toContain('class="closing-verdict bad"');
    expect(page).not.toMatch(/vms\["<b>|<script>\u202e/);
  });
});

it('the event counts', () => {
  const trials = { count: 4, whole: 3, medianMs: 1, worstMs: 2, failures: [] };
  const rehearsal = makeRehearsal({ failures: [makeFailure(vm('web'))], trials });
  expect(describeRehearsalEvent(rehearsal, 0)).toMatchObject({
    type: 'rehearsal',
    '@message': expect.stringMatching(/^Rehearsal: 3 changes end whole in 3 of 4/) as string,
    hostwright: {
      ...{ whole: false, duration_ms: 250_000, changes: 3, failed: 1, skipped: 0, remaining: 0 },
      rehearsals: { total: 4, whole: 3 },
    },
  });
});

it.each([
  [true, {}],
  [false, { failures: [makeFailure(vm('web'))] }],
  [false, { errors: 1 }],
])('a rehearsal in JSON says whether it came about as a whole: %s', (whole, given) => {
  expect(describeRehearsalJson(makeRehearsal(given)).whole).toBe(whole);
});
