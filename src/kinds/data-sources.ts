// Sources of `data`: the kinds that people call by a name or an address, and the lists that the service offers.
import type { DataKind, CatalogDataKind } from '../model/data.ts';
import type { Catalog } from '../model/account/live.ts';
import { isKindOutsideProjects, kindNames, type KindName } from '../model/kind-places.ts';
import { listAttributes } from './attribute-names.ts';
import { kindRegistry } from './registry.ts';

/** A catalog list of the service: images, configurations or tariffs. */
interface Offer {
  readonly article: 'a' | 'an';
  readonly list: keyof Catalog;
  /** Attributes of an entry that expressions can read, with the types of CEL. */
  readonly attributes: Readonly<Record<string, string>>;
}

// Types of attributes for CEL; a number is `dyn`, as CEL separates whole numbers from others.
const text = 'string';
const number = 'dyn';

const offers: Readonly<Record<CatalogDataKind, Offer>> = {
  image: { article: 'an', list: 'images', attributes: { id: text, name: text, os: text } },
  configuration: {
    article: 'a',
    list: 'configurations',
    attributes: {
      id: text,
      name: text,
      cpu: number,
      ram: number,
      disk: number,
      availability: text,
      maxCount: number,
    },
  },
  tariff: {
    article: 'a',
    list: 'tariffs',
    attributes: { id: text, name: text, price: number, currency: text, period: text },
  },
};

/** Facts about a kind that `data` reads, before anything is read. */
export interface DataSource {
  readonly label: string;
  /** Article before the label, `a` or `an`. */
  readonly article: string;
  /** The attribute by which a `data` entry names a resource of the kind. */
  readonly calledBy: string;
  readonly isInProject: boolean;
  /** Attributes of an entry that expressions can read, with the types of CEL. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The catalog's list with the kind's entries; absent for resources of the account. */
  readonly list?: keyof Catalog;
}

function typeOf(kind: KindName, name: string): string {
  const { fields, computed } = kindRegistry[kind];
  const field = fields[name];
  if (field?.type === 'map') return 'map<string, dyn>';
  if (field?.isSet) return 'list<string>';
  if (field) return field.type === 'number' ? number : text;
  return computed.includes(name) ? text : number;
}

/** Attributes in the live record of a kind, without those of its sale, and without those that only this machine knows. */
function listReadable(kind: KindName): readonly string[] {
  const { fields, traits } = kindRegistry[kind];
  return listAttributes(kind).filter(
    (name) => name !== traits.sale?.field && fields[name]?.isLocal !== true,
  );
}

function describeKind(kind: KindName, calledBy: string): DataSource {
  const names = ['id', ...listReadable(kind).filter((name) => name !== 'id')];
  return {
    label: kindRegistry[kind].label,
    article: kindRegistry[kind].article,
    calledBy,
    isInProject: !isKindOutsideProjects(kind),
    attributes: Object.fromEntries(names.map((name) => [name, typeOf(kind, name)])),
  };
}

const sources: ReadonlyMap<string, DataSource> = new Map([
  ...kindNames.flatMap((kind): [string, DataSource][] => {
    const { calledBy } = kindRegistry[kind].traits;
    return calledBy === undefined ? [] : [[kind, describeKind(kind, calledBy)]];
  }),
  ...Object.entries(offers).map(([kind, offer]): [string, DataSource] => [
    kind,
    { ...offer, label: kind, calledBy: 'name', isInProject: false },
  ]),
]);

/** Values of `kind` in a `data` entry, the kinds of resources first. */
export function listDataKinds(): readonly DataKind[] {
  return [...sources.keys()] as DataKind[];
}

/** The source of a `data` entry by its `kind`; undefined when there is none of that name. */
export function findDataSource(written: string | undefined): DataSource | undefined {
  return sources.get(written ?? '');
}

/** Noun for an entry of a kind in a sentence. */
export function labelDataKind(kind: DataKind): string {
  return findDataSource(kind)?.label ?? kind;
}

/** The keys that select an entry: the attribute that each kind is called by, and `id`. */
export function listDataSelectors(): readonly string[] {
  return [...new Set([...[...sources.values()].map(({ calledBy }) => calledBy), 'id'])];
}
