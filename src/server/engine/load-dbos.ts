import type * as dbos from '@dbos-inc/dbos-sdk';
import { loadOptionalPackage } from '../load-package.ts';

/** The engine's library. @throws DiagnosticError where it is not installed */
export function loadDbos(
  load: () => Promise<typeof dbos> = () => import('@dbos-inc/dbos-sdk'),
): Promise<typeof dbos> {
  const purpose = 'The server needs it, and no other command does.';
  return loadOptionalPackage(load, { name: '@dbos-inc/dbos-sdk', version: '5.3', purpose });
}
