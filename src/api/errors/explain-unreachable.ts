// A service that no request reached: what stood in between, and what to do about it.
import {
  baseAddressHint,
  describeRequest,
  describeAttemptCount,
  type RequestErrorWords,
} from './error-words.ts';
import type { ConnectionError, RequestProxy } from './errors.ts';
import { isCertificateAlert } from './network-failure.ts';

const connectionReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name service did not answer',
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'no connection within the time allowed',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an authority not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an authority not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

const proxyHint =
  'Check HTTPS_PROXY and HTTP_PROXY. Hosts in NO_PROXY are reached without a proxy.';
const proxyTrustHint =
  'Name the file of its certificate authority in NODE_EXTRA_CA_CERTS: `service.tls` is about the service alone.';

function describeProxy(
  error: ConnectionError,
  { origin, status }: RequestProxy,
): RequestErrorWords {
  const proxy = origin === undefined ? 'The proxy' : `The proxy ${origin}`;
  const service = new URL(error.url).origin;
  const detail = (why: string) =>
    `${describeRequest(error)}: ${why}.${describeAttemptCount(error)} Nothing was sent.`;
  if (status === undefined) {
    const code = 'proxy-unreachable';
    const summary = `${proxy} cannot be reached`;
    const hint = isUntrusted.test(error.reason) ? proxyTrustHint : proxyHint;
    return { code, summary, detail: detail(sayReason(error.reason)), hint };
  }
  if (status === 407) {
    return {
      code: 'proxy-authentication',
      summary: `${proxy} requires authentication`,
      detail: detail(`it answered ${status}`),
      hint: 'Write the user and the password into HTTPS_PROXY: http://user:password@proxy.example:3128.',
    };
  }
  return {
    code: 'proxy-refused',
    summary: `${proxy} refuses to connect to ${service}`,
    detail: detail(`it answered ${status}`),
    hint: `Allow ${service} in its configuration. ${proxyHint}`,
  };
}

function sayReason(reason: string): string {
  const known = Object.hasOwn(connectionReasons, reason)
    ? connectionReasons[reason]
    : explainAlert(reason);
  return known === undefined ? reason : `${known} (${reason})`;
}

/** Texts for a connection that was never made, so that nothing was sent. */
export function describeUnreachable(error: ConnectionError): RequestErrorWords {
  const { reason, proxy } = error;
  if (proxy) return describeProxy(error, proxy);
  return {
    code: 'unreachable',
    summary: `The service at ${new URL(error.url).origin} cannot be reached`,
    detail: `${describeRequest(error)}: ${sayReason(reason)}.${describeAttemptCount(error)} Nothing was sent.`,
    hint: hintUnreachable(error),
  };
}

function explainAlert(reason: string): string | undefined {
  if (/HANDSHAKE_FAILURE/.test(reason)) return 'it refused the TLS handshake';
  if (!isCertificateAlert(reason)) return undefined;
  return /REQUIRED/.test(reason)
    ? 'it asks for a client certificate'
    : 'it does not accept the client certificate';
}

/** Matches error codes of Node that say that no trusted authority has signed the server's certificate. */
const isUntrusted = /SELF_SIGNED|UNABLE_TO_|INVALID_CA|CERT_UNTRUSTED|CERT_SIGNATURE/;

function hintUnreachable({ reason, isLasting }: ConnectionError): string {
  if (isCertificateAlert(reason)) {
    return 'Give a certificate that the service knows, and its key: `service.tls.certFile` and `service.tls.keyFile`, or HOSTWRIGHT_CERT_FILE and HOSTWRIGHT_KEY_FILE.';
  }
  if (isUntrusted.test(reason)) {
    return 'Name the file of its certificate authority in `service.tls.caFile`, or in NODE_EXTRA_CA_CERTS where HOSTWRIGHT_BASE_URL gives the address. Behind a proxy that replaces certificates, name that of the proxy.';
  }
  if (/ALTNAME|HOSTNAME/.test(reason)) {
    return `Use the host name that its certificate is for. ${baseAddressHint}`;
  }
  if (/^CERT_/.test(reason)) return 'Have it renewed, and check the clock of this machine.';
  if (/HANDSHAKE_FAILURE/.test(reason)) {
    return 'The service may want a client certificate (`service.tls.certFile`), or another version of TLS.';
  }
  if (isLasting && /SSL|EPROTO/.test(reason))
    return `It does not speak TLS on this port. ${baseAddressHint}`;
  return `Check the network. ${baseAddressHint}`;
}
