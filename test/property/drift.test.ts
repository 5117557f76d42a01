// Whatever somebody changes outside: what is accepted leaves nothing to plan, and what is not says why.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import {
  isDriftAcceptableByEdits,
  listEditedFileContents,
  listDriftChoices,
  findDriftEditObstacle,
} from '../../src/commands/drift/offer-choices.ts';
import { listYamlTokenTexts } from '../../src/config/format/format-yaml.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import type { FileTextOverrides } from '../../src/config/source/configuration-files.ts';
import type { LiveResource, LiveSnapshot } from '../../src/model/account/live.ts';
import type { ManagedResource } from '../../src/model/state/state.ts';
import { readCase } from '../support/golden-case.ts';
import { goldenCases, goldenFolder } from '../support/golden-files.ts';
import { countRuns } from '../support/budget/budget.ts';
import { changeLines, planOf } from '../support/plan-lines.ts';
import { silentRuntime } from '../support/silent-runtime.ts';
import type { World } from '../support/world.ts';

const cases = goldenCases.filter((name) => existsSync(join(goldenFolder, name, 'config.yaml')));

/** The world of a case in which the state remembers all that is as configured. */
async function settle(name: string): Promise<World> {
  const world = await readCase(join(goldenFolder, name));
  const resources = new Map<string, ManagedResource>(world.state.resources);
  for (const { address, action, before, configured } of planOf({ ...world, mode: 'apply' })
    .changes) {
    const managed = resources.get(address);
    if (action !== 'no-op' || !managed || !before) continue;
    const attributes = { ...managed.attributes, ...before };
    resources.set(address, { ...managed, attributes, configured });
  }
  return { ...world, mode: 'apply', state: { ...world.state, resources } };
}

const nasty = [
  'a: b',
  '# c',
  '*a',
  '&a',
  'yes',
  '1e3',
  '${x}',
  '\u202e',
  '::error',
  'x'.repeat(70),
  "'",
  '"',
  ' a',
  '',
];
const anyName = fc.oneof(fc.constantFrom('web-9', 'db', ...nasty), fc.string({ maxLength: 8 }));
const anyPort = fc.integer({ min: 1, max: 65_535 });

/** What somebody does to a resource. */
const anyDeed = fc.record({
  index: fc.nat(),
  name: anyName,
  publicPort: anyPort,
  vmPort: anyPort,
  bootStatus: fc.constantFrom('Running', 'Stopped'),
  image: fc.nat(),
  plugins: fc.array(fc.constantFrom('monitoring', 'a b', 'yes')),
  keeps: fc.nat(2),
});
type Deed = typeof anyDeed extends fc.Arbitrary<infer T> ? T : never;

function meddle({ live, state }: World, deeds: readonly Deed[]): LiveSnapshot {
  const managed = new Set([...state.resources.values()].map(({ id }) => id));
  const { images } = live.catalog;
  return deeds.reduce((now, deed) => {
    const all = [...now.projects, ...now.resources].filter(({ id }) => managed.has(id));
    const chosen = all[deed.index % Math.max(1, all.length)];
    const change = <T extends LiveResource>(one: T): T => {
      if (one.id !== chosen?.id) return one;
      const { name, publicPort, vmPort, bootStatus, plugins } = deed;
      if (one.kind === 'portForward') return { ...one, publicPort, vmPort };
      if (one.kind !== 'vm') return 'name' in one ? { ...one, name } : one;
      const imageId = images[deed.image % images.length]?.id ?? one.imageId;
      const networks = Array.isArray(one.networks)
        ? one.networks.slice(0, deed.keeps)
        : one.networks;
      return { ...one, name, bootStatus, imageId, networks, plugins: [...new Set(plugins)] };
    };
    return { ...now, projects: now.projects.map(change), resources: now.resources.map(change) };
  }, live);
}

/** Keys of a file in their order. */
const keysOf = (text: string) => text.match(/[\w-]+(?=:)/g) ?? [];
const isWithin = (few: readonly string[], many: readonly string[]) => {
  const rest = [...many];
  return few.every((one) => rest.splice(0, rest.indexOf(one) + 1).includes(one));
};

let accepted = 0;
let refused = 0;

test.prop([fc.constantFrom(...cases), fc.array(anyDeed, { minLength: 1, maxLength: 3 })], {
  numRuns: countRuns(300),
})('accepted drift plans nothing, and the files keep the rest', async (name, deeds) => {
  const directory = join(goldenFolder, name);
  const load = async (instead?: FileTextOverrides) =>
    loadConfiguration({ directory, workingDirectory: directory, instead });
  const { configuration } = await load();
  if (!configuration || configuration.pending) return;
  const settled = await settle(name);
  const world = { ...settled, live: meddle(settled, deeds) };
  const plan = planOf(world);
  const runtime = { ...silentRuntime, cwd: directory };
  const choices = await listDriftChoices(runtime, configuration, plan);
  const each = choices.filter(isDriftAcceptableByEdits);
  // Two resources with one name, for example, cannot be had together.
  const clash = await findDriftEditObstacle(runtime, configuration, each);
  const own = clash === undefined ? each : each.slice(0, 1);
  accepted += own.length;
  for (const { accept } of choices) {
    if (accept.kind === 'edits') continue;
    refused += 1;
    expect(accept.why).toMatch(/^\S.*[.]$/);
  }
  if (own.length === 0) return;
  const texts = listEditedFileContents(runtime, configuration, own);
  for (const [path, text] of texts) {
    const before = readFileSync(path, 'utf8');
    expect(listYamlTokenTexts(text, 'comment')).toEqual(listYamlTokenTexts(before, 'comment'));
    expect(isWithin(keysOf(before), keysOf(text))).toBe(true);
  }
  const after = await load(texts);
  const next = planOf({ ...world, desired: after.configuration!.graph });
  const fields = next.changes.flatMap(({ address, fields: all }) =>
    all.map((field) => `${address}.${field.name}`),
  );
  for (const one of own) {
    expect(fields).not.toContain(one.what === 'changed' ? `${one.address}.${one.field}` : '');
  }
  const hadNothing = changeLines(planOf(settled)).length === 0;
  if (hadNothing && own.length === choices.length) expect(changeLines(next)).toEqual([]);
});

test('some drift can be accepted, and some cannot', () => {
  expect(accepted).toBeGreaterThan(10);
  expect(refused).toBeGreaterThan(10);
});
