// The schema of the configuration: the common part in `base.json`, and the parts that the kinds add.
import type { KindConfigurationSchema } from '../../kinds/configuration-part.ts';
import { listDataKinds } from '../../kinds/data-sources.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import {
  isKindOutsideProjects,
  kindNames,
  kindPlaces,
  listDirectChildKinds,
  type KindName,
} from '../../model/kind-places.ts';
import base from './base.json' with { type: 'json' };

type Piece = Readonly<Record<string, unknown>>;

/** Schemas of the kinds of resources, by the names of their collections in the YAML. */
function byCollection(
  names: readonly KindName[],
  pick: (part: KindConfigurationSchema) => Piece | undefined,
): Piece {
  return Object.fromEntries(
    names.flatMap((name) => {
      const piece = pick(kindRegistry[name].configuration);
      return piece ? [[kindPlaces[name].collection, piece]] : [];
    }),
  );
}

const { enabled, count, forEach } = base.$defs.module.properties;
const repetition = { enabled, count, forEach };

/** Schema of a resource, with the collections that may lie within it. */
function describeKind(kind: KindName): Piece {
  const { definition } = kindRegistry[kind].configuration;
  const held = byCollection(listDirectChildKinds(kind), ({ collection }) => collection);
  if (kindPlaces[kind].isSingle) return withProperties(definition, held);
  return {
    ...definition,
    not: base.$defs.module.not,
    properties: { ...repetition, ...definition.properties, ...held },
  };
}

function withProperties(piece: Piece & { readonly properties: object }, more: Piece): Piece {
  return { ...piece, properties: { ...piece.properties, ...more } };
}

/** Schema of an entry of `data`, for all kinds that can be queried. */
function describeData(): Piece {
  const { properties, ...entry } = base.$defs.data;
  const { kind, project, name, ...others } = properties;
  return {
    ...entry,
    properties: {
      kind: { ...kind, enum: listDataKinds() },
      project,
      name,
      ...Object.assign({}, ...kindNames.map((one) => kindRegistry[one].configuration.data ?? {})),
      ...others,
    },
  };
}

/** The lifecycles of kinds that know more than every kind does. */
function describeLifecycles(): Piece {
  const every = base.$defs.lifecycle;
  return Object.fromEntries(
    kindNames.flatMap((name) => {
      const { lifecycle } = kindRegistry[name].configuration;
      if (!lifecycle) return [];
      const own = { ...every, ...lifecycle };
      return [
        [
          `${name}Lifecycle`,
          withProperties({ ...own, properties: every.properties }, { ...lifecycle.properties }),
        ],
      ];
    }),
  );
}

/** Inserts properties before a key: `fmt` writes keys in the order of the schema. */
function insertBefore(key: string, properties: Piece, more: Piece): Piece {
  const entries = Object.entries(properties);
  const at = entries.findIndex(([name]) => name === key);
  return Object.fromEntries([
    ...entries.slice(0, at),
    ...Object.entries(more),
    ...entries.slice(at),
  ]);
}

/** Assembles the JSON Schema of the configuration, as it is published. */
export function assembleSchema() {
  const outside = kindNames.filter(isKindOutsideProjects);
  const { projectDefaults, allDefaults, ...definitions } = base.$defs;
  const defaultsOf = (names: readonly KindName[]) =>
    byCollection(names, ({ defaults }) => defaults);
  return {
    ...base,
    properties: insertBefore(
      'outputs',
      base.properties,
      byCollection(outside, ({ collection }) => collection),
    ),
    $defs: {
      ...definitions,
      ...Object.assign(
        {},
        ...kindNames.map((name) => kindRegistry[name].configuration.definitions ?? {}),
      ),
      ...describeLifecycles(),
      ...Object.fromEntries(kindNames.map((name) => [name, describeKind(name)])),
      data: describeData(),
      projectDefaults: withProperties(
        projectDefaults,
        defaultsOf(kindNames.filter((name) => !isKindOutsideProjects(name))),
      ),
      allDefaults: withProperties(allDefaults, defaultsOf(kindNames)),
    } as Readonly<Record<string, object>>,
  };
}
