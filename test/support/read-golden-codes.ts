import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goldenCases, goldenFolder } from './golden-files.ts';

/** The codes of all diagnostics in the golden plans: each ends a line of its block. */
export const golden: ReadonlySet<string> = new Set(
  goldenCases.flatMap((name) => {
    const text = readFileSync(join(goldenFolder, name, 'plan.txt'), 'utf8');
    return [...text.matchAll(/^(?:│.*|Note: .*|'.*)\[([a-z]+-[a-z-]+)\]$/gm)].flatMap(
      ([, code]) => code ?? [],
    );
  }),
);
