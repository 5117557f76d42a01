// Public SSH keys: their identity, and whether a text looks like one. A person may give a private key by mistake, so no
// message repeats any of the text.
import { createHash } from 'node:crypto';

/** A fault of a public key, described without quoting the key. */
export interface PublicKeyFault {
  readonly code: string;
  readonly summary: string;
  readonly detail?: string;
  readonly hint: string;
}

const keyTypes = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
];

/** Base64 start of a key of this type: the length of the type's name, then the name. */
function encodePrefix(type: string): string {
  const bytes = Buffer.concat([Buffer.from([0, 0, 0, type.length]), Buffer.from(type)]);
  // The last base64 character also depends on the following bytes, so it is cut off.
  return bytes.toString('base64').replace(/.=*$/, '');
}

/** The fingerprint of a key as `ssh-keygen -l` prints it; undefined where the text is no key. */
export function computeKeyFingerprint(publicKey: string): string | undefined {
  const [, body] = publicKey.trim().split(/\s+/);
  if (body === undefined) return undefined;
  const digest = createHash('sha256').update(Buffer.from(body, 'base64')).digest('base64');
  return `SHA256:${digest.replaceAll('=', '')}`;
}

const privateMark = /PRIVATE KEY|PuTTY-User-Key-File|b3BlbnNzaC1rZXktdjE/;
const otherFormat = /BEGIN (?:[A-Z0-9 ]*)PUBLIC KEY|BEGIN CERTIFICATE/;

/** Fault of a text that should be a public SSH key; undefined when there is none. */
export function findPublicKeyFault(text: string): PublicKeyFault | undefined {
  const key = text.trim();
  if (privateMark.test(key)) {
    return {
      code: 'private-key-given',
      summary: 'This is a private key, not a public one',
      detail: 'A private key must never leave the machine it was made on.',
      hint: 'Give the public part: as a rule the file of the same name with .pub, or what `ssh-keygen -y -f FILE` prints. If this file was ever shared, make a new key.',
    };
  }
  if (otherFormat.test(key)) {
    return {
      code: 'invalid-public-key',
      summary: 'The public key is not in the format of OpenSSH',
      hint: 'Convert it with `ssh-keygen -i -f FILE`, adding `-m PKCS8` for a PEM file.',
    };
  }
  const invalid = (detail: string): PublicKeyFault => ({
    code: 'invalid-public-key',
    summary: 'This is not a public SSH key',
    detail,
    hint: 'Give one line, as in a .pub file: `ssh-ed25519 AAAA… comment`.',
  });
  if (key.includes('\ufffd')) {
    return {
      code: 'invalid-public-key',
      summary: 'The public key is not UTF-8 text',
      detail: 'Some of its characters are of another encoding, as a rule those of its comment.',
      hint: 'Save its file with the encoding UTF-8, or shorten the comment.',
    };
  }
  if (key === '') return invalid('It is empty.');
  if (/[\r\n]/.test(key)) return invalid('It has several lines; one key is wanted.');
  const [type = '', body = ''] = key.split(/[ \t]+/);
  if (!keyTypes.includes(type)) {
    return invalid(`It does not begin with a known type: ${keyTypes.join(', ')}.`);
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body) || !body.startsWith(encodePrefix(type))) {
    return invalid(`What follows ${type} is not a key of this type, or only a part of it.`);
  }
  return undefined;
}
