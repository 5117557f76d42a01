import fc from 'fast-check';
import type { DesiredGraph, MovedEntry } from '../../../src/model/resource.ts';
import { readAttributeText } from '../../../src/model/value.ts';
import type { SandboxQuotas } from '../../../src/sandbox/store/world.ts';
import { anyProject } from '../../support/arbitrary.ts';
import { makeDesired, type Config, type ProjectConfig } from '../../support/desired.ts';
import { editConfig, editNames, rotateProjects, type DrawnEdit } from '../../support/edits.ts';
import { NonsenseError } from '../../support/nonsense.ts';
import type { Variant } from '../world.ts';
import { Dice } from './dice.ts';
import { faultKinds, type FaultKind } from './fault-kinds.ts';
import { nameStyles, type NameStyle } from './normalize-names.ts';

/** One configuration of a course, and how often it is applied before the next one comes. */
export interface Leg {
  readonly config: Config;
  readonly applies: number;
}

/** Everything that a seed decides before anything runs. */
export interface Course {
  readonly seed: number;
  readonly variant: Variant;
  /** Operations take this many times less than in earnest. */
  readonly speed: number;
  readonly quotas: Partial<SandboxQuotas>;
  readonly quotaLagMs: number;
  readonly parallelism: number;
  readonly legs: readonly Leg[];
  readonly rate: number;
  readonly kinds: ReadonlySet<FaultKind>;
  /** Whether the service says what time it is. */
  readonly hasDate: boolean;
  /** Whether the clocks of the processes differ, from the service's and from each other. */
  readonly areClocksApart: boolean;
  /** What the service does to names. */
  readonly names: NameStyle;
  /** Whether the names are such that a service could make others of them. */
  readonly areNamesMixed: boolean;
}

const projectKeys = ['shop', 'blog', 'wiki'];

/** The course of a seed. */
export function drawCourse(seed: number): Course {
  const dice = new Dice(seed, 'course');
  // A service that refuses equal names hides half of what can go wrong.
  const variant = dice.pick(['strict', 'loose', 'loose'] as const);
  const first = drawConfig(dice);
  const configs = [first];
  const more = dice.pick([0, 0, 1, 1, 2, 3]);
  for (let index = 0; index < more; index += 1) {
    configs.push(drawNext(configs.at(-1) ?? first, dice));
  }
  const legs = configs.map((config) => ({ config, applies: dice.chance(0.3) ? 2 : 1 }));
  return {
    seed,
    variant,
    speed: dice.pick([40, 20, 20, 5, 1]),
    quotas: dice.chance(0.3) ? tightQuotas(configs, dice) : {},
    quotaLagMs: dice.chance(0.2) ? 3_000 : 0,
    parallelism: dice.pick([1, 3, 10, 10]),
    legs,
    rate: dice.pick([0.01, 0.03, 0.05, 0.1]),
    // Each seed has its own few kinds: what many of them together hide shows when they are alone.
    kinds: new Set(faultKinds.filter(() => dice.chance(0.4))),
    hasDate: dice.chance(0.8),
    areClocksApart: dice.chance(0.4),
    ...drawNames(dice),
  };
}

function drawNames(dice: Dice): Pick<Course, 'names' | 'areNamesMixed'> {
  if (!dice.chance(0.2)) return { names: 'as-given', areNamesMixed: dice.chance(0.2) };
  return { names: dice.pick(nameStyles), areNamesMixed: true };
}

function sample<T>(arbitrary: fc.Arbitrary<T>, dice: Dice): T {
  const [drawn] = fc.sample(arbitrary, { seed: dice.below(2 ** 31), numRuns: 1 });
  if (drawn === undefined) throw new Error('nothing was drawn');
  return drawn;
}

function drawConfig(dice: Dice): Config {
  const count = dice.pick([1, 1, 1, 2, 2, 3]);
  const keys = projectKeys.slice(0, count);
  return Object.fromEntries(keys.map((key) => [key, thin(sample(anyProject, dice), dice)]));
}

/** Most configurations are small: what goes wrong with three resources is understood sooner than with thirty. */
function thin(project: ProjectConfig, dice: Dice): ProjectConfig {
  const most = dice.pick([1, 2, 2, 3, 5]);
  let left = project;
  for (const key of Object.keys(project.vms ?? {}).slice(most)) left = withoutVm(left, key);
  return left;
}

function withoutVm(project: ProjectConfig, gone: string): ProjectConfig {
  const keep = <V>(
    record: Readonly<Record<string, V>>,
    isKept: (key: string, value: V) => boolean,
  ) => Object.fromEntries(Object.entries(record).filter(([key, value]) => isKept(key, value)));
  return {
    ...project,
    vms: keep(project.vms ?? {}, (key) => key !== gone),
    publicIps: Object.fromEntries(
      Object.entries(project.publicIps ?? {}).map(([key, forwards]) => [
        key,
        keep(forwards, (_, { vm }) => vm !== gone),
      ]),
    ),
  };
}

/** Mostly the same with some edits; now and then another one altogether, or nothing at all. */
function drawNext(before: Config, dice: Dice): Config {
  if (dice.chance(0.05)) return {};
  if (dice.chance(0.1)) return drawConfig(dice);
  const edits = Array.from({ length: 1 + dice.below(5) }, (): DrawnEdit => [
    dice.pick(editNames),
    dice.below(20),
    dice.below(20),
    dice.below(20),
  ]);
  const edited = editConfig(before, edits);
  return dice.chance(0.1) ? rotateProjects(edited) : edited;
}

/** What the largest of the configurations needs, and nothing or little more. */
function tightQuotas(configs: readonly Config[], dice: Dice): Partial<SandboxQuotas> {
  const needs = configs.map((config) => countNeeds(config));
  const slack = dice.pick([0, 0, 1, 4]);
  const most = (name: keyof ReturnType<typeof countNeeds>, unit = 1) =>
    Math.max(1, ...needs.map((need) => need[name])) + slack * unit;
  return {
    projects: most('projects'),
    networks: most('networks'),
    publicIps: most('publicIps'),
    cpu: most('cpu'),
    ram: most('ram', 2),
    disk: most('disk', 20),
  };
}

function countNeeds(config: Config) {
  const { resources } = makeDesired(config);
  const ofKind = (kind: string) => resources.filter((one) => one.kind === kind);
  const vms = ofKind('vm');
  const sum = (index: number) =>
    vms.reduce((total, { attributes }) => {
      const sizes =
        /^c(\d+)-r(\d+)-d(\d+)$/.exec(readAttributeText(attributes, 'configuration')) ?? [];
      return total + Number(sizes[index] ?? 0);
    }, 0);
  const brought = vms.filter(({ attributes }) => attributes.publicIp === 'new').length;
  return {
    projects: ofKind('project').length,
    networks: ofKind('network').length,
    publicIps: ofKind('publicIp').length + brought,
    cpu: sum(1),
    ram: sum(2),
    disk: sum(3),
  };
}

const collections = ['sshKeys', 'networks', 'publicIps', 'vms'] as const;

/** The graphs of the legs. Where a key changed, the configuration now and then says where its resource moved. */
export function graphsOf({
  seed,
  legs,
  areNamesMixed,
}: Pick<Course, 'seed' | 'legs' | 'areNamesMixed'>): readonly DesiredGraph[] {
  let moved: readonly MovedEntry[] = [];
  return legs.map(({ config }, index) => {
    const graph = areNamesMixed ? mixNames(makeDesired(config)) : makeDesired(config);
    const before = legs[index - 1]?.config;
    if (before) moved = [...moved, ...drawMoves(before, config, new Dice(seed, `moves ${index}`))];
    const addresses = new Set(graph.resources.map(({ address }) => address));
    moved = moved.filter(({ from, to }) => !addresses.has(from) && addresses.has(to));
    return moved.length === 0 ? graph : { ...graph, moved };
  });
}

/** Names with capitals and accents. */
const mixNames = (graph: DesiredGraph): DesiredGraph => ({
  ...graph,
  resources: graph.resources.map((one) => {
    const name = readAttributeText(one.attributes, 'name');
    if (name === '') return one;
    const mixed = `${name.charAt(0).toUpperCase()}${name.slice(1)}-\u00e9`;
    return { ...one, attributes: { ...one.attributes, name: mixed } };
  }),
});

function drawMoves(before: Config, after: Config, dice: Dice): MovedEntry[] {
  const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
  return Object.keys(after).flatMap((project) =>
    collections.flatMap((collection) => {
      const had = Object.keys(before[project]?.[collection] ?? {});
      const has = Object.keys(after[project]?.[collection] ?? {});
      const [gone] = had.filter((key) => !has.includes(key));
      const [come] = has.filter((key) => !had.includes(key));
      if (gone === undefined || come === undefined || !dice.chance(0.5)) return [];
      const at = `projects.${project}.${collection}`;
      return [{ from: `${at}.${gone}`, to: `${at}.${come}`, source }];
    }),
  );
}

/** The same course without one thing, e.g. `shop`, `shop.vms.web` or `shop.publicIps.edge`; undefined when it needs it. */
export function dropFrom(config: Config, path: string): Config | undefined {
  const [project = '', collection, key = ''] = path.split('.');
  const body = config[project];
  if (!body) return config;
  if (collection === undefined) {
    return Object.fromEntries(Object.entries(config).filter(([one]) => one !== project));
  }
  const dropped = {
    ...config,
    [project]: collection === 'vms' ? withoutVm(body, key) : withoutKey(body, collection, key),
  };
  try {
    makeDesired(dropped);
    return dropped;
  } catch (error) {
    if (error instanceof NonsenseError) return undefined;
    throw error;
  }
}

function withoutKey(body: ProjectConfig, collection: string, key: string): ProjectConfig {
  const had = Object.entries(body[collection as (typeof collections)[number]] ?? {});
  return { ...body, [collection]: Object.fromEntries(had.filter(([one]) => one !== key)) };
}

/** Everything that could be dropped from a course. */
export function listDroppable(legs: readonly Leg[]): readonly string[] {
  const paths = new Set<string>();
  for (const { config } of legs) {
    for (const [project, body] of Object.entries(config)) {
      paths.add(project);
      for (const collection of collections) {
        for (const key of Object.keys(body[collection] ?? {})) {
          paths.add(`${project}.${collection}.${key}`);
        }
      }
    }
  }
  return [...paths];
}
