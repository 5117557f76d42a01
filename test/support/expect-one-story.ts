import { expect } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import { renderPlanHtml } from '../../src/render/html/report.ts';
import { renderPlanJson } from '../../src/render/json/json.ts';
import { renderFindingsJunit } from '../../src/render/json/junit.ts';
import { renderPlanMarkdown } from '../../src/render/markdown/markdown.ts';
import { describePlanEvents } from '../../src/render/json/plan-events-json.ts';
import { renderSarif } from '../../src/render/json/sarif.ts';
import { createAnsiStyle } from '../../src/render/format/style.ts';
import { renderPlanText } from '../../src/render/text/text.ts';
import {
  readEvents,
  readHtml,
  readJson,
  readJunit,
  readMarkdown,
  readSarif,
  readTextForm,
  type Facts,
} from './read-formats.ts';

const meta = { version: '0', plannedAt: 0, fingerprints: {} };
const layout = { columns: Infinity, style: createAnsiStyle(false) };

/** Expects every form of a plan to say the same counts, addresses with their actions, and findings. */
export function expectOneStory(plan: Plan): void {
  const json = readJson(renderPlanJson(plan, meta));
  const shown = hideCounts(json);
  for (const isVerbose of [false, true]) {
    const told = isVerbose ? shown : shortenStanding(shown);
    expect(readTextForm(renderPlanText(plan, { ...layout, isVerbose }))).toEqual(told);
    expect(readMarkdown(renderPlanMarkdown(plan, { isVerbose }))).toEqual(told);
  }
  expect(readHtml(renderPlanHtml(plan, { ...meta, hashOf: () => '' }))).toEqual(shown);
  expect(readEvents([...describePlanEvents(plan, 0)])).toEqual({ ...json, drift: driftOf(plan) });
  expect(readSarif(renderSarif(plan.findings, '0', { changes: plan.changes }))).toEqual(
    json.findings,
  );
  expect(readJunit(renderFindingsJunit(plan.findings))).toEqual(json.findings);
}

/** What every plan says anew is one line for people, without a line for its address. */
const shortenStanding = (facts: Facts): Facts => ({
  ...facts,
  findings: facts.findings
    .map((line) => line.replace(/^(note waits-for-rebuild) .*/, '$1 -'))
    .sort(),
});

/** For people there are no counts where nothing changes. */
const hideCounts = (facts: Facts): Facts =>
  facts.changes.length === 0 ? { ...facts, counts: undefined } : facts;

/** As programs are told of it, in every plan. */
const driftOf = ({ drift = [] }: Plan): string[] =>
  drift.map(({ address, after }) => `${after === null ? 'deleted' : 'changed'} ${address}`).sort();
