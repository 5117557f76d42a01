import { listCatalogEntriesForField } from '../kinds/entry-names.ts';
import { kindRegistry } from '../kinds/registry.ts';
import type { CatalogEntry } from '../model/account/live.ts';
import type { CheckEntry, DeferredValue } from '../model/deferred.ts';
import type { Finding } from '../model/diagnostic.ts';
import { kindNames, type KindName } from '../model/kind-places.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';

const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;

/**
 * Conditions that compare with the id of an image, a size or a tariff: they read names, so that such a comparison decides
 * nothing, and one that denies would let everything pass.
 */
export const refuseIdsInConditions: PlanCheck = ({ policies = [], checks = [], live }) => [
  ...policies.flatMap((policy) => explainIds('Policy', policy, [policy.for], live)),
  ...checks.flatMap((check) => explainIds('Check', check, kindNames, live)),
];

function explainIds(
  title: string,
  condition: CheckEntry,
  of: readonly KindName[],
  { catalog }: PlanCheckInput['live'],
): Finding[] {
  const { name, assert, isSensitive, severity, source } = condition;
  const texts = new Set(isSensitive ? [] : listTexts(assert));
  const found = of.flatMap((kind) =>
    Object.keys(kindRegistry[kind].fields).flatMap((field) => {
      const entries = listCatalogEntriesForField(kind, field, catalog);
      return entries
        .filter((entry) => texts.has(entry.id) && !isName(entries, entry.id))
        .map((entry) => ({ field, entry }));
    }),
  );
  return found.map(({ field, entry }) => ({
    severity: severity === 'deny' ? 'error' : 'warning',
    code: 'condition-by-id',
    summary: `${title} ${name} compares with the id "${entry.id}", and conditions read names`,
    detail: `It is the id of the ${field} "${entry.name}".`,
    hint: `Write "${entry.name}" in its place.`,
    source,
  }));
}

function isName(entries: readonly CatalogEntry[], text: string): boolean {
  return entries.some(({ name }) => name === text);
}

/** The texts that an expression compares with: those that it has, and those that its names stand for. */
function listTexts(deferred: DeferredValue): string[] {
  if (deferred.kind !== 'expression') return [];
  const { text, names } = deferred;
  return [text, JSON.stringify(names)].flatMap((one) =>
    [...one.matchAll(quoted)].map(([, double, single]) => double ?? single ?? ''),
  );
}
