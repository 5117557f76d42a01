import type * as openid from 'openid-client';
import { loadOptionalPackage } from '../load-package.ts';

/** The library of OpenID Connect. @throws DiagnosticError where it is not installed */
export function loadOpenIdClient(
  load: () => Promise<typeof openid> = () => import('openid-client'),
): Promise<typeof openid> {
  const purpose = 'The server needs it to sign people in by OpenID Connect.';
  return loadOptionalPackage(load, { name: 'openid-client', version: '6', purpose });
}
