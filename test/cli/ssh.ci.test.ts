// Shells, configurations of SSH and inventories, with a program called `ssh` that says what it was told.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DayTwoWorld, web0, web1 } from '../support/day-two.ts';

let world: DayTwoWorld;
let env: Record<string, string>;
let bin: string;
const knownHosts = () => join(world.directory, '.hostwright/known_hosts');

beforeAll(async () => {
  world = await DayTwoWorld.open();
  const { client, projectId: project, vmIds } = world;
  await client.send({ kind: 'createPublicIp', project });
  await client.send({ kind: 'createNetwork', project, name: 'inner' });
  await world.pass(60);
  const [publicIp] = await client.list('publicIp', { projectId: project });
  const [network] = await client.list('network', { projectId: project });
  const port = { protocol: 'tcp', publicPort: 2222, vm: vmIds[0]!, vmPort: 22 };
  await client.send({ kind: 'createPortForward', project, publicIp: publicIp!.id, ...port });
  for (const vm of vmIds) {
    await client.send({ kind: 'attachVm', project, vm, network: network!.id });
    await world.pass(60);
  }
  bin = join(world.directory, 'bin');
  await mkdir(bin);
  const script = `#!/bin/sh
{ for word in "$@"; do echo "<$word>"; done; env; cat "$2"; } > ${bin}/told
exit 7
`;
  await writeFile(join(bin, 'ssh'), script, { mode: 0o755 });
  env = { PATH: `${bin}:/usr/bin:/bin` };
});
afterAll(() => world.close());

test('a shell goes through the forward, and no word of it is an option', async () => {
  const { code, stderr, writes } = await world.run(
    ['ssh', web0, '--user', 'root', '--', '-o', 'ProxyCommand=x', 'a b; c'],
    { env },
  );
  expect({ code, stderr, writes }).toEqual({ code: 7, stderr: '', writes: [] });
  const told = await readFile(join(bin, 'told'), 'utf8');
  expect(told).toMatch(
    /^<-F>\n<(.+)>\n<-->\n<projects\.shop\.vms\.web\.0>\n<-o>\n<ProxyCommand=x>\n<a b; c>\n/,
  );
  expect(told).toMatch(/\n {2}Port 2222\n {2}User root\n {2}HostKeyAlias hostwright-vm-\w+\n/);
  expect(told).toContain(`UserKnownHostsFile "${knownHosts()}"\n`);
  expect(told).not.toContain('HOSTWRIGHT_TOKEN');
  const [, file = ''] = /^<-F>\n<(.+)>/.exec(told) ?? [];
  expect(existsSync(file)).toBe(false);
});

test('without a forward, another VM of the network leads there', async () => {
  const refused = await world.run(['ssh', web1], { env });
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('[ssh-no-route]');
  expect((await world.run(['ssh', web1, '--via', web1], { env })).stderr).toContain(
    '[ssh-no-route]',
  );
  expect((await world.run(['ssh', web1, '--via', web0], { env })).code).toBe(7);
  expect(await readFile(join(bin, 'told'), 'utf8')).toMatch(
    /Host projects\.shop\.vms\.web\.1\n {2}HostName 1\S+\n {2}Port 22\n {2}ProxyJump projects\.shop\.vms\.web\.0\n/,
  );
});

test.each([
  ['a user that is an option', ['ssh', web0, '--user', '-oProxyCommand=x'], 'invalid-value'],
  ['no such VM', ['ssh', 'projects.shop.vms.wbe'], 'not-in-state'],
  ['something else', ['ssh', 'projects.shop'], 'wrong-kind'],
])('%s is refused', async (_, argv, code) => {
  const { stderr } = await world.run(argv, { env });
  expect(stderr).toContain(`[${code}]`);
});

test('what the service tells is no option and no name, but an address', async () => {
  for (const address of ['-oProxyCommand=x', 'host.example', '1.2.3.4\n  ProxyCommand x']) {
    const { stderr } = await world.run(['ssh', web0], {
      env,
      meddle: async (request, pass) => {
        const answer = await pass();
        if (!/public-?ips/i.test(new URL(request.url).pathname)) return answer;
        const text = (await answer.text()).replaceAll(
          /"(?:\d+\.){3}\d+"/g,
          JSON.stringify(address),
        );
        return new Response(text, answer);
      },
    });
    expect(stderr).toContain('[ssh-no-route]');
  }
});

test('a program that is not there, and a file of keys that leads elsewhere', async () => {
  const missing = await world.run(['ssh', web0], { env: { PATH: '/nowhere' } });
  expect(missing.stderr).toContain('[ssh-not-found]');
  await rm(knownHosts(), { force: true });
  await symlink('/etc/passwd', knownHosts());
  expect((await world.run(['ssh', web0], { env })).stderr).toContain('[ssh-path]');
  await rm(knownHosts());
});

test('a configuration of SSH, and inventories', async () => {
  const config = await world.run(['ssh-config']);
  expect(config.stdout).toMatch(/^Host projects\.shop\.vms\.web\.0\n/);
  expect(config.stdout).toContain(`# ${web1}: no forward to port 22`);
  const json = await world.run(['inventory', '--format', 'json', '--via', web0]);
  const aliases = ['projects.shop.vms.web.0', 'projects.shop.vms.web.1'];
  expect(json.json).toMatchObject({
    hosts: [
      { address: web0, port: 2222, via: null },
      { address: web1, port: 22, via: aliases[0] },
    ],
    groups: { project_shop: aliases, block_shop_web: aliases },
  });
  const ansible = await world.run(['inventory', '--via', web0, '--user', 'root']);
  expect(parse(ansible.stdout)).toMatchObject({
    all: {
      hosts: {
        [aliases[0]!]: { ansible_port: 2222, ansible_user: 'root', hostwright_address: web0 },
      },
      children: { project_shop: { hosts: { [aliases[1]!]: null } } },
    },
  });
  expect(ansible.stdout).toMatch(/ProxyCommand=ssh .* -l root -p 2222 -W \[%h\]:%p \d/);
});

test('a rebuild forgets the host key of its VM alone', async () => {
  const keys = [
    `hostwright-${world.vmIds[0]} ssh-ed25519 A`,
    `[hostwright-${world.vmIds[1]}]:22 x B`,
  ];
  await writeFile(knownHosts(), `${keys.join('\n')}\nother ssh-rsa C\n`);
  const main = join(world.directory, 'main.yaml');
  const { images } = await world.client.getCatalog();
  const text = await readFile(main, 'utf8');
  await world.run(['apply', '--auto-approve']);
  expect(await readFile(knownHosts(), 'utf8')).toContain(keys[0]);
  await writeFile(main, text.replace(images[0]!.name, images[1]!.name));
  const { code } = await world.run(['apply', '--auto-approve', '--target', web0]);
  expect(code).toBe(0);
  expect(await readFile(knownHosts(), 'utf8')).toBe(`${keys[1]}\nother ssh-rsa C\n`);
});

test('a restore forgets it, too, once it is approved', async () => {
  const key = `hostwright-${world.vmIds[1]} ssh-ed25519 A\n`;
  await writeFile(knownHosts(), `${key}other ssh-rsa C\n`);
  const web1 = web0.replace('[0]', '[1]');
  expect((await world.run(['vm', 'backup', web1])).code).toBe(0);
  await world.run(['vm', 'restore', web1, '--latest']);
  expect(await readFile(knownHosts(), 'utf8')).toContain(key);
  expect((await world.run(['vm', 'restore', web1, '--latest', '--auto-approve'])).code).toBe(0);
  expect(await readFile(knownHosts(), 'utf8')).toBe('other ssh-rsa C\n');
});

const sshd = process.env.HOSTWRIGHT_SSHD ?? '/usr/sbin/sshd';

/** Starts a server of SSH on the loopback that lets one key in. @returns its port, and how it gets another host key */
async function openServer(room: string) {
  const keygen = (name: string) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(room, name)]);
  };
  await mkdir(room);
  for (const name of ['host', 'me']) keygen(name);
  await copyFile(join(room, 'me.pub'), join(room, 'authorized'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const settings = `ListenAddress 127.0.0.1:${port}
HostKey ${join(room, 'host')}
AuthorizedKeysFile ${join(room, 'authorized')}
StrictModes no
PidFile none
`;
  await writeFile(join(room, 'sshd_config'), settings);
  const child = spawn(sshd, ['-D', '-e', '-f', join(room, 'sshd_config')], { stdio: 'pipe' });
  onTestFinished(() => void child.kill());
  await once(child.stderr, 'data');
  return { port, key: join(room, 'me') };
}

test.skipIf(!existsSync(sshd))(
  'a command runs on a real server, and its key is remembered',
  async () => {
    const { port, key } = await openServer(join(world.directory, 'server'));
    // The real program, with a key that nobody else has.
    const script = `#!/bin/sh\nexec /usr/bin/ssh -i ${key} -o BatchMode=yes "$@"\n`;
    await writeFile(join(bin, 'ssh'), script, { mode: 0o755 });
    const made = join(world.directory, 'made here');
    const run = () =>
      world.run(['ssh', web0, '--user', userInfo().username, '--', `echo x > '${made}'; exit 9`], {
        env,
        meddle: async (request, pass) => {
          const answer = await pass();
          const text = (await answer.text())
            .replaceAll(/"(?:\d+\.){3}\d+"/g, '"127.0.0.1"')
            .replaceAll('2222', String(port));
          return new Response(request.method === 'GET' ? text : null, answer);
        },
      });
    expect((await run()).code).toBe(9);
    expect(await readFile(made, 'utf8')).toBe('x\n');
    const known = await readFile(knownHosts(), 'utf8');
    expect(known).toContain(`hostwright-${world.vmIds[0]}`);
    // Another key under the name of the VM is refused.
    await writeFile(knownHosts(), known.replaceAll(/(ed25519 \S{30})..../g, '$1AAAA'));
    expect((await run()).code).toBe(255);
  },
);
