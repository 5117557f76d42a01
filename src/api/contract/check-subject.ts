// Subjects of deletions that are no DELETE: a path and its constants say in words what ends, and it must not be what holds more.
import { listPhrasesBesideLoss, tellsOfAnyLoss } from './check-loss.ts';
import type { OperationId } from './routes.ts';
import { operationShapes } from './shapes.ts';

/** Places of an operation's parameters that its path does not have by their names, as a contract file has them. */
export type BoundPlaces = Readonly<Record<string, string>>;

/** Pattern for nouns that close a phrase: `backup` of `delete-server-backup`. Compounds in small letters begin with any word. */
const noun = (compounds: string, words: string) =>
  new RegExp(`^(?:[a-z]*(?:${compounds})|${words})(?:e|e?s|e?n)?$`);

const projects = [
  'project|tenant|workspace|account|organi[sz]ation|subscription',
  'all|org|team|customer|projekt|projet|proyecto|progetto',
] as const;
const vms = [
  'server|instance|machine|droplet|maschine',
  'vm|kvm|vps|vds|linode|node|guest|serveur|servidor|instanz|instancia|maquina',
] as const;
const both = noun(`${projects[0]}|${vms[0]}`, `${projects[1]}|${vms[1]}`);

/** Nouns for what a deletion ends, and for what holds more than that. */
const nouns: Readonly<
  Partial<Record<OperationId, { readonly own: RegExp; readonly heavier: RegExp }>>
> = {
  deleteVm: { own: noun(...vms), heavier: noun(...projects) },
  deleteBackup: {
    own: noun(
      'backup|snapshot|image',
      'checkpoint|archive|point|sicherung|sauvegarde|cop(?:y|i|ia)',
    ),
    heavier: both,
  },
  deletePublicIp: {
    own: noun(
      '(?:public|floating|elastic|reserved|static|failover|external)ip|address|adresse',
      'ip|ipv|eip|vip|fip|direccion|indirizzo',
    ),
    heavier: both,
  },
  deleteNetwork: {
    own: noun('network|subnet|netzwerk|vlan', 'vpc|lan|vnet|netz|reseau(?:x)?|red|rete'),
    heavier: both,
  },
  deleteSshKey: { own: noun('key|keypair', 'schluessel|cle|clave|chiave'), heavier: both },
  deleteToken: { own: noun('token|key|credential', 'secret'), heavier: both },
  deletePortForward: {
    own: noun('forward|forwarding|mapping|rule|redirect', 'd?nat|redirection|port|entry|entri'),
    heavier: both,
  },
};

/** Words that join a subject to more: `destroy-with-backups`, `delete-all-backups`. */
const joining = /^(?:and|with|plus|including|all|und|mit|alle|et|avec|tous|con|todos)$/;

/** Words around a subject that say nothing of it: `networks/bulk-delete`, `/v2/servers/actions/delete`. */
const empty =
  /^(?:v|api|rpc|json|xml|actions?|act|do|commands?|methods?|operations?|tasks?|jobs?|bulk|batch|many|force|now|async|confirm|by|ids?|create|list|get)$/;

const listPhrases = (words: string) =>
  listPhrasesBesideLoss(words).map((phrase) => phrase.filter((word) => !empty.test(word)));

/** The word that says of what a path is; undefined for one of ids and of empty words alone. */
export const findClosingWord = (path: string): string | undefined =>
  listPhrases(path.replaceAll(/\{[^{}]*\}/g, ' '))
    .flat()
    .at(-1);

/**
 * The holder that the words of a deletion end in place of its subject, as `{vmId}` or by its noun; undefined where they end
 * none. `constants` are the texts of its constants; undefined where they are not known. A DELETE is not looked at: it ends with
 * the id of its subject.
 */
export function findEndedHolder(
  operation: OperationId,
  line: string,
  places: BoundPlaces,
  constants?: readonly string[],
): string | undefined {
  const known = nouns[operation];
  if (!known || line.startsWith('DELETE ')) return undefined;
  const { own, heavier } = known;
  const { params } = operationShapes[operation];
  const path = line.slice(line.indexOf('/'));
  const [, name, rest = path] = /.*\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  const isBelow = name !== undefined && findParameterOfPart(places, name) !== params.at(-1);
  // An id in a body or in a query may be what is ended, as one in the path.
  const sent = params.slice(0, -1).find((one) => /^(?:body|query) /.test(places[one] ?? ''));
  const holder = isBelow ? name : sent;
  const whole = path.replaceAll(/\{[^{}]*\}/g, ' ');
  // Words before the last id tell of it as well: `/servers/delete/{vmId}`.
  const closing = tellsOfAnyLoss(rest) || !tellsOfAnyLoss(whole) ? rest : whole;
  const words = isBelow ? closing : whole;

  const findNoun = (text: string): string | undefined => {
    const phrases = listPhrases(text);
    const before = phrases.slice(0, -1).flat();
    const after = phrases.at(-1) ?? [];
    // The words behind the loss are its subject, or its manner: `servers/delete-gently`.
    const isNoun = (word: string) => before.length === 0 || own.test(word) || heavier.test(word);
    return after.findLast(isNoun) ?? before.at(-1);
  };
  const ofPath = findNoun(words) ?? '';
  const said = constants ?? [];
  const told = [words, ...said].filter(tellsOfAnyLoss);
  if (told.length === 0) {
    if (constants === undefined) return undefined;
    // A word that nobody knows may tell of a loss: `servers/zap`.
    const all = [words, ...said].flatMap((text) => listPhrases(text).flat());
    if (all.some((word) => own.test(word))) return undefined;
    return holder === undefined ? all.find((word) => heavier.test(word)) : `{${holder}}`;
  }
  for (const text of told) {
    const joined = listPhrases(text === words ? closing : text).flat();
    const isMore = joined.some((word) => joining.test(word));
    const last = listPhrases(text).flat().at(-1) ?? ofPath;
    if (holder !== undefined && (isMore || !own.test(last))) return `{${holder}}`;
    const subject = findNoun(text) ?? ofPath;
    // A constant beside the name of the subject, as that of an account, is not what is ended.
    const others = own.test(subject) ? [] : [ofPath, ...said.map((one) => findNoun(one) ?? '')];
    const ended = [...(isMore ? joined : []), subject, ...others].find((one) => heavier.test(one));
    if (ended !== undefined) return ended;
  }
  return undefined;
}

/** True for a noun of what a deletion ends. */
export function isNounOf(operation: OperationId, word: string): boolean {
  return nouns[operation]?.own.test(word) ?? false;
}

/** The contract's name of a parameter that a path calls by another. */
export function findParameterOfPart(places: BoundPlaces, name: string): string {
  return Object.entries(places).find(([, place]) => place === `path ${name}`)?.[0] ?? name;
}
