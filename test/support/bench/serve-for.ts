// The sandbox as a process of its own, for a benchmark that forked it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Binding } from '../../../src/model/account/binding.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../../src/sandbox/server/serve.ts';
import type { Account } from './apply-in-earnest.ts';
import { plenty } from './measure-span.ts';
import { serviceProfiles } from './service-profiles.ts';

/**
 * Serves a sandbox until the process that asked for it goes away, and sends it the address and the token; whenever that
 * says anything, the processor time of serving so far, in milliseconds.
 * @param how the name of a service profile and its speed; without them nothing takes time
 * @param binding its spelling; the contract's own unless given
 */
export async function serveFor(
  [profile, speed = '1']: readonly string[],
  binding?: Binding,
): Promise<void> {
  const planDuration = serviceProfiles[profile ?? ''];
  const sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => Date.now(),
    quotas: plenty,
    binding,
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

/** Another process of the benchmark in `file` that serves an account; the benchmark is told `how`. */
export async function openService(file: string, how: string) {
  const served = fork(file, {
    env: { ...process.env, HOSTWRIGHT_BENCH_PART: `serve ${how}`.trim() },
  });
  const account = await new Promise<Account>((done, fail) => {
    served.once('message', (message) => done(message as Account));
    served.once('exit', () => fail(new Error('the sandbox ended')));
  });
  return {
    account,
    /** Ends it. @returns the processor time that serving took, in milliseconds */
    close: async () => {
      const told = once(served, 'message') as Promise<[number]>;
      served.send('how much?');
      const [cpuMs] = await told;
      served.disconnect();
      return cpuMs;
    },
  };
}
