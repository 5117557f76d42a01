import type { Finding } from '../model/diagnostic.ts';
import { maskTexts } from '../model/mask-texts.ts';
import type { Change } from '../model/plan.ts';
import type { Value } from '../model/value.ts';

function* listTexts(value: Value): Iterable<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (String(value).trim() !== '') yield String(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values<Value>(value)) yield* listTexts(one);
  }
}

/** Findings without a word of the sensitive attributes of any change. */
export function hideSecrets(
  findings: readonly Finding[],
  changes: readonly Change[],
): readonly Finding[] {
  const texts = new Set<string>();
  for (const { sensitive, before, after, drift } of changes) {
    for (const name of sensitive) {
      for (const side of [before, after, drift]) {
        for (const text of listTexts(side?.[name] ?? null)) texts.add(text);
      }
    }
  }
  return texts.size === 0 ? findings : findings.map((finding) => maskTexts(finding, texts));
}
