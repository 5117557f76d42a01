import type * as dbos from '@dbos-inc/dbos-sdk';
import { DiagnosticError } from '../../model/errors.ts';

/** What the package has. */
type Dbos = typeof dbos;

/** The name of the package, which only the server needs. */
const packageName = '@dbos-inc/dbos-sdk';

/** The engine's library. @throws DiagnosticError where it is not installed */
export async function loadDbos(
  load: () => Promise<Dbos> = () => import('@dbos-inc/dbos-sdk'),
): Promise<Dbos> {
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
          detail: 'The server needs it, and no other command does.',
          hint: `Install it beside Hostwright: npm install ${packageName}@5.3`,
        },
      ],
      { cause },
    );
  }
}
