import { quotaWords } from '../../kinds/quota-words.ts';
import { kinds } from '../../kinds/registry.ts';
import type { Severity } from '../../model/diagnostic.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import type { QuotaName } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';

/** How severities are called in front of a summary. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  error: 'Error',
  warning: 'Warning',
  note: 'Note',
};

/** How a quota is called in a table: `VM RAM (GB)`. */
export function quotaLabel(name: QuotaName): string {
  return quotaWords(name).label;
}

/** `VM`, `public IP`. */
export function kindLabel(kind: KindName): string {
  return kinds[kind].label;
}

/** `1 VM`, `3 VMs`. */
export function countKind(kind: KindName, count: number): string {
  return countNoun(kinds[kind].label, count);
}
