import { kindRegistry } from '../kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import { addToGroup } from '../model/group-by.ts';
import { locateFinding } from '../model/place-of.ts';
import type { Change, ChangeReason } from '../model/plan/plan.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { formatCatalogEntryValue } from './name-value.ts';

/** Refuses to destroy a resource in the plan that imports it: it may be another one than was meant. */
export const refuseImportLosses: PlanCheck = (input) => {
  const { changes } = input.plan;
  const imported = new Map(
    changes.flatMap((change) => (change.isImported ? [[change.address, change] as const] : [])),
  );
  if (imported.size === 0) return [];
  const held = new Map<ResourceAddress, Change[]>();
  for (const change of changes) {
    const holder = change.action === 'delete' ? findAbove(change.address, imported) : undefined;
    if (holder !== undefined) addToGroup(held, holder, change);
  }
  return [...imported.values()].flatMap((change) => {
    const { action, address } = change;
    if (action === 'rebuild' || action === 'replace') return [describeLost(change, input)];
    const going = held.get(address);
    return going ? [describeEmptied(change, going, input)] : [];
  });
};

/** Finds the nearest imported resource that contains an address. */
function findAbove(
  address: ResourceAddress,
  imported: ReadonlyMap<ResourceAddress, Change>,
): ResourceAddress | undefined {
  const parent = parseResourceAddress(address)?.parent;
  if (parent === undefined || imported.has(parent)) return parent;
  return findAbove(parent, imported);
}

const reasons: Readonly<Partial<Record<ChangeReason, string>>> = {
  'creation-failed': 'Its creation failed.',
  'being-deleted': 'It is already being deleted.',
  'parent-replaced': 'What it lies in is replaced.',
  'parent-changed': 'It cannot move to where its address says.',
  triggered: 'A resource that its `replaceTriggeredBy` names changes.',
  requested: '`--replace` names it.',
  expired: 'It has expired.',
  'rotation-due': 'It expires soon.',
};

/** Reasons of a change that take effect at once, so that `as: live` of an import does not avoid them. */
const immediate: readonly (ChangeReason | undefined)[] = [
  ...(['parent-replaced', 'parent-changed', 'requested'] as const),
];

function describeLost(change: Change, input: PlanCheckInput): Finding {
  const { address, action, reason, fields } = change;
  const forcing = fields.filter(({ effect }) => effect !== 'update').map(({ name }) => name);
  const differences = forcing.map((name) => compareField(change, name, input));
  const why = reason === undefined ? [] : (reasons[reason] ?? []);
  const [first] = forcing;
  const entry = writeEntry(change);
  return {
    severity: 'error',
    code: 'import-would-destroy',
    summary: `The plan that imports ${address} would ${action} it`,
    detail: [...differences, why].flat().join(' '),
    hint: !immediate.includes(reason)
      ? `Write what the account has; or import it as it is, and the next plan shows the change with what it loses: ${entry}.`
      : 'Plan the import alone, and the change after it.',
    address,
    ...locateFinding(input.desired.get(address), first),
  };
}

/** One line that shows a field's live and configured values. */
function compareField(change: Change, name: string, input: PlanCheckInput): string {
  const { before, after, unknown } = change;
  const say = (value = before?.[name]) =>
    value === undefined || value === null
      ? 'nothing'
      : formatCatalogEntryValue(change, name, value, input);
  const wanted = unknown.includes(name) ? 'known after apply' : say(after?.[name] ?? null);
  return `\`${name}\` is ${say()} in the account, and ${wanted} in the configuration.`;
}

/** The most contained resources that the message names. */
const maxShown = 5;

function describeEmptied(change: Change, going: readonly Change[], input: PlanCheckInput): Finding {
  const { address } = change;
  const entry = writeEntry(change);
  const ids = going
    .slice(0, maxShown)
    .map(({ kind, id }) => `${kindRegistry[kind].label} ${String(id)}`);
  const rest = going.length > maxShown ? ` and ${going.length - maxShown} more` : '';
  return {
    severity: 'error',
    code: 'import-would-destroy',
    summary: `The plan that imports ${address} would destroy what it holds`,
    detail: `Nobody has configured it, and the project is exclusive: ${ids.join(', ')}${rest}.`,
    hint: `Configure and import it too, or name it in ignoreUnmanaged. To import ${address} alone: ${entry}. The next plan then shows what it destroys.`,
    address,
    ...locateFinding(input.desired.get(address)),
  };
}

function writeEntry({ address, id }: Change): string {
  return `imports: [{ to: '${address}', id: '${String(id)}', as: live }]`;
}
