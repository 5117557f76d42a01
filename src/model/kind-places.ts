import { kindTable, projectKind, type KindEntry } from './kind-table.ts';
import { tableKeys } from './tables.ts';

export type KindName = keyof typeof kindTable;

/** Kinds of resources that lie directly within another kind. */
export type KindDirectlyWithin<H extends KindName> = {
  [K in KindName]: (typeof kindTable)[K] extends { readonly within: H } ? K : never;
}[KindName];

/** Keys in the YAML of the collections that lie directly within a kind. */
export type CollectionWithin<H extends KindName> =
  (typeof kindTable)[KindDirectlyWithin<H>]['collection'];

/** The table entry of each kind: its collection in the YAML, its containing kind and its commands. */
export const kindPlaces: Readonly<Record<KindName, KindEntry>> = kindTable;

export const kindNames = tableKeys(kindTable);

/** Tells whether the resources of a kind lie in no project, so that their names must differ in the whole account. */
export function isKindOutsideProjects(kind: KindName): boolean {
  return kindPlaces[kind].within === undefined;
}

export function isProject(kind: KindName): boolean {
  return kind === projectKind;
}

/** Lists the kinds of resources that lie directly within another kind. */
export function listDirectChildKinds(holder: KindName): readonly KindName[] {
  return kindNames.filter((kind) => kindPlaces[kind].within === holder);
}

/** The kinds that lie below one in its project: port forwards below a public IP. */
export function listNestedKinds(kind: KindName): readonly KindName[] {
  return isProject(kind) ? [] : listDirectChildKinds(kind);
}

/** The kind that a kind lies in below its project: that of a port forward's public IP; undefined for others. */
export function findContainingKind(kind: KindName): KindName | undefined {
  const holder = kindNames.find((one) => one === kindPlaces[kind].within);
  return holder !== undefined && isProject(holder) ? undefined : holder;
}

/** The kinds that stand beside projects: they lie in none, and are none. */
export function listKindsOutsideProjects(): readonly KindName[] {
  return kindNames.filter((kind) => isKindOutsideProjects(kind) && !isProject(kind));
}
