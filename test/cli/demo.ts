import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxRequest } from '../../src/sandbox/contract/answer.ts';
import { serveSandbox } from '../../src/sandbox/server/serve.ts';
import { hurriedClock } from './hurried-clock.ts';

/** A sandbox that is served, and a directory whose configuration describes a network and VMs in it. */
export interface Demo {
  readonly directory: string;
  readonly env: Record<string, string>;
  /** The VMs of the project; there is one project. */
  listVms(): Promise<unknown[]>;
  /** How many VMs each project has, by its name. */
  countVms(): Promise<Record<string, number>>;
  /** Resolves once the service has taken so many VMs. A line that says `Creating...` comes before the request. */
  hasTaken(count: number): Promise<void>;
  /** From the first VM that is asked for, the service's time stands still until this lets it go on. */
  release(): void;
  close(): Promise<void>;
}

/** More than any operation takes. */
const longMs = 60_000;

/** Room for any number of VMs that a test has. */
const roomy = { cpu: 10_000, ram: 10_000, disk: 1_000_000 };

/** Opens one with so many VMs, `projects.demo.vms.web[0]` and so on. */
export async function openDemo(vmCount: number): Promise<Demo> {
  let heldAt: number | undefined;
  let isReleased = false;
  const now = () => heldAt ?? hurriedClock.now() + (isReleased ? 2 * longMs : 0);
  const sandbox = await openSandbox({ dataFile: ':memory:', now, speed: 20, quotas: roomy });
  let taken = 0;
  const waiters: { readonly count: number; readonly go: () => void }[] = [];
  const isVm = ({ method, url }: SandboxRequest) =>
    method === 'POST' && url.pathname.endsWith('/vms');
  const server = await serveSandbox({
    ...sandbox,
    async answer(request) {
      // The network is accepted by then, and has to be there before it stands still.
      if (!isReleased && isVm(request)) heldAt ??= now() + longMs;
      const answered = await sandbox.answer(request);
      if (isVm(request)) taken += 1;
      for (const waiter of waiters) if (taken >= waiter.count) waiter.go();
      return answered;
    },
  });
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-demo-'));
  await writeFile(
    join(directory, 'main.yaml'),
    `version: 1
projects:
  demo:
    networks: { backend: }
    vms:
      web: { count: ${vmCount}, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [backend] }
`,
  );
  const list = async (path: string): Promise<{ id: string; name: string }[]> => {
    const headers = { authorization: `Bearer ${sandbox.token}` };
    const response = await fetch(`${server.baseUrl}${path}`, { headers });
    return ((await response.json()) as { items: { id: string; name: string }[] }).items;
  };
  return {
    directory,
    env: { HOSTWRIGHT_BASE_URL: server.baseUrl, HOSTWRIGHT_TOKEN: sandbox.token },
    async listVms() {
      const [project, ...others] = await list('/projects');
      if (!project || others.length > 0) throw new Error('there is not one project');
      return list(`/projects/${project.id}/vms`);
    },
    async countVms() {
      const counts: Record<string, number> = {};
      for (const { id, name } of await list('/projects')) {
        counts[name] = (await list(`/projects/${id}/vms?pageSize=100`)).length;
      }
      return counts;
    },
    hasTaken: (count) =>
      new Promise((go) => {
        if (taken >= count) go();
        else waiters.push({ count, go });
      }),
    release() {
      isReleased = true;
      heldAt = undefined;
    },
    async close() {
      await server.close();
      sandbox.close();
      await rm(directory, { recursive: true });
    },
  };
}
