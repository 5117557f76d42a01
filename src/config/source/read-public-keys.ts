import { resolve } from 'node:path';
import { suggestExpressionForBareText } from '../../expressions/evaluate/find-bare-expression.ts';
import { Unknown } from '../../expressions/values/scope.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { findPublicKeyFault } from '../../kinds/ssh-key/public-key.ts';
import {
  describePathBase,
  type ConfigurationFiles,
  type FileReadRefusal,
} from './configuration-files.ts';
import type { ConfigurationFault, ConfigurationFaultList } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import type { LocatedYamlNode } from './located-node.ts';
import { readNodeText } from './read-fields.ts';

/** Largest file of a public key that is read, in bytes: a larger one is no public key. */
const maxFileSize = 65_536;

type KeyFile = { readonly text: string } | { readonly refusal: FileReadRefusal };

type KeyFault = Pick<ConfigurationFault, 'code' | 'summary' | 'detail' | 'hint'>;

/** Tells whether a key was given in place of the path of its file, so that it must not be printed as a path. */
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

function explainUnreadable(
  path: string,
  { code, why, hint }: FileReadRefusal,
  isInModule: boolean,
): KeyFault {
  const isOutside = code === 'file-outside';
  return {
    code: isOutside ? code : 'key-file-unreadable',
    summary: `The public key file \`${makePrintable(path)}\` cannot be read`,
    detail: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: path.startsWith('~')
      ? 'Write the path relative to the directory of the configuration: ~ is not expanded.'
      : isOutside
        ? hint
        : describePathBase(isInModule),
  };
}

/** Reads and checks files of public keys, each file once. */
export class PublicKeyReader {
  readonly #directory: string;
  readonly #files: ConfigurationFiles;
  readonly #faults: ConfigurationFaultList;
  readonly #contents = new Map<string, KeyFile>();

  /** @param directory absolute path that the paths of key files are relative to. */
  constructor(directory: string, files: ConfigurationFiles, faults: ConfigurationFaultList) {
    this.#directory = directory;
    this.#files = files;
    this.#faults = faults;
  }

  /** The key of one SSH key; undefined when none is given, unknown when it cannot be used: both were reported. */
  read(
    inline: LocatedYamlNode | undefined,
    file: LocatedYamlNode | undefined,
    address: ResourceAddress,
  ): string | Unknown | undefined {
    const text = readNodeText(inline);
    if (inline && text?.trim()) return this.#classify(text, inline, address);
    const path = readNodeText(file);
    if (!file || !path?.trim()) return undefined;
    if (isKeyText(path)) return this.#refuse(explainMisplacedKey(path), file, address);
    const content = this.#readOnce(path);
    if ('text' in content) return this.#classify(content.text, file, address);
    const isInModule = parseResourceAddress(address)?.module !== undefined;
    return this.#refuse(explainUnreadable(path, content.refusal, isInModule), file, address);
  }

  #readOnce(path: string): KeyFile {
    const absolute = resolve(this.#directory, path);
    const content = this.#contents.get(absolute) ?? this.#readFile(absolute);
    this.#contents.set(absolute, content);
    return content;
  }

  #readFile(path: string): KeyFile {
    const content = this.#files.read(path, maxFileSize);
    return 'bytes' in content ? { text: new TextDecoder().decode(content.bytes) } : content;
  }

  /** Checks a public key; tabs become spaces, as the service takes no tabs. */
  #classify(text: string, place: LocatedYamlNode, address: ResourceAddress): string | Unknown {
    const fault = findPublicKeyFault(text);
    if (!fault) return text.trim().replace(/\t+/g, ' ');
    const bare = suggestExpressionForBareText(text);
    const hint = bare === undefined ? fault.hint : `Write \`${bare}\`.`;
    return this.#refuse({ ...fault, hint }, place, address);
  }

  #refuse(fault: KeyFault, place: LocatedYamlNode, address: ResourceAddress): Unknown {
    this.#faults.add({ address, ...fault, place });
    return new Unknown(`${address}.publicKey`, true);
  }
}
