import type { Finding } from '../model/diagnostic.ts';
import {
  createSecretMask,
  listSecretTexts,
  maskDiagnosticTexts,
} from '../model/text/mask-texts.ts';
import type { Change } from '../model/plan/plan.ts';

/** Findings without a word of the sensitive attributes of any change. */
export function hideSecrets(
  findings: readonly Finding[],
  changes: readonly Change[],
): readonly Finding[] {
  const texts = listSecretTexts(changes);
  if (texts.size === 0) return findings;
  const mask = createSecretMask(texts);
  return findings.map((finding) => maskDiagnosticTexts(finding, mask));
}
