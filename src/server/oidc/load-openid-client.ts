import type * as openid from 'openid-client';
import { DiagnosticError } from '../../model/errors.ts';

/** What the package has. */
type OpenIdClient = typeof openid;

/** The name of the package, which only a server with a provider needs. */
const packageName = 'openid-client';

/** The library of OpenID Connect. @throws DiagnosticError where it is not installed */
export async function loadOpenIdClient(
  load: () => Promise<OpenIdClient> = () => import('openid-client'),
): Promise<OpenIdClient> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new DiagnosticError(
      [
        {
          severity: 'error',
          code: 'package-missing',
          summary: `The package ${packageName} is not installed`,
          detail: 'The server needs it to sign people in by OpenID Connect.',
          hint: `Install it beside Hostwright: npm install ${packageName}@6`,
        },
      ],
      { cause },
    );
  }
}
