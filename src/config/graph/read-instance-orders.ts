// `rollout` of a use of a module: its instances change one after the other.
import { Unknown } from '../../expressions/values/scope.ts';
import type { ModuleInstanceOrder } from '../../model/resource.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { emptyEachBinding } from '../scope/each.ts';
import type { ModuleGroup } from '../scope/module-group.ts';
import { listModuleScopes, type ModuleScope } from '../scope/module-scope.ts';
import { hasExpression, evaluateYamlNode } from '../scope/resolve-node.ts';
import { validateField } from '../schema/validate-field.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type LocatedYamlNode,
  type YamlEntry,
} from '../source/located-node.ts';
import { isTrueNode, readNodeText, readNodeTexts, readTimeout } from '../source/read-fields.ts';
import { parseDuration } from '../duration.ts';

type UsedModule = ModuleGroup<ModuleScope>;

/**
 * Reads the orders in which the instances of modules are changed (`rollout.order`). Keys that only the order or only
 * `forEach` has are reported.
 */
export function readModuleInstanceOrders(root: ModuleScope): readonly ModuleInstanceOrder[] {
  return listModuleScopes(root).flatMap((scope) =>
    [...scope.modules.values()].flatMap((module) => readOrder(scope, module) ?? []),
  );
}

function readOrder(scope: ModuleScope, module: UsedModule): ModuleInstanceOrder | undefined {
  const fields = listYamlMapEntries(module.entry.value);
  const entry = fields.get('rollout');
  const { faults } = scope.session;
  if (!entry || listYamlMapEntries(entry.value).size === 0) return undefined;
  if (!fields.has('forEach')) {
    faults.add({
      code: 'conflicting-fields',
      summary: `\`rollout\` of modules.${module.key} has no meaning without \`forEach\``,
      detail: 'It orders the instances by their keys.',
      hint: 'Write `forEach` with the keys, or remove `rollout`.',
      place: entry.key,
    });
    return undefined;
  }
  const node = resolveRollout(scope, module, entry);
  const order = findYamlMapChild(node, 'order');
  if (!order) return undefined;
  const keys = readNodeTexts(order);
  const { instances } = module;
  const isOff = fields.has('enabled') && instances.kind === 'keys' && instances.values.size === 0;
  if (instances.kind === 'keys' && !isOff) {
    refuseOthers(scope, module, order, [...instances.values.keys()]);
  }
  const between = findYamlMapChild(node, 'between');
  const wait = findYamlMapChild(between, 'wait');
  const address = `${scope.prefix}modules.${module.key}`;
  return {
    instances: keys.map((key) => `${scope.prefix}${module.labelOf(key)}`),
    needsChecks: isTrueNode(findYamlMapChild(between, 'checks')),
    waitMs:
      parseDuration(readNodeText(wait) ?? '0s') === 0 ? 0 : readTimeout(wait, 0, address, faults),
  };
}

/** The block with its expressions evaluated; undefined where something was reported. */
function resolveRollout(
  scope: ModuleScope,
  { key }: UsedModule,
  entry: YamlEntry,
): LocatedYamlNode | undefined {
  if (!hasExpression(entry.value)) return entry.value;
  const mustBeKnown = '`rollout` is needed to make a plan.';
  const node = evaluateYamlNode(entry.value, { space: scope, each: emptyEachBinding, mustBeKnown });
  if (node instanceof Unknown) return undefined;
  const subject = { path: ['modules', key, 'rollout'], node, key: entry.key };
  const isFitting = validateField('module', 'rollout', subject, undefined, scope.session.faults);
  return isFitting ? node : undefined;
}

/** Reports keys that only one of `order` and `forEach` has. */
function refuseOthers(
  { session: { faults } }: ModuleScope,
  { key: name }: UsedModule,
  order: LocatedYamlNode,
  instances: readonly string[],
): void {
  const given = readNodeTexts(order);
  const lacking = instances.filter((key) => !given.includes(key));
  if (lacking.length > 0) {
    faults.add({
      code: 'incomplete-order',
      summary: `The order of modules.${name} lacks ${formatNameList(lacking)}`,
      detail: 'Nothing says when these instances change.',
      hint: 'Add the key to `order`.',
      place: order,
    });
  }
  for (const [at, key] of given.entries()) {
    if (instances.includes(key)) continue;
    const meant = suggestNearestName(key, lacking);
    faults.add({
      code: 'incomplete-order',
      summary: `The order of modules.${name} has \`${key}\`, and \`forEach\` does not`,
      detail: `Keys of \`forEach\`: ${formatNameList(instances)}.`,
      hint: meant === undefined ? 'Remove it.' : `Did you mean \`${meant}\`?`,
      place: order.kind === 'list' ? (order.items[at] ?? order) : order,
    });
  }
}
