import { readErrorCode } from '../../model/errors.ts';
import { findInnerCause } from '../../model/text/redact.ts';

/** A failed exchange, by its chain of causes: whether the request can have gone out, and why it failed. */
export interface NetworkFailure {
  /** `before`: certainly nothing was sent. `during`: something may have been. `answer`: it was, and the answer is broken. */
  readonly phase: 'before' | 'during' | 'answer';
  /** The most telling code in the chain of causes, e.g. `ENOTFOUND`; the innermost message where there is none. */
  readonly reason: string;
  /** True for a network failure that trying again within minutes cannot end, such as a bad certificate. */
  readonly isLasting: boolean;
}

/** System calls of a socket that is still connecting: nothing of the request was sent. */
const connecting = /^(connect|bind|getaddrinfo\w*|query\w*)$/;

/** Codes of a connection that was never made, unless the socket says that it was reading or writing. */
const notConnected = new Set([
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ENOTFOUND',
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** TLS never got as far as the request. The names are OpenSSL's, as Node hands them on. */
const certificateCode =
  /^(CERT_|ERR_TLS_CERT_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(VERIFY|GET)_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
const handshakeFailure =
  /handshake.failure|unsupported.protocol|alert.protocol.version|http.request/i;
/** The other end turns down who we are, or that we do not say so: it goes no further, so it has read no request. */
const certificateAlert =
  /alert.(?:bad.certificate|unsupported.certificate|certificate.\w+|unknown.ca|access.denied)/i;
/** As a rule another protocol than TLS is spoken on the port; garbage in the middle of a connection looks the same. */
const otherProtocol = /wrong.version.number|packet.length.too.long|record.layer.failure/i;
const brokenHandshake = /before secure TLS connection was established/i;
const refusedPort = /^bad port$/i;
/** An answer that is broken in itself, and not cut short: packed wrongly, or not of HTTP. It would be again. */
const brokenAnswer =
  /^(Z_DATA_ERROR|Z_NEED_DICT|ERR__ERROR_FORMAT_\w+|UND_ERR_HEADERS_OVERFLOW|HPE_(INVALID_(?!EOF)|UNEXPECTED_|HEADER_OVERFLOW|LF_|CR_)\w*)$/;
const overpackedAnswer = /^too many content-encodings/;

/** Tells whether the reason of a network failure is that the service refuses our client certificate, or the want of one. */
export function isCertificateAlert(reason: string): boolean {
  return certificateAlert.test(reason);
}

/** Tells from an error of `fetch` whether anything can have been sent. In doubt, something was. */
export function classifyFetchFailure(error: unknown): NetworkFailure {
  const chain = listCauses(error);
  for (const link of chain) {
    const found = readLink(link);
    if (found) return found;
  }
  const innermost = chain.at(-1);
  const code = chain.map(readErrorCode).find((found) => found !== undefined);
  return { phase: 'during', reason: code ?? innermost?.message ?? 'no answer', isLasting: false };
}

function readLink(link: Error): NetworkFailure | undefined {
  const code = readErrorCode(link);
  const reason = code ?? link.message;
  if (code !== undefined && certificateCode.test(code)) {
    return { phase: 'before', reason, isLasting: true };
  }
  if (brokenAnswer.test(code ?? '') || overpackedAnswer.test(link.message)) {
    return { phase: 'answer', reason, isLasting: true };
  }
  if (refusedPort.test(link.message)) return { phase: 'before', reason, isLasting: true };
  const isTls = code === 'EPROTO' || code?.startsWith('ERR_SSL_') === true;
  const turnsDown = [handshakeFailure, certificateAlert];
  if (isTls && turnsDown.some((one) => one.test(code) || one.test(link.message))) {
    return { phase: 'before', reason, isLasting: true };
  }
  if (isTls && (otherProtocol.test(code) || otherProtocol.test(link.message))) {
    return { phase: 'during', reason, isLasting: true };
  }
  // System call that failed. The code alone does not do: an open connection can end as EHOSTUNREACH or ENETDOWN, too.
  const syscall = 'syscall' in link ? String(link.syscall) : undefined;
  const wasConnecting = syscall !== undefined && connecting.test(syscall);
  const neverConnected = syscall === undefined && code !== undefined && notConnected.has(code);
  if (wasConnecting || neverConnected || brokenHandshake.test(link.message)) {
    return { phase: 'before', reason, isLasting: false };
  }
  return undefined;
}

/** An error and its chain of causes, outermost first. */
function listCauses(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let link = error; link instanceof Error && chain.length < 8; link = findInnerCause(link)) {
    chain.push(link);
  }
  return chain;
}
