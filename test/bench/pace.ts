// Few places and quick operations.
import { applyInEarnest } from '../support/bench/apply-in-earnest.ts';
import { openService, serveFor } from '../support/bench/serve-for.ts';
const [part = '', ...rest] = (process.env.HOSTWRIGHT_BENCH_PART ?? '').split(' ');
if (part === 'serve') await serveFor(rest);
else {
  const list = (name: string, or: string) => (process.env[name] ?? or).split(',').map(Number);
  for (const places of list('PLACES', '10')) for (const speed of list('SPEED', '20,100')) for (const latencyMs of list('LAT', '0,30')) {
    const { account, close } = await openService(import.meta.filename, `quick ${speed}`);
    const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [a, b]';
    const yaml = `projects:\n  p: { networks: { a: , b: }, vms: { web: { count: 100, ${vm} } } }\n`;
    const done = await applyInEarnest({ yaml, account, parallelism: places, latencyMs });
    const serviceMs = await close();
    const { boundMs, wallMs, cpuMs, requests } = done;
    for (const k of ['__flush', '__look']) { const t = ((globalThis as any)[k] as number[]).sort((a, b) => a - b); console.log(k, t.length, 'median', t[t.length >> 1]?.toFixed(1), 'p90', t[Math.floor(t.length * 0.9)]?.toFixed(1), 'sum', t.reduce((a, b) => a + b, 0).toFixed(0)); (globalThis as any)[k] = []; }
    console.log(places, speed, latencyMs, 'bound', boundMs, 'wall', wallMs.toFixed(0), ((wallMs-300)/boundMs).toFixed(3), 'cpu', cpuMs.toFixed(0), 'service', serviceMs.toFixed(0), JSON.stringify(requests));
  }
}
