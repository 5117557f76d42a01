import { test } from 'vitest';
import { loadConfiguration } from '../../../src/config/load-configuration.ts';
test('x', async () => {
  for (const d of (process.env.DIRS ?? '/tmp/cfgx/ok,/tmp/cfgx/bad').split(',')) {
    const t = performance.now();
    const r = await loadConfiguration({ directory: d, workingDirectory: '/tmp/cfgx' });
    console.log(performance.now() - t, 'ms');
    if (r.configuration && r.configuration.graph.resources.length < 100) console.log(JSON.stringify(r.configuration, null, 1));
    for (const x of r.diagnostics.slice(0, 60))
      console.log(`${x.code} ${x.source?.file}:${x.source?.line}:${x.source?.column} ${x.summary}\n   D ${x.detail}\n   H ${x.hint} [${x.address}]\n${x.source?.frame ?? ''}`);
  }
});
