import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../golden');

/** The codes of all diagnostics in the golden plans. */
export const golden: ReadonlySet<string> = new Set(
  readdirSync(folder).flatMap((name) => {
    if (name.includes('.')) return [];
    const text = readFileSync(join(folder, name, 'plan.sarif.json'), 'utf8');
    const log = JSON.parse(text) as { runs: { results: { ruleId: string }[] }[] };
    return log.runs.flatMap(({ results }) => results.map(({ ruleId }) => ruleId));
  }),
);
