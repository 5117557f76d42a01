// The sandbox as a process of its own, for a benchmark that forked it.
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../../src/sandbox/server/serve.ts';
import { plenty } from './measure-span.ts';
import { serviceProfiles } from './service-profiles.ts';

/**
 * Serves a sandbox until the process that asked for it goes away, and sends it the address and the token; whenever that
 * says anything, the processor time of serving so far, in milliseconds.
 * @param how the name of a service profile and its speed; without them nothing takes time
 */
export async function serveFor([profile, speed = '1']: readonly string[]): Promise<void> {
  const planDuration = serviceProfiles[profile ?? ''];
  const sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => Date.now(),
    quotas: plenty,
    ...(planDuration ? { planDuration, seed: 3, speed: Number(speed) } : { speed: 1e9 }),
  });
  const { baseUrl } = await serveSandbox(sandbox);
  const before = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before);
    process.send?.((user + system) / 1_000);
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ baseUrl, token: sandbox.token });
}
