import { describe, expect, it } from 'vitest';
import type { ManagedResource } from '../../../../src/model/state/state.ts';
import { findingsOf } from '../../../support/findings.ts';
import {
  afterApply,
  destroyAll,
  patchDesired,
  reconfigure,
  touch,
  type World,
} from '../../../support/world.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `Net${at}`);
const shop = (count: number, nameOf = (name: string) => name) => ({
  shop: {
    networks: Object.fromEntries(
      names(count).map((name) => [name.toLowerCase(), { name: nameOf(name) }]),
    ),
  },
});
const addressOf = (name: string) => `projects.shop.networks.${name.toLowerCase()}`;

/** A service that keeps the names of networks in small letters, and a state that knows it. */
function lowered(count: number): World {
  const touched = names(count).reduce(
    (world, name) => touch(world, addressOf(name), { name: name.toLowerCase() }),
    afterApply(shop(count)),
  );
  const resources = new Map<string, ManagedResource>(
    [...touched.state.resources].map(([address, one]) => {
      const name = one.attributes.name;
      const isNetwork = address.includes('.networks.') && typeof name === 'string';
      return [address, isNetwork ? { ...one, shown: { name: name.toLowerCase() } } : one];
    }),
  );
  return { ...touched, state: { ...touched.state, resources } };
}

const notesOf = (world: World) => findingsOf(world, 'name-normalised');

describe('names that the service keeps in another form', () => {
  it('are no news where there are none', () => expect(notesOf(afterApply(shop(2)))).toEqual([]));

  it('are noted with their address where there is one', () => {
    expect(notesOf(lowered(1))).toMatchObject([
      {
        ...{ severity: 'note', address: addressOf('Net0') },
        summary: 'The service keeps the name `Net0` as `net0`',
        hint: 'Use the name that the service keeps, to see the same in the configuration and in the account.',
      },
    ]);
  });

  it('are listed where there are several, ten of them', () => {
    const [note] = notesOf(lowered(12));
    expect(note).not.toHaveProperty('address');
    expect(note?.summary).toBe('The service keeps 12 names in another form');
    const lines = note?.detail?.split('\n') ?? [];
    expect(lines).toHaveLength(11);
    expect(lines[0]).toBe(`${addressOf('Net0')}: \`Net0\` as \`net0\``);
    expect(lines.at(-1)).toBe('and 2 more');
    const [two] = notesOf(lowered(2));
    expect(two?.detail?.split('\n')).toHaveLength(2);
  });

  it.each<[string, World]>([
    [
      'another name is asked for',
      reconfigure(
        lowered(1),
        shop(1, (name) => `${name}-b`),
      ),
    ],
    ['somebody else renamed it', touch(lowered(1), addressOf('Net0'), { name: 'other' })],
    ['it is destroyed', destroyAll(lowered(1))],
    ['it is gone', { ...lowered(1), live: afterApply({ shop: {} }).live }],
  ])('are no news where %s', (_what, world) => expect(notesOf(world)).toEqual([]));

  it('are not shown where a name is secret', () => {
    const world = lowered(1);
    expect(notesOf(patchDesired(world, addressOf('Net0'), { sensitive: ['name'] }))).toEqual([]);
  });
});
