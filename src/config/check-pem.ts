// Checks of PEM files for TLS connections. No message quotes one: a stranger may have named it, and it may hold a key.
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ClientIdentity } from '../model/account/service.ts';
import { makePrintable } from './source/frame.ts';

/** A PEM file with certificates or keys, already read. */
export interface PemFile {
  /** Path of the PEM file as the configuration names it. */
  readonly name: string;
  readonly text: string;
}

/** A fault in a PEM file, worded for a diagnostic. */
export interface PemFault {
  readonly code: 'tls-file-invalid' | 'tls-key-encrypted' | 'tls-key-mismatch';
  readonly summary: string;
  readonly detail?: string;
  readonly hint: string;
}

/** The parsed content of a PEM file, or the fault that was found. */
export type CheckedPem<T> = { readonly value: T } | { readonly fault: PemFault };

/** Certificates of a PEM file, in the order of the file. */
export interface PemCertificates {
  readonly name: string;
  /** Text of the certificates alone, without anything else in the file. */
  readonly pem: string;
  readonly all: readonly [X509Certificate, ...X509Certificate[]];
}

/** A private key from a PEM file; it must not appear in messages. */
export interface PemPrivateKey {
  readonly name: string;
  readonly pem: string;
  readonly key: KeyObject;
}

const certificateBlocks =
  /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^-]*-----END \1-----\r?\n?/g;
const keyBlock = /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----[\s\S]*?-----END \1-----\r?\n?/;

function invalid(summary: string, rest: Pick<PemFault, 'detail' | 'hint'>): { fault: PemFault } {
  return { fault: { code: 'tls-file-invalid', summary, ...rest } };
}

/** Reads the certificates of a PEM file, which must have at least one. */
export function readCertificates({ name, text }: PemFile): CheckedPem<PemCertificates> {
  const shown = makePrintable(name);
  const blocks = [...text.matchAll(certificateBlocks)].map(([block]) => block);
  const all: X509Certificate[] = [];
  for (const block of blocks) {
    try {
      all.push(new X509Certificate(block));
    } catch {
      return invalid(`Certificate ${all.length + 1} in \`${shown}\` cannot be read`, {
        hint: 'Get the file again: its text was cut or changed.',
      });
    }
  }
  const [first, ...others] = all;
  if (!first) {
    return invalid(`\`${shown}\` holds no certificate`, {
      detail: 'A certificate in PEM begins with the line -----BEGIN CERTIFICATE-----.',
      hint: 'Name a file in PEM. One in DER becomes PEM with: openssl x509 -inform der -in FILE -out FILE.pem',
    });
  }
  return { value: { name, pem: blocks.join(''), all: [first, ...others] } };
}

/** Reads the first private key of a PEM file, which must not be encrypted. */
export function readPrivateKey({ name, text }: PemFile): CheckedPem<PemPrivateKey> {
  const shown = makePrintable(name);
  const [pem, label = ''] = keyBlock.exec(text) ?? [];
  if (pem === undefined) {
    return invalid(`\`${shown}\` holds no private key`, {
      detail: 'A private key in PEM begins with the line -----BEGIN PRIVATE KEY-----.',
      hint: 'Name the file of the key that the certificate was made for, in PEM.',
    });
  }
  if (label === 'OPENSSH PRIVATE KEY') {
    return invalid(`\`${shown}\` holds a private key of OpenSSH`, {
      hint: 'Name the file of the key that the certificate was made for, in PEM.',
    });
  }
  if (label.startsWith('ENCRYPTED') || /^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    return {
      fault: {
        code: 'tls-key-encrypted',
        summary: `The private key in \`${shown}\` is encrypted`,
        detail: 'Hostwright asks for no passphrase.',
        hint: 'Decrypt it into a file that only you can read: openssl pkey -in FILE -out DECRYPTED',
      },
    };
  }
  try {
    return { value: { name, pem, key: createPrivateKey(pem) } };
  } catch {
    return invalid(`The private key in \`${shown}\` cannot be read`, {
      hint: 'Get the file again: its text was cut or changed.',
    });
  }
}

/** Combines a certificate and its key into a TLS client identity. */
export function makeClientIdentity(
  certificates: PemCertificates,
  key: PemPrivateKey,
): Omit<ClientIdentity, 'source'> {
  const [{ validFrom, validTo }] = certificates.all;
  return {
    certFile: certificates.name,
    cert: certificates.pem,
    key: key.pem,
    validFrom: Date.parse(validFrom),
    validUntil: Date.parse(validTo),
  };
}

/** The fault of a certificate and a key that cannot be used together; undefined where they can. */
export function findCertificateKeyFault(
  certificates: PemCertificates,
  key: PemPrivateKey,
): PemFault | undefined {
  const [certFile, keyFile] = [makePrintable(certificates.name), makePrintable(key.name)];
  const match = certificates.all.findIndex((one) => one.checkPrivateKey(key.key));
  if (match !== 0) {
    return {
      code: 'tls-key-mismatch',
      summary: `The private key in \`${keyFile}\` does not belong to the certificate in \`${certFile}\``,
      ...(match > 0 && { detail: `It belongs to certificate ${match + 1} of that file.` }),
      hint:
        match > 0
          ? 'Put that certificate first, and those of its authorities behind it.'
          : 'Name the key that the certificate was made for.',
    };
  }
  try {
    createSecureContext({ cert: certificates.pem, key: key.pem });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return {
      code: 'tls-file-invalid',
      summary: `The certificate in \`${certFile}\` cannot be used for TLS`,
      detail: `OpenSSL refuses it: ${code}.`,
      hint: 'Get a certificate for a modern key: RSA with 2,048 bits or more, or ECDSA.',
    };
  }
}
