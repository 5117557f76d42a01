// Subjects of deletions that are no DELETE: a path and its constants say in words what ends, and it must not be what holds more.
import { findOperationLossWeight, listWordsWithoutLossWords, hasLossWords } from './check-loss.ts';
import { operationIds } from './operation-ids.ts';
import type { OperationId } from './routes.ts';
import { operationShapes } from './shapes.ts';

/**
 * Places that a contract file gives to parameters of an operation, by the contract's name of the parameter: `path NAME`, `query
 * NAME` or `body POINTER`.
 */
export type BoundParameterPlaces = Readonly<Record<string, string>>;

/** Pattern for nouns of a kind. Compounds in small letters begin with any word: `fwrules`. */
const noun = (compounds: string, words: string) =>
  new RegExp(`^(?:[a-z]*(?:${compounds})|${words})(?:e|e?s|e?n)?$`);

/** Nouns for what each deletion ends. */
const nouns: Readonly<Partial<Record<OperationId, RegExp>>> = {
  deleteProject: noun(
    'project|tenant|workspace|account|organi[sz]ation|subscription',
    'all|org|team|customer|projekt|projet|proyecto|progetto',
  ),
  deleteVm: noun(
    'server|instance|machine|droplet|maschine',
    'vm|kvm|vps|vds|linode|node|guest|serveur|servidor|instanz|instancia|maquina',
  ),
  deleteBackup: noun(
    'backup|snapshot|image',
    'checkpoint|archive|point|sicherung|sauvegarde|cop(?:y|i|ia)',
  ),
  deletePublicIp: noun(
    '(?:public|floating|elastic|reserved|static|failover|external)ip|address|adresse',
    'ip|ipv|eip|vip|fip|direccion|indirizzo',
  ),
  deleteNetwork: noun('network|subnet|netzwerk|vlan', 'vpc|lan|vnet|netz|reseau(?:x)?|red|rete'),
  deleteSshKey: noun('key|keypair', 'schluessel|cle|clave|chiave'),
  deleteToken: noun('token|key|credential', 'secret'),
  deletePortForward: noun(
    'forward|forwarding|mapping|rule|redirect',
    'd?nat|redirection|port|entry|entri',
  ),
};

/**
 * Tells whether a word is a noun for the kind of resource that a deletion of the contract deletes, such as `droplet` for a VM.
 */
export function isDeletedResourceNoun(operation: OperationId, word: string): boolean {
  return nouns[operation]?.test(word) ?? false;
}

/** True for a noun of what is lost for longer than the subject of a deletion: it must not end that. */
const isNounOfMore = (operation: OperationId, word: string) =>
  operationIds.some(
    (one) =>
      findOperationLossWeight(one) > findOperationLossWeight(operation) &&
      isDeletedResourceNoun(one, word),
  );

/** Words that join a subject to more: `destroy-with-backups`, `delete-all-backups`. */
const joining = /^(?:and|with|plus|including|all|und|mit|alle|et|avec|tous|con|todos)$/;

/** Words around a subject that say nothing of it: `networks/bulk-delete`, `/v2/servers/actions/delete`. */
const empty =
  /^(?:v|api|rpc|json|xml|actions?|act|do|commands?|methods?|operations?|tasks?|jobs?|bulk|batch|many|force|now|async|confirm|by|ids?|create|list|get)$/;

/**
 * Word of a path that says what the request is about: the last one outside of parameters that means anything. Undefined for a
 * path without one.
 */
export const findPathSubjectWord = (path: string): string | undefined =>
  listWords(path).findLast((word) => !empty.test(word));

const listWords = (text: string) => listWordsWithoutLossWords(text.replaceAll(/\{[^{}]*\}/g, ' '));

/**
 * Finds the resource that the words of a deletion would delete in place of the intended one, such as the VM of a backup: its path
 * parameter as `{vmId}`, or its noun. Undefined where they delete no other. `constants` are the texts of the request's constants;
 * undefined where they are not known. `isKnown` tells of words by which the contract file itself calls the intended resource. A
 * DELETE is not looked at: its path ends with the id of what it deletes.
 *
 * Each text that names a loss is taken to delete what its last noun says, or else the last noun of the path. Without any noun, it
 * may delete whatever has its id in the request, or is named there.
 */
export function findMistakenlyDeletedHolder(
  operation: OperationId,
  line: string,
  places: BoundParameterPlaces,
  constants?: readonly string[],
  isKnown: (word: string) => boolean = () => false,
): string | undefined {
  if (!nouns[operation] || line.startsWith('DELETE ')) return undefined;
  const isOwn = (word: string) => isDeletedResourceNoun(operation, word);
  const isMore = (word: string) => isNounOfMore(operation, word);
  const { params } = operationShapes[operation];
  const whole = line.slice(line.indexOf('/'));
  const [, name, rest = whole] = /.*\{([^{}]*)\}(.*)$/.exec(whole) ?? [];
  const isBelow = name !== undefined && findContractParameterName(places, name) !== params.at(-1);
  // An id in a body or in a query may be what is ended, as one in the path.
  const sent = params.slice(0, -1).filter((one) => /^(?:body|query) /.test(places[one] ?? ''));
  const holder = isBelow ? name : sent[0];
  const ended = (word: string | undefined) => (holder === undefined ? word : `{${holder}}`);
  // Words before the last id tell of what is ended as well where those behind it do not: `/servers/delete/{vmId}`.
  const path = isBelow && (hasLossWords(rest) || !hasLossWords(whole)) ? rest : whole;
  const texts = [path, ...(constants ?? [])];
  const telling = texts.filter(hasLossWords);
  if (telling.length === 0 && constants === undefined) return undefined;
  const all = texts.flatMap(listWords);
  // Beside the id of a holder, the last word alone says what is ended.
  const isSubject = (word: string) =>
    holder === undefined ? isOwn(word) || isMore(word) : !empty.test(word);
  const findSubject = (text: string) => listWords(text).findLast(isSubject);
  // A word that nobody knows may tell of a loss: `servers/zap`.
  if (telling.length === 0) return all.some(isOwn) ? undefined : ended(all.find(isMore));
  for (const text of telling) {
    const subject = findSubject(text) ?? findSubject(path);
    const words = listWords(text);
    if (subject === undefined) {
      const more = all.find(isMore);
      // Beside the id of a holder, a constant that nobody asked for could bear the noun: `{ vm, x: backup, do: delete }`.
      if (holder === undefined && more === undefined && all.some(isOwn)) continue;
      // A noun in a constant that nobody knows may be that of a holder: `box.delete`.
      const isStrange = (word: string) => text !== path && !empty.test(word) && !isKnown(word);
      const found = ended(more ?? words.find(isStrange));
      if (found) return found;
    } else if (!isOwn(subject)) return ended(subject);
    else if (words.some((word) => joining.test(word))) {
      const found = ended(words.find(isMore));
      if (found) return found;
    }
  }
  return undefined;
}

/** Contract's name of the path parameter that the service calls `name`; `name` itself where both agree. */
export function findContractParameterName(places: BoundParameterPlaces, name: string): string {
  return Object.entries(places).find(([, place]) => place === `path ${name}`)?.[0] ?? name;
}
