// A service that spells the contract otherwise, over HTTP: what becomes of it outside, in its own spelling, and of runs that are
// killed in the middle.
import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { answerNodeRequest, listenOnLoopback } from '../../src/sandbox/server/serve.ts';
import { dialectPath, openDialect } from '../support/dialects/open-dialect.ts';
import { openFolder } from '../support/open-folder.ts';
import { hurriedClock } from './hurried-clock.ts';
import { start } from './program.ts';
import { runInProcess } from './run-in-process.ts';

const vm = 'image: ubuntu-24.04, configuration: c1-r1-d20, tariff: monthly';
const yaml = (baseUrl: string, contract: string) => `version: 1
service: { baseUrl: "${baseUrl}", contract: ${contract} }
projects:
  shop:
    networks: { lan: {} }
    vms:
      web: { ${vm}, networks: [lan], power: running }
      db: { ${vm} }
`;

/** A service of a dialect, a configuration for it, and what happens to its requests before they are answered. */
async function openBound(dialect: string) {
  const sandbox = await openSandbox({
    ...{ dataFile: ':memory:', now: () => hurriedClock.now(), speed: 1000 },
    binding: await openDialect(dialect),
  });
  const asked: string[] = [];
  let onAnswer: (request: string) => void = () => undefined;
  const answer = answerNodeRequest(async (request) => {
    const answered = await sandbox.answer(request);
    const name = `${request.method} ${request.url.pathname}`;
    asked.push(name);
    onAnswer(name);
    return answered;
  });
  const server = await listenOnLoopback(answer, {});
  const baseUrl = `${server.origin}/v1`;
  const folder = await openFolder('bound');
  const contract = join(folder, 'hosting.contract.yaml');
  await writeFile(contract, await readFile(dialectPath(dialect)));
  await writeFile(join(folder, 'main.yaml'), yaml(baseUrl, 'hosting.contract.yaml'));
  const env = { HOSTWRIGHT_TOKEN: sandbox.token };
  return {
    ...{ asked, contract },
    run: (args: string, more: Record<string, string> = {}) =>
      runInProcess(args.split(' '), { cwd: folder, env: { ...env, ...more } }),
    /** A request as the service takes it; ids in what it answers are longer than a number of JavaScript. */
    ask: async (method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${sandbox.token}`,
        'content-type': 'application/json',
      };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${baseUrl}${path}`, init);
      expect(response.status).toBeLessThan(300);
      return response.text();
    },
    /** Runs a command of the built program, which is killed as soon as the service has done what `point` asks for. */
    killAfter: async (point: string, args: string) => {
      let victim: ChildProcess | undefined = undefined;
      onAnswer = (request) => {
        if (request === point) victim?.kill('SIGKILL');
      };
      const started = start(args.split(' '), { cwd: folder, env });
      victim = started.child;
      const ended = await started.ended;
      onAnswer = () => undefined;
      return ended;
    },
    close: async () => {
      await server.close();
      sandbox.close();
    },
  };
}

/** The names of the VMs, and their ids, as the service has them. */
async function listServers({ ask }: Pick<Awaited<ReturnType<typeof openBound>>, 'ask'>) {
  const [, project = ''] = /"id":(\d+),"name":"shop"/.exec(await ask('GET', '/projects')) ?? [];
  const text = await ask('GET', `/servers?project=${project}&expand=all`);
  return new Map(
    [...text.matchAll(/"id":(\d+),"name":"([^"]+)"/g)].map(([, id, name]) => [name, id]),
  );
}

it('shows what changed at the service, and settles it', async () => {
  const bound = await openBound('flat');
  const { run, ask } = bound;
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  const servers = await listServers(bound);
  const web = `/servers/${servers.get('web')}`;
  await ask('PUT', `${web}/name`, { name: 'www' });
  await ask('POST', `${web}/actions`, { type: 'power-off' });
  await ask('DELETE', `/servers/${servers.get('db')}`);
  await hurriedClock.sleep(1000);

  const plan = await run('plan --detailed-exitcode');
  expect(plan.code).toBe(2);
  expect(plan.stdout).toMatch(/name += "www" -> "web" # changed outside/);
  expect(plan.stdout).toMatch(/power += "stopped" -> "running" # changed outside/);
  expect(plan.stdout).toMatch(/vms\.db will be created\n +# \(deleted outside of Hostwright\)/);
  expect(plan.stdout).toContain('Plan: 1 to add, 1 to change, 0 to destroy.');
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  expect(await run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  const settled = await listServers(bound);
  expect([...settled.keys()].sort()).toEqual(['db', 'web']);
  expect(settled.get('web')).toBe(servers.get('web'));
  await bound.close();
});

it('goes on after a killed apply, with no other file than the one of that run', async () => {
  const bound = await openBound('flat');
  const { run, asked, contract } = bound;
  const killed = await bound.killAfter('POST /v1/servers', 'apply --auto-approve');
  expect(killed.code).toBeNull();

  const other = `${contract}.other`;
  const text = await readFile(contract, 'utf8');
  await writeFile(other, text.replace('ram: /memory', 'ram: /ramOfVm'));
  const given = { HOSTWRIGHT_CONTRACT: other };
  const changes = () => asked.filter((request) => !request.startsWith('GET '));
  const sent = changes().length;
  for (const args of [
    'plan',
    'apply --auto-approve',
    'apply --auto-approve --allow-other-contract',
  ]) {
    const refused = await run(args, given);
    expect(refused.code).toBe(1);
    const said = refused.stderr.replaceAll(/\s*│?\n│?\s*/g, ' ');
    expect(said).toContain('Other now: fields.vm.ram. An earlier run was interrupted');
    expect(said).toContain('Restore the contract file of that run');
  }
  expect(changes()).toHaveLength(sent);

  await writeFile(contract, `# Another comment spells nothing.\n${text}`);
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  expect([...(await listServers(bound)).keys()].sort()).toEqual(['db', 'web']);
  expect(changes().filter((request) => request === 'POST /v1/servers')).toHaveLength(2);
  expect(await run('plan --detailed-exitcode')).toMatchObject({ code: 0 });

  expect((await run('plan', given)).stderr).toContain('--allow-other-contract');
  expect(await run('plan --allow-other-contract', given)).toMatchObject({ code: 0 });
  await bound.close();
});
