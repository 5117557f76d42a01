// Makes the ninth kind known: its lines in the table of kinds, in the registry, and in the routes and shapes of the contract. What a
// stranger would write into these files is put there when they are loaded; nothing else of the program changes.
import { vi } from 'vitest';

vi.mock(import('../../../src/model/kind-table.ts'), async (load) => {
  const original = await load();
  const { firewallEntry } = await import('./entry.ts');
  return { ...original, kindTable: { ...original.kindTable, firewall: firewallEntry } };
});

vi.mock(import('../../../src/kinds/registry.ts'), async (load) => {
  const { kindRegistry: kinds } = await load();
  const { firewall } = await import('./firewall.ts');
  return { kindRegistry: { ...kinds, firewall } };
});

vi.mock(import('../../../src/api/contract/routes.ts'), async (load) => {
  const { routes } = await load();
  const { firewallRoutes } = await import('./handlers.ts');
  return { routes: { ...routes, ...firewallRoutes } };
});

vi.mock(import('../../../src/api/contract/shapes.ts'), async (load) => {
  const original = await load();
  const { firewallRoutes } = await import('./handlers.ts');
  const shapes = Object.entries(firewallRoutes).map(([name, { path }]) => {
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param);
    return [name, { params, query: [], evidence: 'assumed' }] as const;
  });
  const operationShapes = { ...original.operationShapes, ...Object.fromEntries(shapes) };
  return { ...original, operationShapes };
});
