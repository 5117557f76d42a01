import type { QuotaName } from '../model/account/live.ts';
import { kindNames } from '../model/kind-places.ts';
import type { QuotaWords } from './traits.ts';
import { kindRegistry } from './registry.ts';

const ofKinds = new Map<string, QuotaWords>(
  kindNames.flatMap((kind) => Object.entries(kindRegistry[kind].traits.quotas ?? {})),
);

/** Words for a quota: those of its kind, or its own name where no kind has it. */
export function quotaWords(name: QuotaName): QuotaWords {
  return ofKinds.get(name) ?? { label: name, name, unit: '' };
}
