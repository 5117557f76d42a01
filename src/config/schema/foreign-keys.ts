// Keys that people write from habit, as Terraform, Kubernetes or cloud-init have them, and what takes their place.
import { isRepeatable } from '../../kinds/configuration-part.ts';
import type { ForeignKey, ForeignKeys } from '../../kinds/kind-values.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseAddress, topKinds } from '../../model/address.ts';
import { kindNames, kindPlaces, type KindName } from '../../model/kind-places.ts';
import { suggest } from '../../model/text/suggest.ts';
import { describePath } from '../scope/subject.ts';

const resources =
  'Write each resource at its place, such as `projects.shop.vms.web`: the place says what it is.';
const service = 'Use `service` to name the account: the one provider is built in.';
const noProviders = 'Remove it: there are no providers or plugins to install.';

/** At the top of a configuration. */
const topKeys: ForeignKeys = {
  provider: { hint: service },
  providers: { hint: service },
  terraform: {
    hint: 'Write `version: 1` for the language and `state` for the backend: there are no providers to install.',
  },
  requiredversion: { hint: 'Write `version: 1`: it names the version of the language.' },
  requiredproviders: { hint: noProviders },
  apiversion: { key: 'version' },
  backend: { key: 'state' },
  resource: { hint: resources },
  resources: { hint: resources },
  module: { key: 'modules' },
  output: { key: 'outputs' },
  variable: { key: 'variables' },
  vars: { key: 'variables' },
  inputs: { key: 'variables' },
  local: { key: 'locals' },
  import: { key: 'imports' },
  check: { key: 'checks' },
  policy: { key: 'policies' },
  workspace: {
    hint: 'Use a directory, or an instance of a module, for each environment: there are no workspaces.',
  },
  workspaces: {
    hint: 'Use a directory, or an instance of a module, for each environment: there are no workspaces.',
  },
};

/** In the block of any resource. */
const resourceKeys: ForeignKeys = {
  dependson: {
    hint: 'Remove it: references such as `networks: [backend]` say what depends on what.',
  },
  provider: { hint: 'Remove it: a configuration has one account, and `service` names it.' },
  provisioner: {
    hint: 'Remove it: no script runs on a resource. Use an image, or a tool such as Ansible.',
  },
  connection: { hint: 'Remove it: Hostwright does not connect to VMs.' },
  preventdestroy: { hint: 'Move it into `lifecycle: { preventDestroy: true }`.' },
  ignorechanges: { hint: 'Move it into `lifecycle: { ignoreChanges: [image] }`.' },
  ...Object.fromEntries(
    ['tags', 'labels', 'annotations', 'metadata', 'description'].map(
      (key): [string, ForeignKey] => [
        key,
        { hint: 'Remove it: the service keeps no labels. Use a comment, or the `name`.' },
      ],
    ),
  ),
};

const conditions: ForeignKeys = {
  condition: { key: 'assert' },
  errormessage: { key: 'message' },
};

const blocksOfLists: Readonly<Record<string, ForeignKeys>> = {
  removed: { lifecycle: { hint: 'Write `destroy: false` in the entry itself.' } },
  validation: conditions,
};

/** In a block with one of these names. */
const blocks: Readonly<Record<string, ForeignKeys>> = {
  lifecycle: {
    precondition: { hint: 'Move it to `policies`, which check each planned change.' },
    postcondition: { hint: 'Move it to `checks`, which read what was applied.' },
    keepondestroy: { hint: 'Use `removed: [{ from: ADDRESS, destroy: false }]`.' },
    destroy: { hint: 'Use `removed: [{ from: ADDRESS, destroy: false }]`.' },
  },
};

/** In each entry of a collection at the top. */
const entriesOfTop: Readonly<Record<string, ForeignKeys>> = {
  modules: {
    providers: { hint: noProviders },
    version: { hint: 'Write it as the ref in `source`: `git::https://…?ref=v1.2.0`.' },
    dependson: { hint: 'Remove it: expressions that read other outputs say what depends on what.' },
  },
  outputs: { dependson: { hint: 'Remove it: the expression says what it depends on.' } },
  variables: { ephemeral: { key: 'sensitive' }, ...conditions },
  checks: conditions,
  policies: conditions,
};

/** The kind whose block, or whose defaults, are at a path. */
function kindAt(path: readonly string[]): KindName | undefined {
  if (path.length >= 2 && path.at(-2) === 'defaults') {
    return kindNames.find((kind) => kindPlaces[kind].collection === path.at(-1));
  }
  return parseAddress(describePath(path))?.kind;
}

const repeatable = kindNames
  .filter((kind) => isRepeatable(kinds[kind].configuration))
  .map((kind) => `${kinds[kind].label}s`)
  .join(', ');

/** What to do in place of a `count` or a `forEach` that a kind does not have. */
function refuseRepetition(kind: KindName): ForeignKey {
  const { label } = kinds[kind];
  return topKinds.has(kindPlaces[kind].collection)
    ? { hint: `Put the ${label} into a module, and give the module a \`forEach\`.` }
    : { hint: `Write one entry for each ${label}: only ${repeatable} and modules repeat.` };
}

function keysOfKind(kind: KindName): ForeignKeys {
  const { configuration, foreignKeys } = kinds[kind];
  const repetition = isRepeatable(configuration) ? undefined : refuseRepetition(kind);
  return {
    ...resourceKeys,
    ...(repetition && { count: repetition, foreach: repetition }),
    ...foreignKeys,
  };
}

function keysAt(path: readonly string[]): ForeignKeys {
  const kind = kindAt(path);
  if (kind !== undefined) return keysOfKind(kind);
  const [last = '', before = '', ...others] = path.toReversed();
  const byPlace = /^\d+$/.test(last)
    ? blocksOfLists[before]
    : others.length === 0
      ? entriesOfTop[before]
      : blocks[last];
  return byPlace ?? {};
}

/** The foreign key in what is known of a place. A key that the place does not have is no way out. */
function pick(keys: ForeignKeys, key: string, known: readonly string[]): ForeignKey | undefined {
  const folded = key.toLowerCase().replace(/[-_]/g, '');
  const found = Object.hasOwn(keys, folded) ? keys[folded] : undefined;
  return found && 'key' in found && !known.includes(found.key) ? undefined : found;
}

/**
 * What takes the place of a key that belongs to another tool; undefined where nothing is known of it.
 * @param known the keys that the place has
 */
function findForeignKey(
  path: readonly string[],
  key: string,
  known: readonly string[],
): ForeignKey | undefined {
  if (path.length > 0) return pick(keysAt(path), key, known);
  // A file of tests has another top.
  if (!known.includes('projects')) return undefined;
  const collection = kindNames.find((one) => kindPlaces[one].collection === key);
  return collection
    ? { hint: `Move it into a project: \`projects.KEY.${key}\`.` }
    : pick(topKeys, key, known);
}

/**
 * What an unknown key was most likely meant to be, or what to do in place of it; undefined when nothing is near.
 * @param known the keys that the place has
 */
export function findMeantKey(
  path: readonly string[],
  key: string,
  known: readonly string[],
): ForeignKey | undefined {
  const foreign = findForeignKey(path, key, known);
  if (foreign) return foreign;
  const meant = suggest(key, known);
  if (meant !== undefined) return { key: meant };
  return path.length === 2 && path[0] === 'modules'
    ? { hint: 'Move it into `variables`, if it is a variable of the module.' }
    : undefined;
}
