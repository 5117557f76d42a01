import { childAddress, projectAddress, type Address } from '../model/address.ts';
import type { FaultList } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import { childOf, entriesOf, type LocatedNode, type ScalarNode } from './located-node.ts';
import { suggest } from '../expressions/suggest.ts';
import { locateExpression, parseTemplate, type Segment } from './template.ts';

/** What an expression may refer to where it stands. */
type Scope = 'none' | 'index' | 'item';

/** Where texts stand. */
interface Surroundings {
  readonly scope: Scope;
  /** The resource that they belong to. */
  readonly address: Address | undefined;
}

/** The fields of a VM that may differ between its instances. */
const instanceFields = new Set([
  'name',
  'image',
  'configuration',
  'tariff',
  'sshKeys',
  'networks',
  'publicIp',
  'plugins',
]);

/** Refused as a whole already; what stands in them is not looked at. */
const refusedFields = new Set(['forEach', 'lifecycle', 'renewal', 'defaults']);

function checkExpression(
  node: ScalarNode,
  segment: Segment & { kind: 'expression' },
  { scope, address }: Surroundings,
  faults: FaultList,
): void {
  const where = {
    ...(address !== undefined && { address }),
    place: locateExpression(node, segment.offset),
  };
  const shown = `\${${makePrintable(segment.code).slice(0, 60)}}`;
  const isEach = /^each\.(?:index|key|value)$/.test(segment.code);
  if (!segment.isClosed) {
    faults.add({
      code: 'broken-expression',
      summary: 'An expression begins with `${` and is not closed',
      hint: 'Close it with `}`; write `$${` where you mean the characters themselves.',
      ...where,
    });
  } else if (segment.code === 'each.index' && scope === 'none') {
    faults.add({
      code: 'each-outside-count',
      summary: '`${each.index}` has no meaning here',
      detail:
        'It is the index of one of several VMs: for the name, the image, the configuration, the tariff, sshKeys, networks, publicIp and plugins of a VM that has `count`.',
      hint: 'Give the VM a `count`, or write the value out.',
      ...where,
    });
  } else if (!(
    isEach &&
    (scope === 'item' || (scope === 'index' && segment.code === 'each.index'))
  )) {
    faults.add({
      code: 'not-supported-yet',
      summary: `The expression \`${shown}\` is not supported yet`,
      detail:
        'This version of Hostwright evaluates `${each.index}` in a VM with `count`, and nothing else.',
      hint:
        scope === 'index' && suggest(segment.code, ['each.index'])
          ? 'Did you mean `${each.index}`?'
          : 'Write the value out; write `$${` where you mean the characters themselves.',
      ...where,
    });
  }
}

function checkTexts(node: LocatedNode, around: Surroundings, faults: FaultList): void {
  if (node.kind === 'list') for (const item of node.items) checkTexts(item, around, faults);
  if (node.kind === 'map') {
    for (const [key, { value }] of node.entries) {
      if (!refusedFields.has(key) && key !== 'backupFirst') checkTexts(value, around, faults);
    }
  }
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || !node.value.includes('${'))
    return;
  for (const segment of parseTemplate(node.value)) {
    if (segment.kind === 'expression') checkExpression(node, segment, around, faults);
  }
}

function checkVm(vm: LocatedNode, address: Address, faults: FaultList): void {
  const fields = entriesOf(vm);
  const inside: Scope = fields.has('forEach') ? 'item' : fields.has('count') ? 'index' : 'none';
  for (const [field, { value }] of fields) {
    if (refusedFields.has(field)) continue;
    checkTexts(value, { scope: instanceFields.has(field) ? inside : 'none', address }, faults);
  }
}

function checkProject(key: string, project: LocatedNode, faults: FaultList): void {
  const address = projectAddress(key);
  for (const [field, { value }] of entriesOf(project)) {
    if (field === 'vms') {
      for (const [local, { value: vm }] of entriesOf(value)) {
        checkVm(vm, childAddress(address, 'vm', local), faults);
      }
    } else if (!refusedFields.has(field)) {
      checkTexts(value, { scope: 'none', address }, faults);
    }
  }
}

/** Reports every expression that cannot be evaluated, each at its own column. */
export function checkExpressions(tree: LocatedNode | undefined, faults: FaultList): void {
  for (const [section, { value }] of entriesOf(tree)) {
    if (section !== 'projects') checkTexts(value, { scope: 'none', address: undefined }, faults);
  }
  for (const [key, { value }] of entriesOf(childOf(tree, 'projects'))) {
    checkProject(key, value, faults);
  }
}
