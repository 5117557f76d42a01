import { expect, test } from 'vitest';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';
import { expectApplied } from './expect-built.ts';

const keyOf = (name: string) =>
  `{ publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${name.padEnd(42, '0')} ${name} }`;
const project = `
projects:
  demo: {}
`;
const yaml = `
projects:
  demo:
    sshKeys:
      alice: ${keyOf('Alice')}
      bob: ${keyOf('Bob')}
`;

const isKeyCreate = ({ method, url }: Request) => method === 'POST' && url.endsWith('/ssh-keys');
const isKeyList = ({ method, url }: Request) => method === 'GET' && /\/ssh-keys(\?|$)/.test(url);
const gatewayTimeout = () => new Response('', { status: 504 });

/** What a request that never left the machine ends with. */
function refusedConnection(): Error {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}

/** An answer about SSH keys without what tells one from another of its name. */
async function withoutText(response: Response): Promise<Response> {
  const text = (await response.text()).replaceAll(/"(?:publicKey|fingerprint)":"[^"]*",?/g, '');
  return new Response(text, response);
}

test.each([
  ['whole', (response: Response) => Promise.resolve(response), 0],
  // What tells so little is not taken for ours unasked.
  ['without their text', withoutText, 2],
])(
  'a create that waits to be sent again is not sent once the list of another shows what the first one made, keys %s',
  async (_, show, unknown) => {
    const world = await World.open({ variant: 'loose' });
    await expectApplied(world, await configure(project));
    const sent = { alice: 0, bob: 0 };
    let isAliceShown = false;
    const meddle: Meddle = async (request, pass) => {
      if (isKeyList(request)) {
        // Lists show nothing until alice's key waits to be created again; then bob's look sees it.
        if (sent.alice < 2) return Response.json([]);
        const response = await show(await pass());
        isAliceShown ||= (await response.clone().text()).includes('alice');
        return response;
      }
      if (!isKeyCreate(request)) return show(await pass());
      const name = (await request.clone().text()).includes('"alice"') ? 'alice' : 'bob';
      sent[name] += 1;
      if (name === 'alice' && sent.alice > 1 && !isAliceShown) throw refusedConnection();
      await pass();
      // Bob's answer is lost later, so that its look goes on when that for alice is over.
      if (name === 'bob') await world.time.openClock().sleep(50_000);
      return gatewayTimeout();
    };
    const desired = await configure(yaml);
    const end = await world.apply(desired, { meddle });
    expect(isAliceShown).toBe(true);
    const failures = describeFailures(end);
    expect(failures.filter((one) => one.includes('ambiguous-create'))).toEqual(failures);
    expect(failures).toHaveLength(unknown);
    expect((await world.readAccount()).filter(({ kind }) => kind === 'sshKey')).toHaveLength(2);
    if (unknown === 0) expect(await findViolations(world, desired)).toEqual([]);
    if (end.kind !== 'ended') throw new Error(end.kind);
    // It went out once, so nothing may be there twice.
    expect((end.summary.findings ?? []).map(({ code }) => code)).not.toContain('may-be-doubled');
  },
);
