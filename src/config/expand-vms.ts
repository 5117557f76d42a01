import { childAddress, localKey, type Address } from '../model/address.ts';
import type { DesiredResource, Timeouts } from '../model/resource.ts';
import type { Attributes, Value } from '../model/value.ts';
import type { Declarations, Instances } from './declarations.ts';
import { maxDurationMs, parseDuration } from './duration.ts';
import {
  compact,
  defaultTimeouts,
  locateAttributes,
  nodesOf,
  readNumber,
  type Nodes,
} from './read-fields.ts';
import type { FaultList } from './fault-list.ts';
import { childOf, entriesOf, type Entry, type LocatedNode } from './located-node.ts';
import { locate } from './source-file.ts';
import { readTemplate, readText, type Template } from './template.ts';

/** A value that is the same for every instance, or one of its own for each index. */
type Field = Value | ((index: number) => Value);

/** As the schema has it; a count beyond it was reported and is not expanded. */
const maxInstances = 100_000;

const textFields = ['image', 'configuration', 'tariff', 'publicIp'] as const;
const listFields = ['sshKeys', 'networks', 'plugins'] as const;

/** The fields of a body. Items of lists that are no texts are left out, so that the others are still checked. */
function readNodes(body: LocatedNode): Nodes {
  const nodes = nodesOf(body);
  const lists = listFields.flatMap((field) => {
    const node = nodes[field];
    if (node?.kind !== 'list') return [];
    const items = node.items.filter((item) => readTemplate(item) !== undefined);
    return [[field, { ...node, items }] as const];
  });
  return { ...nodes, ...Object.fromEntries(lists) };
}

function readList(node: LocatedNode | undefined): Field | undefined {
  if (node?.kind !== 'list') return undefined;
  const items = node.items.map(readTemplate).filter((item) => item !== undefined);
  if (items.every((item) => typeof item === 'string')) return items;
  return (index) => items.map((item) => evaluate(item, index));
}

function evaluate(template: Template, index: number): string {
  return typeof template === 'string' ? template : template(index);
}

function readInstances(body: LocatedNode): Instances {
  const fields = entriesOf(body);
  if (fields.has('forEach')) return 'unknown';
  const count = fields.get('count')?.value;
  if (!count) return 'one';
  const number = readNumber(count);
  const isUsable =
    number !== undefined && Number.isInteger(number) && number >= 0 && number <= maxInstances;
  return isUsable ? number : 'unknown';
}

function readTimeout(
  node: LocatedNode | undefined,
  otherwiseMs: number,
  address: Address,
  faults: FaultList,
): number {
  const text = readText(node);
  const durationMs = text === undefined ? undefined : parseDuration(text);
  if (!node || durationMs === undefined) return otherwiseMs;
  if (durationMs > 0 && durationMs <= maxDurationMs) return durationMs;
  faults.add({
    code: 'out-of-range',
    summary: `The timeout \`${text ?? ''}\` is out of range`,
    detail: 'Allowed is more than nothing and at most a week, which is 168h.',
    hint: 'Write for example 90s, 20m or 1h30m.',
    address,
    place: node,
  });
  return otherwiseMs;
}

function readTimeouts(
  node: LocatedNode | undefined,
  address: Address,
  faults: FaultList,
): Timeouts {
  if (!node) return defaultTimeouts;
  const { createMs, updateMs, deleteMs } = defaultTimeouts;
  return {
    createMs: readTimeout(childOf(node, 'create'), createMs, address, faults),
    updateMs: readTimeout(childOf(node, 'update'), updateMs, address, faults),
    deleteMs: readTimeout(childOf(node, 'delete'), deleteMs, address, faults),
  };
}

/** What the fields say, split into what all instances share and what differs. */
function readFields(key: string, nodes: Nodes, instances: Instances) {
  const fields: Record<string, Field | undefined> = {};
  if (nodes.name) fields.name = readTemplate(nodes.name);
  else if (instances === 'one') fields.name = key;
  else if (instances !== 'unknown') fields.name = (index) => `${key}-${index}`;
  for (const field of textFields) fields[field] = readTemplate(nodes[field]);
  for (const field of listFields) fields[field] = readList(nodes[field]);
  fields.power = nodes.power ? readText(nodes.power) : 'running';
  const fixed: Record<string, Value | undefined> = {};
  const varying: [string, (index: number) => Value][] = [];
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'function') varying.push([field, value]);
    else fixed[field] = value;
  }
  return { fixed: compact(fixed), varying };
}

function expandVm(
  project: Address,
  key: string,
  entry: Entry,
  declarations: Declarations,
  faults: FaultList,
): void {
  const instances = readInstances(entry.value);
  declarations.declareKey(project, 'vm', key, instances);
  const nodes = readNodes(entry.value);
  const { fixed, varying } = readFields(key, nodes, instances);
  const deletesBackups = childOf(nodes.rebuild, 'deleteBackups');
  const isDeletingBackups = deletesBackups?.kind === 'scalar' && deletesBackups.value === true;
  const all = { ...fixed, ...Object.fromEntries(varying.map(([field]) => [field, null])) };
  const shared = {
    kind: 'vm',
    project,
    ...(isDeletingBackups && { deleteBackupsOnRebuild: true }),
    timeouts: readTimeouts(nodes.timeouts, childAddress(project, 'vm', key), faults),
    source: locate(entry.key),
    attributeSources: locateAttributes(all, nodes, entry.key),
  } satisfies Partial<DesiredResource>;
  const add = (local: string, attributes: Attributes): void => {
    const address = childAddress(project, 'vm', local);
    declarations.all.push({ resource: { ...shared, address, attributes }, key: entry.key, nodes });
  };
  // Without usable instances its fixed fields are checked once, under its key.
  if (typeof instances === 'string') add(key, fixed);
  else {
    for (let index = 0; index < instances; index += 1) {
      const attributes: Record<string, Value> = { ...fixed };
      for (const [field, evaluateAt] of varying) attributes[field] = evaluateAt(index);
      add(localKey(key, index), attributes);
    }
  }
}

/** Turns the VMs of a project into resources, one for each instance. */
export function expandVms(
  project: Address,
  vms: LocatedNode | undefined,
  declarations: Declarations,
  faults: FaultList,
): void {
  for (const [key, entry] of entriesOf(vms)) expandVm(project, key, entry, declarations, faults);
}
