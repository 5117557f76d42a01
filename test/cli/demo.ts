import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type ServedSandbox } from './program.ts';

/** A sandbox that is served, and a directory whose configuration describes a network and VMs in it. */
export interface Demo {
  readonly sandbox: ServedSandbox;
  readonly directory: string;
  close(): Promise<void>;
}

/** Opens one with so many VMs, `projects.demo.vms.web[0]` and so on. `speed`: seconds of the service in one of ours. */
export async function openDemo(vmCount: number, speed: number): Promise<Demo> {
  const sandbox = await serve('--speed', String(speed));
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
  return {
    sandbox,
    directory,
    async close() {
      await sandbox.stop();
      await rm(directory, { recursive: true });
    },
  };
}
