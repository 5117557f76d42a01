// Bundles the simulator, and runs it: `npm run simulate -- --seeds 500 --from 1`.
import { join } from 'node:path';
import { importBundled } from '../../support/bundle.mjs';

await importBundled('simulation', { main: join(import.meta.dirname, 'main.ts') });
