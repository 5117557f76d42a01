import { compileExpression } from '../expressions/compile-expression.ts';
import type { CheckEntry, Deferred, OutputEntry, PolicyEntry } from '../model/deferred.ts';
import type { KindName } from '../model/resource.ts';
import { deferExpression, deferValue } from './defer-value.ts';
import { kindOfCollection } from '../kinds/attribute-names.ts';
import { childOf, entriesOf, type Entry, type LocatedNode } from './located-node.ts';
import { locateText } from './locate-text.ts';
import { isTrue, readText } from './read-fields.ts';
import { findFaults } from './prepare-template.ts';
import { hasExpression } from './resolve-node.ts';
import { locate } from './source-file.ts';
import { listSpaces, type Space } from './space.ts';

/** What a policy may read beside the names of the configuration. */
const namesOfPolicy = ['before', 'after', 'action', 'address', 'kind'];

/** Checks a condition, which is CEL without `${…}`; false when something was reported. */
function checkCondition(node: LocatedNode, space: Space, others: readonly string[]): boolean {
  const { faults } = space.session;
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value.trim() === '')
    return false;
  const text = node.value;
  if (text.includes('${')) {
    const start = text.indexOf('${');
    faults.add({
      code: 'broken-expression',
      summary: 'A condition is written without `${` and `}`',
      hint: 'It is an expression as a whole: write for example `after.ram <= 64`.',
      place: locateText(node, start, start + 2),
    });
    return false;
  }
  const expression = compileExpression(text);
  const found = expression.fault
    ? [expression.fault]
    : findFaults(expression, space.vocabularyWith(others), 'none');
  for (const { start, end, ...fault } of found) {
    faults.add({ ...fault, place: locateText(node, start, end) });
  }
  return found.length === 0;
}

interface Condition {
  readonly assert: Deferred;
  readonly message?: Deferred;
}

function readCondition(
  entry: Entry,
  space: Space,
  others: readonly string[],
): Condition | undefined {
  const assert = childOf(entry.value, 'assert');
  const message = childOf(entry.value, 'message');
  if (assert?.kind !== 'scalar' || !checkCondition(assert, space, others)) return undefined;
  // What refers to itself was reported, and would be followed without end.
  if (!space.session.faults.isEmpty) return undefined;
  return {
    assert: deferExpression(assert, space, false),
    ...(message && { message: deferValue(message, space) }),
  };
}

/** Reads `policies`. Each is checked against what the configuration declares. */
export function readPolicies(root: Space): readonly PolicyEntry[] {
  return listSpaces(root).flatMap((space) =>
    [...entriesOf(childOf(space.source.tree, 'policies'))].flatMap(
      ([name, entry]): PolicyEntry[] => {
        const condition = readCondition(entry, space, namesOfPolicy);
        const written = readText(childOf(entry.value, 'for')) ?? '';
        const kind: KindName | undefined =
          written === 'projects'
            ? 'project'
            : written === 'forwards'
              ? 'portForward'
              : kindOfCollection.get(written);
        if (!condition || !kind) return [];
        const severity = readText(childOf(entry.value, 'severity')) === 'warn' ? 'warn' : 'deny';
        return [
          {
            name: space.prefix + name,
            for: kind,
            ...condition,
            severity,
            source: locate(entry.key),
          },
        ];
      },
    ),
  );
}

/** Reads `checks`. Each is checked against what the configuration declares. */
export function readChecks(root: Space): readonly CheckEntry[] {
  return listSpaces(root).flatMap((space) =>
    [...entriesOf(childOf(space.source.tree, 'checks'))].flatMap(([name, entry]): CheckEntry[] => {
      const condition = readCondition(entry, space, []);
      if (!condition) return [];
      const severity = readText(childOf(entry.value, 'severity')) === 'deny' ? 'deny' : 'warn';
      return [{ name: space.prefix + name, ...condition, severity, source: locate(entry.key) }];
    }),
  );
}

/** Reads the outputs of the configuration itself; those of modules are read by the names they have there. */
export function readOutputs(space: Space): readonly OutputEntry[] {
  // What refers to itself was reported, and would be followed without end.
  if (!space.session.faults.isEmpty) return [];
  return [...entriesOf(childOf(space.source.tree, 'outputs'))].flatMap(
    ([name, entry]): OutputEntry[] => {
      const node = childOf(entry.value, 'value');
      if (!node) return [];
      const { value, isSensitive } = space.session.trace(() => deferValue(node, space));
      const description = readText(childOf(entry.value, 'description'));
      const isDeclared = isTrue(childOf(entry.value, 'sensitive'));
      if (isSensitive && !isDeclared) {
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
          sensitive: isDeclared,
          source: locate(entry.key),
        },
      ];
    },
  );
}
