// A ninth kind, in one folder: what proves that no other file has to know a kind. A firewall lies in a project, and its
// rules name VMs. The casts stand for its line in the model's table of kinds, which a test must not add to.
import type { Command, ResourceRef } from '../../../src/model/account/command.ts';
import type { LiveRecordBase } from '../../../src/model/account/live.ts';
import { makeChildAddress } from '../../../src/model/address.ts';
import { isEqual, readAttributeText, type Attributes } from '../../../src/model/value.ts';
import { isExportableName } from '../../../src/kinds/export/export-named.ts';
import type {
  CommandContext,
  DescribedResource,
  InPlaceDifference,
  ResourceKind,
} from '../../../src/kinds/kind.ts';
import type { RecordedResource } from '../../../src/kinds/recorded-resource.ts';
import type { ToldValueMatch } from '../../../src/kinds/told.ts';
import {
  readIdAfterUnmanagedPrefix,
  spellLiveId,
  type LiveIdTranslator,
} from '../../../src/kinds/names.ts';
import configuration from './configuration.json' with { type: 'json' };
import { firewallWire } from './wire.ts';

/** One port of one VM that is open. */
export type Rule = Readonly<Record<'vm', string> & Record<'port', number>>;

export interface LiveFirewall extends LiveRecordBase {
  readonly kind: 'firewall';
  readonly name: string;
  readonly status: string | undefined;
  /** By key; the VMs by their ids. */
  readonly rules: Readonly<Record<string, Rule>>;
}

/** What a create or an update of the rules says. */
interface RulesCommand {
  readonly rules: Readonly<Record<string, Rule>>;
}

const rulesOf = (attributes: Attributes): Readonly<Record<string, Rule>> =>
  (attributes.rules ?? {}) as unknown as Readonly<Record<string, Rule>>;

/** The rules with other spellings of their VMs. */
const mapVms = <T>(rules: Readonly<Record<string, Rule>>, spell: (vm: string) => T) =>
  Object.fromEntries(
    Object.entries(rules).map(([key, { vm, port }]) => [key, { vm: spell(vm), port }]),
  );

const writeRules = (after: Attributes, context: CommandContext) =>
  mapVms(rulesOf(after), (vm) => context.refTo('vm', vm));

function create(after: Attributes, context: CommandContext) {
  const { project } = context;
  const name = readAttributeText(after, 'name');
  return [{ kind: 'createFirewall', project, name, rules: writeRules(after, context) }];
}

function update({ fields, after }: InPlaceDifference, context: CommandContext) {
  const { project, self: firewall } = context;
  return [
    ...(fields.has('name')
      ? [{ kind: 'renameFirewall', project, firewall, name: readAttributeText(after, 'name') }]
      : []),
    ...(fields.has('rules')
      ? [{ kind: 'setFirewallRules', project, firewall, rules: writeRules(after, context) }]
      : []),
  ];
}

const compareRules = (live: LiveFirewall, { rules }: RulesCommand): ToldValueMatch =>
  isEqual(live.rules, rules) ? 'same' : 'other';

/** Everything Hostwright knows of a firewall. */
export const firewall = {
  name: 'firewall',
  label: 'firewall',
  article: 'a',
  configuration,
  wire: firewallWire,
  scopes: () => ['network'],
  commands: {
    createFirewall: { compareUnchanging: () => 'same' },
    renameFirewall: { sets: ['name'] },
    setFirewallRules: {
      sets: ['rules'],
      compareShown: compareRules,
      carryOut: (live: LiveFirewall, { rules }: RulesCommand) => ({ ...live, rules }),
    },
    deleteFirewall: {},
  },
  fields: {
    name: { effect: 'update', deferrable: 'name' },
    rules: { effect: 'update', type: 'map' },
  },
  computed: ['id'],
  references: ({ project, attributes }: DescribedResource) =>
    Object.values(rulesOf(attributes)).flatMap(({ vm }) =>
      readIdAfterUnmanagedPrefix(vm) === undefined
        ? [{ attribute: 'rules', address: makeChildAddress(project, 'vm', vm) }]
        : [],
    ),
  claims: ({ project, attributes }: DescribedResource) => [
    `${project} firewall name ${readAttributeText(attributes, 'name')}`,
  ],
  quota: () => ({}),
  derive: () => ({}),
  read: (live: LiveFirewall, names: LiveIdTranslator) => ({
    id: live.id,
    name: live.name,
    rules: mapVms(live.rules, (vm) => spellLiveId(names, 'vm', vm)),
  }),
  fromRecord: (recorded: RecordedResource) => ({ name: recorded.text('name') }),
  create,
  update,
  destroy: ({ project, self }: { readonly project: ResourceRef; readonly self: ResourceRef }) =>
    [{ kind: 'deleteFirewall', project, firewall: self }] as unknown as readonly Command[],
  traits: {
    signs: ({ name, rules }: LiveFirewall) => ({ name, rules }),
    export: {
      keyWord: 'firewall',
      keyFrom: ({ name }: LiveFirewall) => name,
      whyNot: ({ name }: LiveFirewall) => (isExportableName(name) ? undefined : 'It has no name.'),
      describe: ({ name, rules }: LiveFirewall, key: string, names: LiveIdTranslator) => ({
        fields: {
          ...(name !== key && { name }),
          ...(Object.keys(rules).length > 0 && {
            rules: mapVms(rules, (vm) => spellLiveId(names, 'vm', vm)),
          }),
        },
      }),
    },
  },
} as unknown as ResourceKind;
