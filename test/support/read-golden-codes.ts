import { goldenCases, readStored } from './golden-files.ts';

/** The codes of all diagnostics in the golden plans: each ends a line of its block, or stands at the head of its line. */
export const golden: ReadonlySet<string> = new Set(
  goldenCases.flatMap((name) => {
    const text = readStored(name);
    const blocks = text.matchAll(/^(?:│.*|Note: .*|'.*)\[([a-z]+-[a-z-]+)\]$/gm);
    const lines = text.matchAll(/^(?:error|warning|note) ([a-z]+-[a-z-]+)\b/gm);
    return [...blocks, ...lines].flatMap(([, code]) => code ?? []);
  }),
);
