// The names of the contract, as meanings of the table.
import { recordShapes } from '../../api/contract/shapes.ts';
import { vocabularyMeanings } from './meanings.ts';
import { type NameSense, splitWords, toSingular, type NameWords } from './words.ts';

/** Meanings of members whose words alone would suggest something else. */
const ownSenses: Readonly<Record<string, NameSense>> = {
  'limits.accessTokens': ['token'],
  'limits.vmResources': ['vmResources'],
  'limits.maxSshKeysPerProject': ['keysPerProject'],
  'nameLengthLimits.maxVmNameLength': ['max', 'vm', 'nameLengths'],
  'resourceQuota.limit': ['limit'],
  'project.vmCount': ['vm', 'count'],
  'operation.type': ['operationKind'],
  'vm.operation': ['operation'],
  'vm.networks': ['vmNetworks'],
  'notification.title': ['title'],
  'backup.size': ['size'],
  'metricSeries.name': ['metricName'],
  'vmCreate.sshPublicKeys': ['sshPublicKey'],
  'rebuildVmRequest.deleteBackups': ['deleteBackup'],
};

/** The kind of resource that each record of the contract describes. */
export const resourceKindByRecord: Readonly<Record<string, string>> = {
  vm: 'vm',
  vmCreate: 'vm',
  rebuildVmRequest: 'vm',
  resizeVmRequest: 'vm',
  vmNetwork: 'network',
  token: 'token',
  createdToken: 'token',
  tokenCreate: 'token',
  project: 'project',
  projectCreate: 'project',
  renameProjectRequest: 'project',
  sshKey: 'sshKey',
  sshKeyCreate: 'sshKey',
  network: 'network',
  networkCreate: 'network',
  attachment: 'vm',
  attachmentCreate: 'vm',
  publicIp: 'publicIp',
  operation: 'operation',
  portForward: 'portForward',
  portForwardCreate: 'portForward',
  portForwardUpdate: 'portForward',
  backup: 'backup',
  configuration: 'configuration',
  image: 'image',
  tariff: 'tariff',
  notification: 'notification',
  sale: 'sale',
  account: 'account',
  limits: 'limits',
};

const known = new Map<string, NameSense>();

/** The meaning of a member of one of the contract's records. */
export function findMemberSense(record: string, member: string): NameSense {
  return Object.hasOwn(ownSenses, `${record}.${member}`)
    ? (ownSenses[`${record}.${member}`] ?? [])
    : findNameSense(member);
}

/** The meaning of a name of the contract: the fewest entries whose names it is made of. */
export function findNameSense(name: string): NameSense {
  const found = known.get(name) ?? tile(splitWords(name));
  known.set(name, found);
  return found;
}

const namesOf = Object.entries(vocabularyMeanings).flatMap(([meaning, { same }]) =>
  same.split(',').map((phrase, at) => ({
    meaning,
    isFirst: at === 0,
    words: phrase.trim().split(' ').map(toSingular),
  })),
);

function tile(words: NameWords): NameSense {
  if (words.length === 0) return [];
  const starts = namesOf
    .filter((one) => one.words.every((word, at) => words[at] === word))
    .sort(
      (one, other) =>
        other.words.length - one.words.length || Number(other.isFirst) - Number(one.isFirst),
    );
  const [best] = starts;
  return best
    ? [best.meaning, ...tile(words.slice(best.words.length))]
    : [words[0] ?? '', ...tile(words.slice(1))];
}

/** Tells whether the contract has a member of that name in the record of a kind. */
export function hasContractMember(kind: string, member: string): boolean {
  return recordShapes[kind]?.[member] !== undefined;
}
