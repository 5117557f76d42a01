// Who the program is to a service that asks for a client certificate.
import { readFile } from 'node:fs/promises';
import {
  makeClientIdentity,
  findCertificateKeyFault,
  readCertificates,
  readPrivateKey,
  type CheckedPem,
  type PemFault,
  type PemFile,
} from '../../config/check-pem.ts';
import type { ClientIdentity } from '../../model/account/service.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { createCommandRefusal } from './refuse.ts';

const certVariable = 'HOSTWRIGHT_CERT_FILE';
const keyVariable = 'HOSTWRIGHT_KEY_FILE';

/**
 * Reads the TLS client certificate and its key from the files that the environment names; undefined where it names none. The
 * files may lie anywhere, since no YAML of a configuration can name them.
 * @throws DiagnosticError with all that is wrong with them; no message shows the key
 */
export async function readClientCertificate({
  env,
}: Pick<Runtime, 'env'>): Promise<ClientIdentity | undefined> {
  const { [certVariable]: certPath = '', [keyVariable]: keyPath = '' } = env;
  if (certPath === '' && keyPath === '') return undefined;
  if (certPath === '' || keyPath === '') {
    const [here, missing] =
      keyPath === '' ? [certVariable, keyVariable] : [keyVariable, certVariable];
    throw createCommandRefusal('tls-pair-incomplete', `${here} is set without ${missing}`, {
      detail: 'A client certificate works only with its private key.',
      hint: `Set ${missing}, or unset ${here}. One file may hold both.`,
    });
  }
  const [certificates, key] = await Promise.all([
    readOne(certVariable, certPath, readCertificates),
    readOne(keyVariable, keyPath, readPrivateKey),
  ]);
  if ('fault' in certificates || 'fault' in key) {
    const faults = [certificates, key].flatMap((one) => ('fault' in one ? [one.fault] : []));
    throw new DiagnosticError(faults);
  }
  const fault = findCertificateKeyFault(certificates.value, key.value);
  if (fault) throw new DiagnosticError([blame(keyVariable, fault)]);
  return makeClientIdentity(certificates.value, key.value);
}

async function readOne<T>(
  variable: string,
  path: string,
  check: (file: PemFile) => CheckedPem<T>,
): Promise<{ readonly value: T } | { readonly fault: Diagnostic }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const fault: Diagnostic = {
      severity: 'error',
      code: 'tls-file-unreadable',
      summary: `The file ${path} of ${variable} cannot be read`,
      detail: `The system says ${code}.`,
      hint: `Correct ${variable}, or unset it.`,
    };
    return { fault };
  }
  const checked = check({ name: path, text });
  return 'value' in checked ? checked : { fault: blame(variable, checked.fault) };
}

function blame(variable: string, { detail, ...fault }: PemFault): Diagnostic {
  const named = `${variable} names the file.`;
  return {
    severity: 'error',
    ...fault,
    detail: detail === undefined ? named : `${detail} ${named}`,
  };
}

/**
 * Warning about a client certificate that is expired or not valid yet; undefined for a valid one. It is no error, since the clock
 * of the service decides.
 */
export function warnOfCertificateValidity(
  { certFile, validFrom, validUntil, source }: ClientIdentity,
  now: number,
): Diagnostic | undefined {
  if (validFrom <= now && now <= validUntil) return undefined;
  const isOver = now > validUntil;
  const at = new Date(isOver ? validUntil : validFrom).toISOString().slice(0, 10);
  return {
    severity: 'warning',
    code: 'client-certificate-expired',
    summary: isOver
      ? `The client certificate in \`${certFile}\` has expired`
      : `The client certificate in \`${certFile}\` is not valid yet`,
    detail: `It is valid ${isOver ? 'until' : 'from'} ${at}. A service that asks for one will refuse it.`,
    hint: 'Have it renewed, or check the clock of this machine.',
    ...(source && { source }),
  };
}
