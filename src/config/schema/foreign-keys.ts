// Hints at keys that people bring from Terraform and other tools. Keys of one kind alone are in the folder of the kind.
import { kindRegistry } from '../../kinds/registry.ts';
import { kindNames, kindPlaces, type KindName } from '../../model/kind-places.ts';

type Hints = Readonly<Record<string, string>>;

const stateHint = 'Use `state`, for example `state: { s3: { … } }`.';
const serviceHint =
  'Use `service`: `sandbox: true`, or `baseUrl` for a real account. There is one provider, built in.';
const resourceHint =
  'Write each resource in its project: the address of `projects: { shop: { vms: { web: … } } }` is `projects.shop.vms.web`.';

const atTop: Hints = {
  provider: serviceHint,
  providers: serviceHint,
  requiredproviders: serviceHint,
  terraform:
    'Use `version: 1` for the format, `service` for the provider and `state` for the backend.',
  requiredversion: 'Use `version: 1`, the version of the format. Pin the program itself with npm.',
  backend: stateHint,
  cloud: stateHint,
  resource: resourceHint,
  resources: resourceHint,
  lifecycle: 'Write it in the block of a resource, or in `defaults` for all of a kind.',
  dependson: 'Remove it: references between resources give the order.',
  assertions: 'Use `checks` for results, or `policies` for planned changes.',
};

/** Hints at keys of other tools in blocks with a name: `modules.KEY`, `variables.KEY`. */
const below: Readonly<Record<string, Hints>> = {
  modules: {
    providers: 'Remove it: a module uses the `service` of the configuration.',
    dependson: 'Remove it: references between resources give the order.',
    version: 'Name a tag in `source`: `git::https://HOST/REPO.git//PATH?ref=TAG`.',
    inputs: 'Use `variables` for the values of the variables of the module.',
    foreach: 'Use `forEach`.',
  },
  variables: { ephemeral: 'Use `sensitive: true`: the value is never stored.' },
  validation: { condition: 'Use `assert`.', errormessage: 'Use `message`.' },
  checks: { condition: 'Use `assert`.', errormessage: 'Use `message`.' },
  policies: { condition: 'Use `assert`.', errormessage: 'Use `message`.' },
  removed: {
    address: 'Use `from`.',
    to: 'Use `from`.',
    lifecycle: 'Write `destroy: false` beside `from`.',
  },
  state: {
    dynamodbtable: 'Remove it: the lock is an object of the bucket, by conditional writes.',
    uselockfile: 'Remove it: the lock is an object of the bucket, by conditional writes.',
    encrypt: 'Remove it: `state.encryption` encrypts the state before it is sent.',
    profile: 'Remove it, and set AWS_PROFILE.',
    accesskey: 'Remove it, and set AWS_ACCESS_KEY_ID.',
    secretkey: 'Remove it, and set AWS_SECRET_ACCESS_KEY.',
  },
  service: { url: 'Use `baseUrl`.', address: 'Use `baseUrl`.', endpoint: 'Use `baseUrl`.' },
  outputs: { dependson: 'Remove it: references between resources give the order.' },
  lifecycle: {
    precondition: 'Use `policies`, at the top of the file: conditions over each planned change.',
    postcondition: 'Use `checks`, at the top of the file: conditions over the result.',
  },
};

const ofResource: Hints = {
  dependson: 'Remove it: references between resources give the order.',
  provider: 'Remove it: a configuration manages one account, named in `service`.',
  provisioner: 'Remove it: use an image that holds what is needed, or a tool for configuration.',
  connection: 'Remove it: Hostwright connects to no VM.',
  tags: 'Remove it: the service is not known to have tags. Put what matters into the `name`.',
  labels: 'Remove it: the service is not known to have labels. Put what matters into the `name`.',
  metadata:
    'Remove it: the service is not known to keep metadata. Put what matters into the `name`.',
  region: 'Remove it: the service is not known to offer a choice of place.',
  location: 'Remove it: the service is not known to offer a choice of place.',
  zone: 'Remove it: the service is not known to offer a choice of place.',
  datacenter: 'Remove it: the service is not known to offer a choice of place.',
  availabilityzone: 'Remove it: the service is not known to offer a choice of place.',
  id: 'Remove it: the service assigns it. An entry in `imports` adopts a resource by its id.',
  preventdestroy: 'Write it in `lifecycle`: `lifecycle: { preventDestroy: true }`.',
  createbeforedestroy: 'Write it in `lifecycle`: `lifecycle: { createBeforeDestroy: true }`.',
  ignorechanges: 'Write it in `lifecycle`: `lifecycle: { ignoreChanges: [FIELD] }`.',
  replacetriggeredby: 'Write it in `lifecycle`: `lifecycle: { replaceTriggeredBy: [ADDRESS] }`.',
};

const normalize = (key: string): string => key.toLowerCase().replaceAll(/[-_]/g, '');

/** A hint by key; own members only, since a key may be called `constructor`. */
const pick = (hints: Hints | undefined, key: string): string | undefined =>
  hints && Object.hasOwn(hints, key) ? hints[key] : undefined;

/** The kind of which the path names one resource, or the defaults; undefined where it names none. */
function findKind(path: readonly string[]): KindName | undefined {
  const collection = path.at(path.at(-2) === 'defaults' ? -1 : -2);
  return kindNames.find((kind) => kindPlaces[kind].collection === collection);
}

function hintOfKind(kind: KindName, key: string): string | undefined {
  return pick(kindRegistry[kind].traits.foreignKeys, key) ?? pick(ofResource, key);
}

/** A hint at a collection of resources that is written at the top level: the block in which it belongs. */
function placeCollection(key: string): string | undefined {
  const kind = kindNames.find((one) => normalize(kindPlaces[one].collection) === key);
  const holder = kind && kindNames.find((one) => one === kindPlaces[kind].within);
  if (!holder) return undefined;
  const [above, own] = [kindPlaces[holder].collection, kindPlaces[kind].collection];
  return `Write it in the block that holds it: \`${above}: { KEY: { ${own}: … } }\`.`;
}

/**
 * Hints at Hostwright's spelling of a key that belongs to another tool, such as Terraform; undefined for a key that no
 * such tool has.
 */
export function hintAtKeyOfOtherTool(written: string, path: readonly string[]): string | undefined {
  const key = normalize(written);
  if (path.length === 0) return pick(atTop, key) ?? placeCollection(key);
  // `lifecycle` has no name of its own, and an item of `validation` has a number.
  const inner = [path.at(-1), path.at(-2)].find(
    (one) => one === 'lifecycle' || one === 'validation',
  );
  if (inner !== undefined) return pick(below[inner], key);
  const kind = findKind(path);
  if (kind !== undefined) return hintOfKind(kind, key);
  return path.length === 2 || path[0] === 'service' ? pick(below[path[0] ?? ''], key) : undefined;
}
