// What a person makes that could be taken for ours.
import type { WireRequest } from '../../../src/api/contract/types.ts';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import type { DesiredResource } from '../../../src/model/resource.ts';
import { readAttributeText, type Attributes } from '../../../src/model/value.ts';
import type { Dice } from './dice.ts';
import type { lookalikeFaults } from './fault-kinds.ts';

/** How like it is: in its name alone, in everything, or in everything but the spelling of its name. */
export type Likeness = (typeof lookalikeFaults)[number];

/** The create of something like what a create of the engine asks for; undefined for what a person does not make. */
export function imitateCommand(
  command: ResolvedCommand,
  likeness: Likeness,
  dice: Dice,
): WireRequest | undefined {
  const isEqual = likeness !== 'console creates one of its name';
  const name = 'name' in command ? respell(command.name, likeness, dice) : '';
  switch (command.kind) {
    case 'createProject':
      return { operation: 'createProject', params: {}, body: { name } };
    case 'createNetwork':
      return { operation: 'createNetwork', params: { projectId: command.project }, body: { name } };
    case 'createSshKey': {
      const publicKey = isEqual ? command.publicKey : otherKey;
      const params = { projectId: command.project };
      return { operation: 'createSshKey', params, body: { name, publicKey } };
    }
    case 'createPublicIp':
      return { operation: 'createPublicIp', params: { projectId: command.project } };
    case 'createVm': {
      const { imageId, configurationId, tariffId, plugins } = command;
      const asked = { imageId, configurationId, tariffId, plugins: [...plugins] };
      const body = { name, ...(isEqual ? asked : makeOther(asked, dice)) };
      return { operation: 'createVm', params: { projectId: command.project }, body };
    }
    default:
      return undefined;
  }
}

/** The same for what is configured and was not asked for yet. */
export function imitateDesired(
  { kind, attributes }: DesiredResource,
  projectId: string,
  likeness: Likeness,
  dice: Dice,
): WireRequest | undefined {
  const command = commandOf(kind, attributes, projectId);
  return command && imitateCommand(command, likeness, dice);
}

function commandOf(
  kind: DesiredResource['kind'],
  attributes: Attributes,
  project: string,
): ResolvedCommand | undefined {
  const name = readAttributeText(attributes, 'name');
  switch (kind) {
    case 'network':
      return { kind: 'createNetwork', project, name };
    case 'sshKey':
      return {
        kind: 'createSshKey',
        project,
        name,
        publicKey: readAttributeText(attributes, 'publicKey'),
      };
    case 'publicIp':
      return { kind: 'createPublicIp', project };
    case 'vm': {
      const plugins = (attributes.plugins ?? []) as readonly string[];
      return {
        ...{ kind: 'createVm', project, name, plugins, sshKeys: [], publicIp: 'none' },
        imageId: `img-${readAttributeText(attributes, 'image').replaceAll('.', '-')}`,
        configurationId: `cfg-${readAttributeText(attributes, 'configuration').replaceAll('-', '')}`,
        tariffId: `trf-${readAttributeText(attributes, 'tariff')}`,
      };
    }
    default:
      return undefined;
  }
}

const otherKey = 'ssh-ed25519 SomebodyElse';

interface VmFields {
  readonly imageId: string;
  readonly configurationId: string;
  readonly tariffId: string;
  readonly plugins: string[];
}

/** Another image, size or tariff, or several of them. */
function makeOther(asked: VmFields, dice: Dice): VmFields {
  const other = { ...asked };
  const fields = dice.pick([
    ['imageId'],
    ['configurationId'],
    ['tariffId'],
    ['imageId', 'configurationId'],
  ]);
  if (fields.includes('imageId')) {
    other.imageId = asked.imageId === 'img-debian-12' ? 'img-ubuntu-24-04' : 'img-debian-12';
  }
  if (fields.includes('configurationId')) {
    other.configurationId = asked.configurationId === 'cfg-c1r1d20' ? 'cfg-c2r4d40' : 'cfg-c1r1d20';
  }
  if (fields.includes('tariffId')) {
    other.tariffId = asked.tariffId === 'trf-monthly' ? 'trf-hourly' : 'trf-monthly';
  }
  return other;
}

function respell(name: string, likeness: Likeness, dice: Dice): string {
  if (likeness !== 'console creates one of another spelling') return name;
  const spelled = [name.toUpperCase(), name.normalize('NFD'), name.normalize('NFC'), ` ${name} `];
  const others = spelled.filter((one) => one !== name);
  return others.length === 0 ? name : dice.pick(others);
}
