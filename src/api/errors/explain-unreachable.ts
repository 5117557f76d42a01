// A service that no request reached: what stood in between, and what to do about it.
import { baseAddressHint, describeRequest, sayAttempts, type Words } from './error-words.ts';
import type { ConnectionError, ProxyOnTheWay } from './errors.ts';

const connectionReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name service did not answer',
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'no connection within the time allowed',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an authority not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an authority not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

const proxyHint =
  'Check HTTPS_PROXY and HTTP_PROXY. Hosts in NO_PROXY are reached without a proxy.';

function describeProxy(error: ConnectionError, { origin, status }: ProxyOnTheWay): Words {
  const proxy = origin === undefined ? 'The proxy' : `The proxy ${origin}`;
  const service = new URL(error.url).origin;
  const detail = (why: string) =>
    `${describeRequest(error)}: ${why}.${sayAttempts(error)} Nothing was sent.`;
  if (status === undefined) {
    const code = 'proxy-unreachable';
    const summary = `${proxy} cannot be reached`;
    return { code, summary, detail: detail(sayReason(error.reason)), hint: proxyHint };
  }
  if (status === 407) {
    return {
      code: 'proxy-authentication',
      summary: `${proxy} wants to know who you are`,
      detail: detail(`it answered ${status}`),
      hint: 'Write the user and the password into HTTPS_PROXY: http://user:password@proxy.example:3128.',
    };
  }
  return {
    code: 'proxy-refused',
    summary: `${proxy} does not open the way to ${service}`,
    detail: detail(`it answered ${status}`),
    hint: `Have ${service} allowed there. ${proxyHint}`,
  };
}

function sayReason(reason: string): string {
  const known = Object.hasOwn(connectionReasons, reason) ? connectionReasons[reason] : undefined;
  return known === undefined ? reason : `${known} (${reason})`;
}

/** Nothing was sent. */
export function describeUnreachable(error: ConnectionError): Words {
  const { reason, proxy } = error;
  if (proxy) return describeProxy(error, proxy);
  return {
    code: 'unreachable',
    summary: `The service at ${new URL(error.url).origin} cannot be reached`,
    detail: `${describeRequest(error)}: ${sayReason(reason)}.${sayAttempts(error)} Nothing was sent.`,
    hint: hintUnreachable(error),
  };
}

function hintUnreachable({ reason, isLasting }: ConnectionError): string {
  if (/CERT|ISSUER|LEAF/.test(reason)) {
    return 'Behind a proxy that replaces certificates, point NODE_EXTRA_CA_CERTS at the file of its authority.';
  }
  if (isLasting && /SSL|EPROTO/.test(reason))
    return `It does not speak TLS on this port. ${baseAddressHint}`;
  return `Check the network. ${baseAddressHint}`;
}
