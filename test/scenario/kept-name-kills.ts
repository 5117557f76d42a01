// Runs that are killed on services that keep other names than they are given, and gone on with.
import { expect } from 'vitest';
import { getLiveName } from '../../src/model/account/live.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';

const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFxzGVLPbXK7rO8ICHrIfoSHu4CFi5HGCuyPBEJmLfYw alice';

export const shop = (project: string, web: string, more = '') => `projects:
  shop:
    name: ${project}
    sshKeys: { alice: { name: Alice, publicKey: "${publicKey}" } }
    networks: { lan: { name: LAN } }
    vms: { web: { name: ${web}, ${vm}, networks: [lan], sshKeys: [alice]${more} } }
outputs:
  name: { value: "\${projects.shop.vms.web.name} in \${projects.shop.name}" }
`;

/** Kills an apply on a service that lower-cases names. @returns how many points there are */
export async function resumeLowerCased(): Promise<number> {
  const desired = await configure(shop('Shop', 'Web'));
  const open = () => World.open({ names: 'lower-case' });
  return killEverywhere({ open, desired, every: 6 });
}

/** Two VMs whose names differ in case alone. */
export const twins = `projects: { shop: { vms: { a: { name: Web, ${vm} }, b: { name: web, ${vm} } } } }`;

/** Leaves what is called so out of the lists for a while. */
export const hide =
  (world: World, name: string, untilMs: number): Meddle =>
  async (request, pass) => {
    const response = await pass();
    const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/vms');
    if (!isList || world.time.now() >= untilMs) return response;
    const page = (await response.json()) as { items: { name: string }[] };
    const items = page.items.filter((one) => one.name !== name);
    const { headers } = response;
    return Response.json({ ...page, items, totalCount: items.length }, { headers });
  };

export const nameAt = async (world: World, address: string) => {
  const id = (await world.store.reopen()).state.resources.get(address)?.id;
  const live = (await world.readAccount()).find((one) => one.id === id);
  return live && getLiveName(live);
};

/** Kills an apply of the two; the next run sees one of them late. */
export async function resumeTwins(): Promise<void> {
  const graph = await configure(twins);
  const goOn = async (world: World) => {
    const meddle = hide(world, 'web', world.time.now() + 20_000);
    const failures = describeFailures(await world.apply(graph, { meddle }));
    expect(await nameAt(world, 'projects.shop.vms.b')).toBe('web');
    return [...failures, ...(await findViolations(world, graph))];
  };
  await killEverywhere({ open: () => World.open(), desired: graph, every: 6, to: 40, goOn });
}
