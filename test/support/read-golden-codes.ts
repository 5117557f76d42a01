import { goldenCases, readStored } from './golden-files.ts';

/** The codes of all diagnostics in the golden plans: each ends a line of its block. */
export const golden: ReadonlySet<string> = new Set(
  goldenCases.flatMap((name) =>
    [...readStored(name).matchAll(/^(?:│.*|Note: .*|'.*)\[([a-z]+-[a-z-]+)\]$/gm)].flatMap(
      ([, code]) => code ?? [],
    ),
  ),
);
