// Random worlds, drawn as stories: what was applied, what happened since, and how the configuration was edited.
import { fc } from '@fast-check/vitest';
import type { LiveResource } from '../../src/model/account/live.ts';
import { anyConfig } from './arbitrary.ts';
import type { Config } from './desired.ts';
import { editConfig, editNames, rotateProjects, type DrawnEdit } from './edits.ts';
import { NonsenseError } from './nonsense.ts';
import { afterApply, destroyAll, forget, lose, reconfigure, touch, type World } from './world.ts';

type Event = (world: World, address: string) => World;

/** What may befall an account between two plans. */
const events: Readonly<Record<string, Event>> = {
  lose,
  rename: (world, address) => touch(world, address, { name: `${address} by hand` }),
  stop: (world, address) => only(world, address, 'vm', { bootStatus: 'Stopped' }),
  reimage: (world, address) => only(world, address, 'vm', { imageId: 'img-rocky-9' }),
  detach: (world, address) => only(world, address, 'vm', { networks: [] }),
  repoint: (world, address) => only(world, address, 'portForward', { vmPort: 1 }),
  fail: (world, address) => withStatus(world, address, 'failed'),
  leave: (world, address) => withStatus(world, address, 'deleting'),
  hurry: (world, address) => withStatus(world, address, 'updating'),
  forget: (world, address) => forgetLeaf(world, address),
};

const only = (world: World, address: string, kind: string, patch: Partial<LiveResource>): World =>
  world.state.resources.get(address)?.kind === kind ? touch(world, address, patch) : world;

function withStatus(world: World, address: string, status: string): World {
  const managed = world.state.resources.get(address);
  const live = world.live.resources.find(({ id }) => id === managed?.id);
  if (!live || !('status' in live)) return world;
  // An address that a VM holds was made, and the service does not let it go.
  if (live.kind === 'publicIp' && live.vmId !== null) return world;
  return touch(world, address, { status });
}

/** What a world comes from, in few words: random worlds are drawn as stories, so that a counterexample can be read. */
export interface Story {
  readonly before: Config;
  /** Names of events with what they befall, counted through the state. */
  readonly history: readonly (readonly [name: string, at: number])[];
  /** What is configured now: something else altogether, or what was applied with some edits. */
  readonly after: Config | readonly DrawnEdit[];
  readonly rotatesProjects?: boolean;
  readonly isEnd?: boolean;
}

/** The world that a story leads to: a configuration was applied, things happened, and it was edited. */
export function tell({ before, history, after, rotatesProjects, isEnd }: Story): World {
  let world = afterApply(before);
  for (const [name, at] of history) {
    const addresses = [...world.state.resources.keys()];
    const address = addresses[at % Math.max(1, addresses.length)];
    if (address === undefined) continue;
    try {
      world = events[name]?.(world, address) ?? world;
    } catch (error) {
      // What the service would not let happen does not happen.
      if (!(error instanceof NonsenseError)) throw error;
    }
  }
  const config = isEdits(after) ? editConfig(before, after) : after;
  const edited = reconfigure(world, rotatesProjects === true ? rotateProjects(config) : config);
  return isEnd === true ? destroyAll(edited) : edited;
}

function isEdits(after: Story['after']): after is readonly DrawnEdit[] {
  return Array.isArray(after);
}

const anyHistory = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 40 })), { maxLength: 4 });

const index = fc.nat({ max: 20 });
const anyEdits = fc.array(fc.tuple(fc.constantFrom(...editNames), index, index, index), {
  maxLength: 6,
});
const parts = {
  before: anyConfig,
  after: fc.oneof({ weight: 5, arbitrary: anyEdits }, { weight: 1, arbitrary: anyConfig }),
  rotatesProjects: fc.constantFrom(false, false, false, true),
};

/** Everything that happened can be mended by an apply. */
export const anyStory: fc.Arbitrary<Story> = fc.record({
  ...parts,
  history: anyHistory(Object.keys(events).filter((name) => name !== 'forget')),
});

/** As `anyStory`; but the state may have forgotten things, and everything may be planned away. */
export const anyRoughStory: fc.Arbitrary<Story> = fc.record({
  ...parts,
  history: anyHistory(Object.keys(events)),
  isEnd: fc.boolean(),
});

/** What others stand in cannot be forgotten alone. */
function forgetLeaf(world: World, address: string): World {
  const isLeaf = ![...world.state.resources.keys()].some((one) => one.startsWith(`${address}.`));
  return isLeaf ? forget(world, address) : world;
}
