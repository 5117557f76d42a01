/** Where the resources of a kind are configured. */
export interface KindPlace {
  /** What the YAML calls them, and an address too: `vms`. */
  readonly collection: string;
  /** The kind whose blocks hold theirs; absent for those that stand by themselves. */
  readonly within?: string;
  /** True: there is one in every account, so it has no key. */
  readonly isSingle?: true;
}

/**
 * The kinds of resources by their places, in the order in which one may need another. The one list of kinds that the
 * model has: no address can be read without it, and the model imports nothing. All else of a kind is in `kinds/`.
 */
const places = {
  project: { collection: 'projects' },
  sshKey: { collection: 'sshKeys', within: 'project' },
  network: { collection: 'networks', within: 'project' },
  publicIp: { collection: 'publicIps', within: 'project' },
  vm: { collection: 'vms', within: 'project' },
  portForward: { collection: 'forwards', within: 'publicIp' },
  account: { collection: 'account', isSingle: true },
  accessToken: { collection: 'tokens' },
} as const satisfies Record<string, KindPlace>;

export type KindName = keyof typeof places;

export const kindPlaces: Readonly<Record<KindName, KindPlace>> = places;

export const kindNames = Object.keys(places) as readonly KindName[];

/** True for a kind that lies in no project: the account has one space of names for all of its resources. */
export function isOutsideProjects(kind: KindName): boolean {
  return kindPlaces[kind].within === undefined;
}

/** The kind that an account is divided into, and that most others lie in. */
export const projectKind: KindName = 'project';

export function isProject(kind: KindName): boolean {
  return kind === projectKind;
}

/** The kinds that lie directly within one. */
export function listHeldKinds(holder: KindName): readonly KindName[] {
  return kindNames.filter((kind) => kindPlaces[kind].within === holder);
}

/** The kinds that lie below one in its project: port forwards below a public IP. */
export function listNestedKinds(kind: KindName): readonly KindName[] {
  return isProject(kind) ? [] : listHeldKinds(kind);
}

/** The kind that a kind lies in below its project: that of a port forward's public IP; undefined for others. */
export function holderOf(kind: KindName): KindName | undefined {
  const holder = kindNames.find((one) => one === kindPlaces[kind].within);
  return holder !== undefined && isProject(holder) ? undefined : holder;
}
