import { quotaWords } from '../../kinds/quota-words.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { Severity } from '../../model/diagnostic.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import type { QuotaName } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';

/** Labels of severities before a summary, as `Error` or `Warning`. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  error: 'Error',
  warning: 'Warning',
  note: 'Note',
};

/** Formats the label of a quota in a table: `VM RAM (GB)`. */
export function formatQuotaLabel(name: QuotaName): string {
  return quotaWords(name).label;
}

/** Formats the label of a kind of resource: `VM`, `public IP`. */
export function formatKindLabel(kind: KindName): string {
  return kindRegistry[kind].label;
}

/** Writes a number of resources of a kind: `1 VM`, `3 VMs`. */
export function formatKindCount(kind: KindName, count: number): string {
  return formatCountWithNoun(kindRegistry[kind].label, count);
}
