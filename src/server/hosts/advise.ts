// Advice to administrators about refusals of git or a git host.
import { GitHostFault } from './host-fault.ts';

const refusals = [401, 403, 404];

/** Advice for an error text about a TLS certificate that this machine does not trust; undefined for any other text. */
export function adviseOnCertificate(words: string): string | undefined {
  if (!/certificate|CA cert/i.test(words)) return undefined;
  return 'Name the file of its certificate authority in NODE_EXTRA_CA_CERTS and GIT_SSL_CAINFO, for every process of the server.';
}

/** Advice to an administrator for an error of a git host; undefined where only waiting helps. */
export function adviseOnGitHost(error: unknown): string | undefined {
  if (!(error instanceof GitHostFault)) return undefined;
  if (refusals.includes(error.status ?? 0))
    return 'Check the address, the token and the rights of the connection.';
  return error.status === undefined ? adviseOnCertificate(error.message) : undefined;
}
