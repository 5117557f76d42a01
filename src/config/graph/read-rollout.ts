// `rollout` of a block: its numbers are known when it is read, and its probes are kept as expressions.
import { listAttributes } from '../../kinds/attribute-names.ts';
import type { InstanceKey } from '../../model/address.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type { Probe, ReadinessConditions } from '../../model/plan/readiness.ts';
import type { Rollout } from '../../model/resource.ts';
import { compileTemplate } from '../../expressions/evaluate/template.ts';
import { deferExpression } from '../scope/defer-value.ts';
import { findTemplateFaults } from '../scope/prepare-template.ts';
import { hasExpression } from '../scope/resolve-node.ts';
import type { ResourceGroup } from '../scope/resource-group.ts';
import { parseDuration } from '../duration.ts';
import { findYamlMapChild, type LocatedYamlNode } from '../source/located-node.ts';
import { locateText } from '../source/locate-text.ts';
import {
  readNumberOrPercentage,
  readNodeNumber,
  readNodeText,
  readTimeout,
} from '../source/read-fields.ts';

/** The time in which a member must become ready, unless configured. */
const defaultWithinMs = 5 * 60_000;

/** Tells whether the probes of a block differ between its instances. */
export function hasVaryingProbes({ probes }: Pick<ResourceGroup, 'probes'>): boolean {
  return probes !== undefined && hasExpression(probes);
}

/** Reads the block `rollout` of a resource; undefined where it has none. */
export function readRollout(
  group: ResourceGroup,
  instance: InstanceKey | undefined,
  node: LocatedYamlNode | undefined,
): Rollout | undefined {
  const atOnce = readNumberOrPercentage(findYamlMapChild(node, 'atOnce'));
  if (!atOnce) return undefined;
  const isGoingOn = readNodeText(findYamlMapChild(node, 'onFailure')) === 'continue';
  const ready = readReadiness(group, instance, node);
  return { atOnce, onFailure: isGoingOn ? 'continue' : 'stop', ...(ready && { ready }) };
}

function readReadiness(
  group: ResourceGroup,
  instance: InstanceKey | undefined,
  node: LocatedYamlNode | undefined,
): ReadinessConditions | undefined {
  const { address, space } = group;
  const { faults } = space.session;
  const list = group.probes ?? findYamlMapChild(node, 'ready');
  const [within, settle] = [findYamlMapChild(node, 'within'), findYamlMapChild(node, 'settle')];
  if (list?.kind !== 'list') {
    for (const place of [within, settle]) {
      if (!place) continue;
      const name = place === within ? 'within' : 'settle';
      const summary = `\`${name}\` has no meaning without \`ready\``;
      const hint = `Write the probes into \`ready\`, or remove \`${name}\`.`;
      faults.add({ code: 'conflicting-fields', summary, hint, address, place });
    }
    return undefined;
  }
  const isAtOnce = parseDuration(readNodeText(settle) ?? '0s') === 0;
  return {
    probes: list.items.flatMap((item) => readProbe(group, instance, item) ?? []),
    withinMs: readTimeout(within, defaultWithinMs, address, faults),
    settleMs: isAtOnce ? 0 : readTimeout(settle, 0, address, faults),
  };
}

function readProbe(
  group: ResourceGroup,
  instance: InstanceKey | undefined,
  item: LocatedYamlNode,
): Probe | undefined {
  const text = (one: LocatedYamlNode | undefined) => one && deferText(group, instance, one);
  const [tcp, http, command] = ['tcp', 'http', 'command'].map((name) =>
    findYamlMapChild(item, name),
  );
  const contains = findYamlMapChild(item, 'contains');
  const status = findYamlMapChild(item, 'status');
  if (!http) {
    for (const place of [contains, status]) {
      if (!place) continue;
      group.space.session.faults.add({
        code: 'conflicting-fields',
        summary: `\`${place === status ? 'status' : 'contains'}\` belongs to a probe with \`http\``,
        hint: 'Remove it.',
        address: group.address,
        place,
      });
    }
  }
  const address = text(tcp);
  if (address) return { kind: 'tcp', address };
  const url = text(http);
  if (url) {
    const found = text(contains);
    const statuses = (status?.kind === 'list' ? status.items : [status]).flatMap(
      (one) => readNodeNumber(one) ?? [],
    );
    return {
      kind: 'http',
      url,
      statuses: statuses.length > 0 ? statuses : [200],
      ...(found && { contains: found }),
    };
  }
  if (command?.kind !== 'list') return undefined;
  return { kind: 'command', words: command.items.flatMap((one) => text(one) ?? []) };
}

/** A text, or its expressions with what they stand for; what is wrong with them is reported. */
function deferText(
  group: ResourceGroup,
  instance: InstanceKey | undefined,
  node: LocatedYamlNode,
): DeferredValue | undefined {
  const { space, kind, address } = group;
  const each = group.eachOf(instance);
  if (node.kind !== 'scalar') return undefined;
  if (!hasExpression(node)) return { kind: 'value', value: String(node.value) };
  const { faults } = space.session;
  const vocabulary = space.vocabularyWith({ self: listAttributes(kind) }, { each, kind });
  const found = findTemplateFaults(compileTemplate(String(node.value)), vocabulary);
  for (const { start, end, ...fault } of found) {
    faults.add({ ...fault, address, place: locateText(node, start, end) });
  }
  if (found.length > 0) return undefined;
  const { value, isSensitive } = space.session.trace(() =>
    deferExpression(node, space, true, each, group.labelOf(instance)),
  );
  if (!isSensitive) return value;
  faults.add({
    code: 'probe-sensitive',
    summary: 'A probe contains a sensitive value',
    detail: 'A plan shows every probe that its apply makes, and no sensitive value.',
    hint: 'Have a `command` read the value from its environment or from a file.',
    address,
    place: node,
  });
  return undefined;
}
