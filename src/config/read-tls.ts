// Reader and checks of the files that `service.tls` names. A key is secret from here on.
import { resolve } from 'node:path';
import type { ClientIdentity, ServiceTls, TrustedAuthorities } from '../model/account/service.ts';
import {
  makeClientIdentity,
  findCertificateKeyFault,
  readCertificates,
  readPrivateKey,
  type CheckedPem,
  type PemFile,
} from './check-pem.ts';
import { readNodeText } from './source/read-fields.ts';
import type { ConfigurationFiles, FileReadRefusal } from './source/configuration-files.ts';
import type { ConfigurationFault, ConfigurationFaultList } from './source/fault-list.ts';
import { makePrintable } from './source/frame.ts';
import { findYamlMapChild, type LocatedYamlNode } from './source/located-node.ts';
import { toSourceRange } from './source/source-file.ts';

/** Size limit of a PEM file, in bytes: no bundle of authorities is larger. */
const maxFileSize = 1024 * 1024;

type FileKey = 'caFile' | 'certFile' | 'keyFile';

/** The means of reading the section `service.tls`. */
export interface TlsReadingContext {
  /** The directory of the configuration, which the paths are relative to; absolute. */
  readonly root: string;
  readonly files: ConfigurationFiles;
  readonly faults: ConfigurationFaultList;
  /** The keys of `tls` as they are written: an expression may have no value yet. */
  readonly written: ReadonlySet<string>;
}

/**
 * Reads `service.tls`, whose expressions are evaluated already: undefined where it names no file, `unusable` where it
 * has a fault, which was reported.
 */
export function readTls(
  node: LocatedYamlNode,
  reading: TlsReadingContext,
): ServiceTls | 'unusable' | undefined {
  const { faults } = reading;
  const before = faults.size;
  const authorities = readAuthorities(node, reading);
  const identity = readIdentity(node, reading);
  if (faults.size > before) return 'unusable';
  if (!authorities && !identity) return undefined;
  return { ...(authorities && { authorities }), ...(identity && { identity }) };
}

function readAuthorities(
  node: LocatedYamlNode,
  reading: TlsReadingContext,
): TrustedAuthorities | undefined {
  const found = readOne(node, 'caFile', reading, readCertificates);
  if (!found) return undefined;
  const { name, pem, all } = found.value;
  const fingerprints = all.map(({ fingerprint256 }) => fingerprint256);
  return { file: name, pem, fingerprints, source: toSourceRange(found.place) };
}

function readIdentity(
  node: LocatedYamlNode,
  reading: TlsReadingContext,
): ClientIdentity | undefined {
  const { faults, written } = reading;
  const certificates = readOne(node, 'certFile', reading, readCertificates);
  const key = readOne(node, 'keyFile', reading, readPrivateKey);
  if (key) faults.secrets.add(readBody(key.value.pem));
  if (written.has('certFile') !== written.has('keyFile')) addIncomplete(node, faults);
  if (!certificates || !key) return undefined;
  const fault = findCertificateKeyFault(certificates.value, key.value);
  if (fault) {
    faults.add({ ...fault, place: key.place });
    return undefined;
  }
  return {
    ...makeClientIdentity(certificates.value, key.value),
    source: toSourceRange(certificates.place),
  };
}

/** The secret part of a private key: its first and last lines are those of every key. */
function readBody(pem: string): string {
  return pem.replace(/^-----.*$/gm, '').trim();
}

function addIncomplete(node: LocatedYamlNode, faults: ConfigurationFaultList): void {
  const [here, missing] = findYamlMapChild(node, 'certFile')
    ? (['certFile', 'keyFile'] as const)
    : (['keyFile', 'certFile'] as const);
  const place = findYamlMapChild(node, here);
  faults.add({
    code: 'tls-pair-incomplete',
    summary: `\`service.tls\` has \`${here}\` without \`${missing}\``,
    detail: 'A client certificate works only with its private key.',
    hint: `Add \`${missing}\`, or remove \`${here}\`. One file may hold both.`,
    ...(place && { place }),
  });
}

/** Reads and checks one of the files; undefined where it is not given, and where it has a fault, which was reported. */
function readOne<T>(
  node: LocatedYamlNode,
  key: FileKey,
  { root, files, faults }: TlsReadingContext,
  check: (file: PemFile) => CheckedPem<T>,
): { readonly value: T; readonly place: LocatedYamlNode } | undefined {
  const place = findYamlMapChild(node, key);
  const path = readNodeText(place)?.trim();
  if (!place || !path) return undefined;
  const content = isPem(path) ? undefined : files.read(resolve(root, path), maxFileSize);
  if (!content) {
    faults.add({ ...explainMisplaced(key), place });
    return undefined;
  }
  if ('refusal' in content) {
    faults.add({ ...explainUnreadable(key, path, content.refusal), place });
    return undefined;
  }
  const checked = check({ name: path, text: new TextDecoder().decode(content.bytes) });
  if ('value' in checked) return { value: checked.value, place };
  faults.add({ ...checked.fault, place });
  return undefined;
}

/** Tells whether a text is PEM instead of a path, so that it must not be printed as a path. */
function isPem(path: string): boolean {
  return /[\r\n]|-----BEGIN/.test(path);
}

function explainMisplaced(key: FileKey): ConfigurationFault {
  return {
    code: 'tls-file-invalid',
    summary: `\`service.tls.${key}\` holds a text instead of the path of a file`,
    hint: 'Write the text into a file, and give its path.',
  };
}

function explainUnreadable(
  key: FileKey,
  path: string,
  { code, why, hint }: FileReadRefusal,
): ConfigurationFault {
  const isOutside = code === 'file-outside';
  const variable = {
    caFile: undefined,
    certFile: 'HOSTWRIGHT_CERT_FILE',
    keyFile: 'HOSTWRIGHT_KEY_FILE',
  }[key];
  return {
    code: isOutside ? code : 'tls-file-unreadable',
    summary: `The file \`${makePrintable(path)}\` of \`service.tls.${key}\` cannot be read`,
    detail: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: path.startsWith('~')
      ? 'Write the path relative to the directory of the configuration: ~ is not expanded.'
      : isOutside
        ? `${hint}${variable === undefined ? '' : ` ${variable} may name a file anywhere.`}`
        : 'The path is relative to the directory of the configuration.',
  };
}
