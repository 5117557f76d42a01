import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PlanJson } from '../../src/render/json/json.ts';

const folder = resolve(import.meta.dirname, '../golden');

/** The codes of all diagnostics in the golden plans. */
export const golden: ReadonlySet<string> = new Set(
  readdirSync(folder).flatMap((name) => {
    if (name.includes('.')) return [];
    const text = readFileSync(join(folder, name, 'plan.json'), 'utf8');
    const { hostwright } = JSON.parse(text) as Pick<PlanJson, 'hostwright'>;
    // Of a plan without findings, none are stored.
    return ((hostwright.findings as typeof hostwright.findings | undefined) ?? []).map(
      ({ code }) => code,
    );
  }),
);
