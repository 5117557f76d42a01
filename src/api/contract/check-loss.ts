// Losses by the operations of the contract, and words of a request that tell of one.
import type { OperationId } from './routes.ts';

/**
 * Weights of what is lost for good. A disk, backups of it and an address that names point to are had by nobody again; networks,
 * keys and tokens are made anew.
 */
const weights = { project: 7, vm: 6, disk: 5, backup: 4, address: 3, part: 2, link: 1 } as const;

/** Losses for good by operation. An operation that has no line loses nothing. */
const losses: Readonly<Partial<Record<OperationId, number>>> = {
  deleteProject: weights.project,
  deleteVm: weights.vm,
  rebuildVm: weights.disk,
  restoreBackup: weights.disk,
  deleteBackup: weights.backup,
  deletePublicIp: weights.address,
  deleteNetwork: weights.part,
  deleteSshKey: weights.part,
  deleteToken: weights.part,
  deletePortForward: weights.link,
  detachVm: weights.link,
};

/** Weight of what an operation destroys for good: 0 where it destroys nothing, and the higher the more is lost. */
export function findOperationLossWeight(operation: OperationId): number {
  return losses[operation] ?? 0;
}

/** Words that end a resource, and others that begin with them: `wipedisk`. Some are the ends of innocent ones. */
const endWords = [
  ...[
    'delet(?:e|ion)',
    'remov(?:e|al)',
    '(?<!de)terminat(?:e|ion)',
    'destr(?:oy|uct)',
    '(?<!s)purge',
  ],
  ...['discard', 'decommission', '(?<![a-z])release(?![sd]|[-_ ]*(?:note|channel))'],
  ...['(?<![a-z])drop(?!let|down|[-_ ]*in(?![a-z]))', '(?<![a-z])(?:kill|trash)'],
  ...['cancel(?!l?ed)', 'expunge', 'deprovision', 'k(?:ue|ü)ndig'],
  ...['loesch', 'lösch', 'entfernen', 'vernicht', 'zerstoer', 'zerstör'],
  ...['supprim', '(?<![a-z])(?:detrui|détrui|elimin|borra|destrui|distrugg)'],
];
/** Words that empty a disk; they may also be said of what ends. */
const eraseWords = ['(?<!s)wipe', 'eras(?:e(?!r)|ure)', '(?<![a-z])effac'];
/** Words that make a disk anew. */
const rebuildWords = [
  '(?<![a-z])re(?:image|imaging|create|deploy|set|provision|init|vert)',
  ...['(?<!p)re(?:build|install)', 'factory[-_ ]*reset', 'roll[-_ ]*back'],
  ...['(?<![a-z])restore(?!s|[-_ ]*point)', 'neuaufsetz', 'neuinstall'],
  '(?<![a-z])(?:reinstal|réinstal|reconstru|ricostru)',
];

const pattern = (words: readonly string[]) => new RegExp(words.join('|'), 'i');
const ending = pattern(endWords);
const rebuilding = pattern(rebuildWords);
const losing = pattern([...endWords, ...eraseWords, ...rebuildWords]);
const everyLoss = new RegExp(losing.source, 'gi');

/** A reboot by the word that hosting services have for switching off and on. */
const hardReboot =
  /(?<![a-z][-_ ]*)(?:(?:hard|soft|force|power|cold|warm)[-_ ]*)?reset(?:[-_ ]*(?:vm|server|instance|machine))?(?![-_ ]*[a-z])/gi;

/** The end of a renewal: `cancel`, `cancel-renewal`. */
const cancelledRenewal = /(?<![a-z])cancel(?:l?ation)?/gi;

/** Words that tell of a loss, but for the operation that they are the name of. */
const harmless: Readonly<Partial<Record<OperationId, RegExp>>> = {
  rebootVm: hardReboot,
  cancelSaleRenewal: cancelledRenewal,
};

/** The end of an attachment, where other words say of what: `remove-interface`, `remove_from_network`. */
const removedNetwork =
  /(?<![a-z])remove[-_ ]*(?:from[-_ ]*)?(?:member|interface|nic|network|vpc|vlan|lan)s?(?![-_ ]*[a-z])/gi;
/** The same, where the path says of which network. */
const removedMember = /(?<![a-z])remove[-_ ]*(?:vm|server|instance|machine)s?(?![-_ ]*[a-z])/gi;

/**
 * Tells whether words of a request, as a part of its path or a constant, name a loss that the contract's operation does not
 * cause, so that a contract file must not bind the operation to it. A GET is checked as well, since some services delete by GET.
 */
export function hasUnexpectedLossWords(operation: OperationId, words: string): boolean {
  const isOfNetwork = words.includes('{networkId}');
  const isOfAttachment = isOfNetwork && words.includes('{vmId}');
  return splitParts(words).some((part) => {
    switch (findOperationLossWeight(operation)) {
      case 0:
        return losing.test(part.replaceAll(harmless[operation] ?? /^$/g, ''));
      case weights.disk:
        return ending.test(part);
      case weights.vm:
      case weights.project:
        return false;
      default: {
        if (operation !== 'detachVm') return rebuilding.test(part);
        if (isOfAttachment && /^remove$/i.test(part)) return false;
        const rest = part.replaceAll(removedNetwork, '');
        return losing.test(isOfNetwork ? rest.replaceAll(removedMember, '') : rest);
      }
    }
  });
}

/**
 * Tells whether the name of a constant in a request says that more is lost than the contract's operation destroys, such as a name
 * with `backup` in a rebuild.
 */
export function isLossConstantName(operation: OperationId, name: string): boolean {
  const loss = findOperationLossWeight(operation);
  // The engine says itself what becomes of backups.
  if (loss === weights.disk && /backup|snapshot/i.test(name)) return true;
  const isOfPart = loss > 0 && loss < weights.vm;
  return (
    hasUnexpectedLossWords(operation, name) ||
    // A detachment is held to its own words.
    (isOfPart && operation !== 'detachVm' && splitParts(name).some((part) => ending.test(part)))
  );
}

/** Tells whether words of a request name any loss, such as `delete`, `wipe` or `rebuild`. */
export function hasLossWords(words: string): boolean {
  return splitParts(words).some((part) => losing.test(part));
}

/** Words of a request without those that name a loss, in lower case and without accents. */
export function listWordsWithoutLossWords(words: string): readonly string[] {
  const whole = words.normalize('NFKC').replaceAll(everyLoss, ' ');
  const parted = splitCapitals(whole).replaceAll(everyLoss, ' ').toLowerCase();
  return (
    parted
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/\p{L}+/gu) ?? []
  );
}

/** Parts of a path or of a value: as words of their own where capitals begin one, and whole, as `deLete` is one word. */
function splitParts(words: string): readonly string[] {
  const whole = words.normalize('NFKC').split(/[/{}"]/);
  return [...whole, ...whole.map(splitCapitals)];
}

function splitCapitals(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
}
