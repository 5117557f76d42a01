// The wall time and the requests of 100 VMs with two networks each where places are few, by the clock of this machine, over
// HTTP against another process; the bound leaves out all that is not the work of the service. Figures: they never pass or fail.
import { applyInEarnest } from '../support/bench/apply-in-earnest.ts';
import { writeAccount } from '../support/bench/pace.ts';
import { openService, serveFor } from '../support/bench/serve-for.ts';

const column = (value: string | number) => String(value).padStart(10);
const row = (...values: (string | number)[]) => console.log(values.map(column).join(''));
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

async function report(): Promise<void> {
  console.log('pace: quick operations and few places');
  row('at once', 'speed', 'latency', 'bound', 'wall', 'ratio', 'writes', 'looks', 'ours');
  for (const parallelism of [10, 25, 50]) {
    for (const speed of [5, 20, 100]) {
      for (const latencyMs of [0, 30]) {
        const { account, close } = await openService(import.meta.filename, `quick ${speed}`);
        const yaml = writeAccount({ vms: 100, networks: 2 });
        const done = await applyInEarnest({ yaml, account, parallelism, latencyMs });
        await close();
        const { boundMs, wallMs, cpuMs, requests } = done;
        row(
          ...[parallelism, speed, `${latencyMs} ms`, seconds(boundMs), seconds(wallMs)],
          ...[(wallMs / boundMs).toFixed(3), requests.writes, requests.looks, seconds(cpuMs)],
        );
      }
    }
  }
}

const [part = '', ...rest] = (process.env.HOSTWRIGHT_BENCH_PART ?? '').split(' ');
if (part === 'serve') await serveFor(rest);
else await report();
