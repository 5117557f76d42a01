import type { Heard } from './heard.ts';
import type { Ledger } from './ledger.ts';

/** For less a create that may have been carried out must never be sent again. */
const leastLookMs = 60_000;

/** What was made twice for one, and should not have been, or was not told of. */
export const findDoubleFaults = (ledger: Ledger, heard: Heard): string[] =>
  ledger.findDoubles().flatMap((double) => {
    const { address, firstId, secondId, gapMs, wasAccepted, wasShown, isOvertaken } = double;
    const both = `${address}: ${firstId} and ${secondId}`;
    const seconds = Math.round(gapMs / 1_000);
    if (!isOvertaken) {
      if (wasAccepted) return [`doubled although the first was accepted: ${both}`];
      if (wasShown) return [`doubled although the first was shown: ${both}`];
      if (gapMs < leastLookMs) return [`doubled after no more than ${seconds} s: ${both}`];
    }
    const isToldOf = heard.doubts(address, firstId, secondId);
    if (!isToldOf) return [`doubled after ${seconds} s and not told of: ${both}`];
    return [];
  });

/** What a person made and was taken for ours, since nothing tells the two apart: that is at least told. */
export const findSilentMistakes = (ledger: Ledger, heard: Heard): string[] =>
  ledger.mistaken
    .ids()
    .filter((id) => !heard.names(id) && !ledger.isRemade(id))
    .map((id) => `foreign taken for ours without a word: ${id}`);
