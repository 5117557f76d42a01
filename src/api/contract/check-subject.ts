// Subjects of deletions that are no DELETE: a path and its constants say in words what ends, and it must not be what holds more.
import { listWordsBesideLoss, tellsOfAnyLoss } from './check-loss.ts';
import type { OperationId } from './routes.ts';
import { operationShapes } from './shapes.ts';

/** Places of an operation's parameters that its path does not have by their names, as a contract file has them. */
export type BoundPlaces = Readonly<Record<string, string>>;

const noun = (words: string) => new RegExp(`^(?:${words})(?:e?s|en)?$`);
const project = 'project|tenant|workspace|account|projekt|projet|proyecto|progetto';
const vm =
  'vm|server|vserver|instance|machine|droplet|linode|vps|serveur|servidor|instanz|maschine|instancia|maquina';

/** Nouns for what a deletion ends, and for what holds more than that, as they close a phrase: `delete-server-backup`. */
const nouns: Readonly<
  Partial<Record<OperationId, { readonly own: RegExp; readonly heavier: RegExp }>>
> = {
  deleteVm: { own: noun(vm), heavier: noun(project) },
  ...Object.fromEntries(
    Object.entries({
      deleteBackup: 'backup|snapshot|checkpoint|archive|point|sicherung|sauvegarde|respaldo|copia',
      deletePublicIp: 'ip|ipv|eip|vip|address|adresse|direccion|indirizzo',
      deleteNetwork: 'network|vpc|vlan|lan|vnet|subnet|netz|netzwerk|reseau|red|rete',
      deleteSshKey: 'key|keypair|schluessel|cle|clave|chiave',
      deleteToken: 'token|key|credential|secret',
      deletePortForward: 'forward|forwarding|mapping|rule|nat|dnat|redirect|redirection|port',
    }).map(([operation, words]) => [
      operation,
      { own: noun(words), heavier: noun(`${vm}|${project}`) },
    ]),
  ),
};

/** Words that join what is told of to more: `destroy-with-backups`. */
const joining = /^(?:and|with|plus|including|und|mit|et|avec|con)$/;

/**
 * The holder that the words of a deletion's path end in place of its subject, as `{vmId}` or by its noun; undefined where they
 * end none. `said` is a constant of the request. A DELETE is not looked at: it ends with the id of its subject.
 */
export function findEndedHolder(
  operation: OperationId,
  line: string,
  places: BoundPlaces,
  said = '',
): string | undefined {
  const known = nouns[operation];
  if (!known || line.startsWith('DELETE ')) return undefined;
  const { own, heavier } = known;
  const path = line.slice(line.indexOf('/'));
  const [, name, rest = path] = /.*\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  const isHolder =
    name !== undefined &&
    findParameterOfPart(places, name) !== operationShapes[operation].params.at(-1);
  const words = isHolder ? rest : path.replaceAll(/\{[^{}]*\}/g, ' ');
  const isTold = tellsOfAnyLoss(said) || (!(isHolder && said !== '') && tellsOfAnyLoss(words));
  if (!isTold) return undefined;
  const left = listWordsBesideLoss(`${words} ${said}`);
  const last = left.at(-1) ?? '';
  if (!isHolder) return heavier.test(last) ? last : undefined;
  return own.test(last) && !left.some((word) => joining.test(word)) ? undefined : `{${name}}`;
}

/** The contract's name of a parameter that a path calls by another. */
export function findParameterOfPart(places: BoundPlaces, name: string): string {
  return Object.entries(places).find(([, place]) => place === `path ${name}`)?.[0] ?? name;
}
