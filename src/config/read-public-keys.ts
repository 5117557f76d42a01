import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Unknown } from '../expressions/scope.ts';
import type { Address } from '../model/address.ts';
import { findPublicKeyFault } from '../kinds/public-key.ts';
import type { Fault, FaultList } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import type { LocatedNode } from './located-node.ts';
import { readText } from './read-fields.ts';
import { systemCode } from './read-files.ts';

/** No public key is longer, in bytes. */
const maxFileSize = 65_536;

type FileContent = { readonly text: string } | { readonly problem: string };

function readKeyFile(path: string): FileContent {
  try {
    const found = statSync(path);
    if (!found.isFile()) return { problem: 'It is not a file.' };
    if (found.size > maxFileSize) return { problem: 'It is too large for a public key.' };
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = systemCode(error);
    return { problem: code === 'ENOENT' ? 'There is no such file.' : `The system says ${code}.` };
  }
}

type KeyFault = Pick<Fault, 'code' | 'summary' | 'detail' | 'hint'>;

/** True for a key that was given where the path of its file belongs: it must not be printed as a path. */
function isKeyText(path: string): boolean {
  return /[\r\n]|PRIVATE KEY|^(?:ssh|ecdsa|sk)-\S+\s/.test(path);
}

function explainMisplacedKey(text: string): KeyFault {
  return (
    findPublicKeyFault(text) ?? {
      code: 'invalid-public-key',
      summary: 'publicKeyFile holds a public key instead of a path',
      hint: 'Call the key `publicKey`, or give the path of a file.',
    }
  );
}

function explainUnreadable(path: string, problem: string): KeyFault {
  return {
    code: 'key-file-unreadable',
    summary: `The public key file \`${makePrintable(path)}\` cannot be read`,
    detail: problem,
    hint: path.startsWith('~')
      ? 'A path that begins with ~ is not expanded: write it from / on, or relative to the directory of the configuration.'
      : 'The path is relative to the directory of the configuration.',
  };
}

/** Reads and checks public keys, each file once. */
export class PublicKeyReader {
  readonly #directory: string;
  readonly #faults: FaultList;
  readonly #contents = new Map<string, FileContent>();

  /** Paths are relative to `directory`, which is absolute. */
  constructor(directory: string, faults: FaultList) {
    this.#directory = directory;
    this.#faults = faults;
  }

  /** The key of one SSH key; undefined when none is given, unknown when it cannot be used: both were reported. */
  read(
    inline: LocatedNode | undefined,
    file: LocatedNode | undefined,
    address: Address,
  ): string | Unknown | undefined {
    const text = readText(inline);
    if (inline && text?.trim()) return this.#judge(text, inline, address);
    const path = readText(file);
    if (!file || !path?.trim()) return undefined;
    if (isKeyText(path)) return this.#refuse(explainMisplacedKey(path), file, address);
    const content = this.#readOnce(path);
    if ('text' in content) return this.#judge(content.text, file, address);
    return this.#refuse(explainUnreadable(path, content.problem), file, address);
  }

  #readOnce(path: string): FileContent {
    const absolute = resolve(this.#directory, path);
    const content = this.#contents.get(absolute) ?? readKeyFile(absolute);
    this.#contents.set(absolute, content);
    return content;
  }

  #judge(text: string, place: LocatedNode, address: Address): string | Unknown {
    const fault = findPublicKeyFault(text);
    return fault ? this.#refuse(fault, place, address) : text.trim();
  }

  #refuse(fault: KeyFault, place: LocatedNode, address: Address): Unknown {
    this.#faults.add({ address, ...fault, place });
    return new Unknown(`${address}.publicKey`, true);
  }
}
