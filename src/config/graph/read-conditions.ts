import { compileExpression } from '../../expressions/evaluate/compile-expression.ts';
import type { ExpressionFault } from '../../expressions/parse/expression-fault.ts';
import { compileTemplate } from '../../expressions/evaluate/template.ts';
import { findPriceField } from '../../kinds/price.ts';
import { listAttributes } from '../../kinds/attribute-names.ts';
import { isModuleAddress, parseResourceAddress } from '../../model/address.ts';
import type {
  CheckEntry,
  DeferredValue,
  OutputEntry,
  PolicyEntry,
  PolicyExemption,
} from '../../model/deferred.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import { countChanges } from '../../model/effects.ts';
import { groupBy } from '../../model/group-by.ts';
import { kindNames, kindPlaces, type KindName } from '../../model/kind-places.ts';
import type { NamesWithMembers } from '../scope/check-names.ts';
import { deferExpression, deferValue } from '../scope/defer-value.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
  type YamlScalarNode,
} from '../source/located-node.ts';
import { makePrintable } from '../source/frame.ts';
import { locateText } from '../source/locate-text.ts';
import { isTrueNode, readNodeText, readNodeTexts } from '../source/read-fields.ts';
import { findExpressionFaults, findTemplateFaults } from '../scope/prepare-template.ts';
import { hasExpression } from '../scope/resolve-node.ts';
import { toSourceRange } from '../source/source-file.ts';
import { listModuleScopes, type ModuleScope } from '../scope/module-scope.ts';
import type { ModuleExpressionContext } from '../scope/space.ts';

/** Names that a policy may read beside those of the configuration. */
function namesOfPolicy(kind: KindName): NamesWithMembers {
  const isPriced = findPriceField(kind) !== undefined;
  const attributes = [...listAttributes(kind), ...(isPriced ? ['cost'] : [])];
  return {
    before: attributes,
    after: attributes,
    action: undefined,
    address: undefined,
    kind: undefined,
    isImported: undefined,
    plan: {
      cost: ['before', 'after', 'change', 'currency'],
      changes: undefined,
      counts: Object.keys(countChanges([])),
      downtime: undefined,
    },
  };
}

/** Names that a check may read beside those of the configuration. */
const namesOfCheck: NamesWithMembers = { plan: { downtime: undefined } };

/** Checks a condition, which is CEL without `${…}`; false when something was reported. */
function checkCondition(
  node: YamlScalarNode,
  space: ModuleExpressionContext,
  others: NamesWithMembers,
): boolean {
  const { faults } = space.session;
  if (typeof node.value !== 'string' || node.value.trim() === '') return false;
  const text = node.value;
  if (text.includes('${')) {
    const start = text.indexOf('${');
    faults.add({
      code: 'broken-expression',
      summary: 'A condition is written without `${` and `}`',
      hint: 'Write the expression alone, for example `after.ram <= 64`.',
      place: locateText(node, start, start + 2),
    });
    return false;
  }
  const expression = compileExpression(text);
  if (expression.fault) return isSound(node, [expression.fault], space);
  const vocabulary = space.vocabularyWith(others);
  const found = findExpressionFaults(expression, vocabulary);
  const fault = found.length === 0 ? vocabulary.types.checkCondition(text) : undefined;
  return isSound(node, fault ? [fault] : found, space);
}

/** Reports the faults of a condition; true when there are none. */
function isSound(
  node: YamlScalarNode,
  found: readonly ExpressionFault[],
  { session }: ModuleExpressionContext,
): boolean {
  for (const { start, end, ...fault } of found) {
    session.faults.add({ ...fault, place: locateText(node, start, end) });
  }
  return found.length === 0;
}

/** Reads the message of a condition; undefined when a fault was reported. */
function readMessage(
  node: LocatedYamlNode,
  space: ModuleExpressionContext,
  others: NamesWithMembers,
): (() => DeferredValue) | undefined {
  const template = node.kind === 'scalar' ? compileTemplate(String(node.value)) : undefined;
  const roots = template?.parts.flatMap(({ expression }) => expression.references) ?? [];
  // A text that reads nothing of the change is like any other of the configuration.
  if (node.kind !== 'scalar' || !template || !roots.some(({ root }) => Object.hasOwn(others, root)))
    return () => deferValue(node, space);
  const found = findTemplateFaults(template, space.vocabularyWith(others));
  return isSound(node, found, space) ? () => deferExpression(node, space, true) : undefined;
}

type Condition = Pick<PolicyEntry, 'assert' | 'message' | 'isSensitive' | 'source' | 'name'>;

function readCondition(
  name: string,
  entry: YamlEntry,
  space: ModuleExpressionContext,
  others: NamesWithMembers,
): Condition | undefined {
  const assert = findYamlMapChild(entry.value, 'assert');
  const message = findYamlMapChild(entry.value, 'message');
  const isJudgeable = assert?.kind === 'scalar' && checkCondition(assert, space, others);
  const defer = message && readMessage(message, space, others);
  const { value, isSensitive } = space.session.trace(() => ({
    ...(defer && { message: defer() }),
    ...(isJudgeable && { assert: deferExpression(assert, space, false) }),
  }));
  if (!value.assert) return undefined;
  return {
    name: space.prefix + name,
    ...value,
    assert: value.assert,
    ...(isSensitive && { isSensitive }),
    source: toSourceRange(entry.key),
  };
}

/** Kind of the resources that a policy judges, by the name of their collection. */
function kindOf(written: string): KindName | undefined {
  return kindNames.find((kind) => kindPlaces[kind].collection === written);
}

/** Reads how many approvals a policy asks for; undefined where it denies or warns. */
function readApprovals(
  name: string,
  { value }: YamlEntry,
  { session }: ModuleExpressionContext,
): number | undefined {
  const node = findYamlMapChild(value, 'approve');
  if (node?.kind !== 'scalar' || typeof node.value !== 'number') return undefined;
  if (findYamlMapChild(value, 'severity')) {
    session.faults.add({
      code: 'conflicting-fields',
      summary: `The policy \`${name}\` has \`approve\`, and \`severity\` besides`,
      detail: 'A plan that does not meet it waits for approvals, is refused, or is only warned of.',
      hint: 'Remove one of the two.',
      place: node,
    });
  }
  return node.value;
}

/** Reads `policies`. Their expressions are checked against the declared names. */
export function readPolicies(root: ModuleScope): readonly PolicyEntry[] {
  const policies = readOwnPolicies(root);
  const exemptions = groupBy(readExemptions(root), ({ policy }) => policy);
  return policies.map((policy) => {
    const own = exemptions.get(policy.name)?.map(({ exemption }) => exemption);
    return own ? { ...policy, exemptions: own } : policy;
  });
}

/** An exemption with the name of its policy. */
interface WrittenExemption {
  readonly policy: string;
  readonly exemption: PolicyExemption;
}

/** Reads `exemptions`, which hold no expressions: nothing that a configuration says changes them. */
function readExemptions(root: ModuleScope): readonly WrittenExemption[] {
  const {
    source: { tree },
    session: { faults },
  } = root;
  // Those with a fault are among them, but not those of a module that could not be read.
  const names = listWrittenPolicies(root).map(({ space, name }) => space.prefix + name);
  const isCertain = listModuleScopes(root).every(({ modules }) =>
    [...modules.values()].every(({ isRead, instances }) => isRead && instances.kind !== 'unknown'),
  );
  return [...listYamlMapEntries(findYamlMapChild(tree, 'exemptions'))].flatMap(
    ([name, { value }]): WrittenExemption[] => {
      const policy = findYamlMapChild(value, 'policy');
      const addresses = findYamlMapChild(value, 'addresses');
      const until = findYamlMapChild(value, 'until');
      const named = readNodeText(policy) ?? '';
      const written = {
        name,
        addresses: readNodeTexts(addresses),
        reason: readNodeText(findYamlMapChild(value, 'reason')) ?? '',
        until: readNodeText(until) ?? '',
      };
      // Other faults of the exemption were reported by the check of its shape.
      if (!policy || !addresses || !until) return [];
      if (isCertain && !names.includes(named)) {
        const meant = suggestNearestName(named, names);
        faults.add({
          // A warning only: an exemption without its policy does no harm, and the policy may be that of another
          // configuration.
          severity: 'warning',
          code: 'unknown-policy',
          summary: `The exemption \`${name}\` is of the policy \`${makePrintable(named)}\`, which does not exist`,
          hint: meant === undefined ? 'Remove the exemption.' : `Did you mean \`${meant}\`?`,
          place: policy,
        });
      }
      for (const item of addresses.kind === 'list' ? addresses.items : []) {
        const address = readNodeText(item) ?? '';
        if (parseResourceAddress(address) || isModuleAddress(address)) continue;
        faults.add({
          code: 'invalid-address',
          summary: `\`${makePrintable(address)}\` is not the address of a resource or a module`,
          hint: 'Write the path in the YAML: projects.shop, projects.shop.vms.web, modules.eu.',
          place: item,
        });
      }
      // `2027-02-30` is a day of March for the clock, and of no month for whoever wrote it.
      const end = new Date(`${written.until}T00:00:00Z`);
      if (Number.isNaN(end.valueOf()) || end.toISOString().slice(0, 10) !== written.until)
        faults.add({
          code: 'out-of-range',
          summary: `\`${makePrintable(written.until)}\` is no day of the calendar`,
          hint: 'Write a day, for example 2027-03-31.',
          place: until,
        });
      return [{ policy: named, exemption: written }];
    },
  );
}

/** Lists the policies of a configuration and its modules as they are written. */
function listWrittenPolicies(root: ModuleScope) {
  return listModuleScopes(root).flatMap((space) => {
    const policies = listYamlMapEntries(findYamlMapChild(space.source.tree, 'policies'));
    return [...policies].map(([name, entry]) => ({ space, name, entry }));
  });
}

function readOwnPolicies(root: ModuleScope): readonly PolicyEntry[] {
  return listWrittenPolicies(root).flatMap(({ space, name, entry }): PolicyEntry[] => {
    const kind = kindOf(readNodeText(findYamlMapChild(entry.value, 'for')) ?? '');
    const { value: condition, data } = space.session.trace(
      () => kind && readCondition(name, entry, space, namesOfPolicy(kind)),
    );
    for (const query of data) space.session.policyData.add(query);
    if (!condition || !kind) return [];
    const approvals = readApprovals(name, entry, space);
    const isWarning = readNodeText(findYamlMapChild(entry.value, 'severity')) === 'warn';
    const severity = isWarning || approvals !== undefined ? 'warn' : 'deny';
    const policy = { ...condition, for: kind, prefix: space.prefix, severity } as const;
    return [{ ...policy, ...(approvals !== undefined && { approvals }) }];
  });
}

/** Reads `checks`. Their expressions are checked against the declared names. */
export function readChecks(root: ModuleScope): readonly CheckEntry[] {
  return listModuleScopes(root).flatMap((space) =>
    [...listYamlMapEntries(findYamlMapChild(space.source.tree, 'checks'))].flatMap(
      ([name, entry]): CheckEntry[] => {
        const condition = readCondition(name, entry, space, namesOfCheck);
        if (!condition) return [];
        const severity =
          readNodeText(findYamlMapChild(entry.value, 'severity')) === 'deny' ? 'deny' : 'warn';
        return [{ ...condition, prefix: space.prefix, severity }];
      },
    ),
  );
}

/** Reads the outputs of the configuration itself, not those of its modules. */
export function readOutputs(space: ModuleExpressionContext): readonly OutputEntry[] {
  // A configuration need not know which variables are given as secrets: its outputs are then sensitive by their sources.
  const hasSecrets = [...space.source.variables.values()].some(({ isSecret }) => isSecret);
  return [...listYamlMapEntries(findYamlMapChild(space.source.tree, 'outputs'))].flatMap(
    ([name, entry]): OutputEntry[] => {
      const node = findYamlMapChild(entry.value, 'value');
      if (!node) return [];
      const { value, isSensitive } = space.session.trace(() => deferValue(node, space));
      const description = readNodeText(findYamlMapChild(entry.value, 'description'));
      const isDeclared = isTrueNode(findYamlMapChild(entry.value, 'sensitive'));
      if (isSensitive && !isDeclared && !hasSecrets) {
        space.session.faults.add({
          code: 'sensitive-output',
          summary: `The output \`${name}\` depends on a sensitive value`,
          hint: 'Add `sensitive: true` to it.',
          place: hasExpression(node) ? node : entry.key,
        });
      }
      return [
        {
          name,
          value,
          ...(description !== undefined && { description }),
          sensitive: isDeclared || isSensitive,
          source: toSourceRange(entry.key),
        },
      ];
    },
  );
}
