import type * as prometheus from 'prom-client';
import { loadPackage } from '../load-package.ts';

/** The library of Prometheus. @throws DiagnosticError where it is not installed */
export function loadPromClient(
  load: () => Promise<typeof prometheus> = () => import('prom-client'),
): Promise<typeof prometheus> {
  const purpose = 'The server needs it to answer /metrics.';
  return loadPackage(load, { name: 'prom-client', version: '15', purpose });
}
