// Parts of the language whose shape is known and whose meaning is still to come. They are refused, never ignored.
import type { FaultList } from './fault-list.ts';
import { childOf, entriesOf, type Entry, type LocatedNode } from './located-node.ts';
import type { Place } from './source-file.ts';
import { describePath, findAddress } from './subject.ts';

const sections: Readonly<Record<string, string>> = {
  variables: 'Write the values where they are used.',
  locals: 'Write the values where they are used.',
  defaults:
    'Write the values into each resource; an anchor (`&name`) and `<<: *name` save repeating them.',
  modules: 'Put the files of the module into this directory.',
  outputs: '`hostwright show` shows what was assigned.',
  moved: 'Keep the old key, or rename the resource in place with `name`.',
  imports: '`hostwright plan --adopt` adopts live resources by their names.',
  removed: 'Take the resource out of the configuration: the plan destroys it.',
  guards: 'Read the plan before you apply it.',
  policies: 'Check the plan with `hostwright plan --format json`.',
  checks: 'Check the result with `hostwright show`.',
  account: 'Set it on the account itself.',
};

function refuse(path: readonly string[], place: Place, hint: string, faults: FaultList): void {
  const address = findAddress(path);
  faults.add({
    code: 'not-supported-yet',
    summary: `${describePath(path)} is not supported yet`,
    detail: 'This version of Hostwright knows the key and does nothing with it.',
    hint: `Remove it for now. ${hint}`,
    ...(address !== undefined && { address }),
    place,
  });
}

/** Refuses whole sections of one file. */
export function refuseSections(tree: LocatedNode, faults: FaultList): void {
  for (const [key, { key: place }] of entriesOf(tree)) {
    const hint = Object.hasOwn(sections, key) ? sections[key] : undefined;
    if (hint !== undefined) refuse([key], place, hint, faults);
  }
}

function isTrue({ value }: Entry): boolean {
  return value.kind === 'scalar' && value.value === true;
}

function refuseVmFields(path: readonly string[], vm: LocatedNode, faults: FaultList): void {
  const fields = entriesOf(vm);
  const refuseKey = (entry: Entry | undefined, keys: readonly string[], hint: string) => {
    if (entry) refuse([...path, ...keys], entry.key, hint, faults);
  };
  refuseKey(fields.get('forEach'), ['forEach'], 'Use `count`, or write one VM for each.');
  refuseKey(fields.get('renewal'), ['renewal'], 'Without it the renewal is left alone.');
  for (const [key, entry] of entriesOf(fields.get('lifecycle')?.value)) {
    refuseKey(entry, ['lifecycle', key], 'Read the plan before you apply it.');
  }
  const backupFirst = entriesOf(fields.get('rebuild')?.value).get('backupFirst');
  refuseKey(backupFirst, ['rebuild', 'backupFirst'], 'Make a backup before you apply a rebuild.');
}

/** Refuses fields of projects and VMs. */
export function refuseFields(tree: LocatedNode | undefined, faults: FaultList): void {
  for (const [key, { value: project }] of entriesOf(childOf(tree, 'projects'))) {
    const fields = entriesOf(project);
    const exclusive = fields.get('exclusive');
    if (exclusive && isTrue(exclusive)) {
      const hint = 'What is live and not configured is left alone.';
      refuse(['projects', key, 'exclusive'], exclusive.key, hint, faults);
    }
    const defaults = fields.get('defaults');
    if (defaults) {
      refuse(['projects', key, 'defaults'], defaults.key, sections.defaults ?? '', faults);
    }
    for (const [name, { value: vm }] of entriesOf(fields.get('vms')?.value)) {
      refuseVmFields(['projects', key, 'vms', name], vm, faults);
    }
  }
}
