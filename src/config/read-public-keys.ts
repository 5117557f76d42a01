import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { childAddress, projectAddress, type Address } from '../model/address.ts';
import { findPublicKeyFault } from './check-public-key.ts';
import type { Fault, FaultList } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import { childOf, entriesOf, type LocatedNode } from './located-node.ts';
import { systemCode } from './read-files.ts';
import { readText } from './template.ts';

/** Public keys by the node of their SSH key; absent where none could be read. */
export type PublicKeys = ReadonlyMap<LocatedNode, string>;

/** No public key is longer, in bytes. */
const maxFileSize = 65_536;

type FileContent = { readonly text: string } | { readonly problem: string };

async function readKeyFile(path: string): Promise<FileContent> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { problem: 'It is not a file.' };
    if (found.size > maxFileSize) return { problem: 'It is too large for a public key.' };
    return { text: await readFile(path, 'utf8') };
  } catch (error) {
    const code = systemCode(error);
    return { problem: code === 'ENOENT' ? 'There is no such file.' : `The system says ${code}.` };
  }
}

type KeyFault = Pick<Fault, 'code' | 'summary' | 'detail' | 'hint'>;

/** A key as it stands in the configuration, or what is wrong with it, and where it is given. */
type Outcome = { readonly place: LocatedNode } & (
  { readonly key: string } | { readonly fault: KeyFault }
);

function judgeKey(text: string, place: LocatedNode): Outcome {
  const fault = findPublicKeyFault(text);
  return fault ? { fault, place } : { key: text.trim(), place };
}

/** True for a key that was given where the path of its file belongs: it must not be printed as a path. */
function isKeyText(path: string): boolean {
  return /[\r\n]|PRIVATE KEY|^(?:ssh|ecdsa|sk)-\S+\s/.test(path);
}

function judgeMisplacedKey(text: string, place: LocatedNode): Outcome {
  const fault = findPublicKeyFault(text) ?? {
    code: 'invalid-public-key',
    summary: 'publicKeyFile holds a public key instead of a path',
    hint: 'Call the key `publicKey`, or give the path of a file.',
  };
  return { fault, place };
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

/** The key of one SSH key; undefined when none is given, which was reported. */
async function readKey(
  body: LocatedNode,
  read: (path: string) => Promise<FileContent>,
): Promise<Outcome | undefined> {
  const inline = childOf(body, 'publicKey');
  const text = readText(inline);
  if (inline && text?.trim()) return judgeKey(text, inline);
  const file = childOf(body, 'publicKeyFile');
  const path = readText(file);
  if (!file || !path?.trim()) return undefined;
  if (isKeyText(path)) return judgeMisplacedKey(path, file);
  const content = await read(path);
  if ('text' in content) return judgeKey(content.text, file);
  return { fault: explainUnreadable(path, content.problem), place: file };
}

/** Every SSH key of the configuration: its address, and the node of its fields. */
function listSshKeys(tree: LocatedNode | undefined): [Address, LocatedNode][] {
  return [...entriesOf(childOf(tree, 'projects'))].flatMap(([key, { value: project }]) =>
    [...entriesOf(childOf(project, 'sshKeys'))].map(
      ([local, { value }]): [Address, LocatedNode] => [
        childAddress(projectAddress(key), 'sshKey', local),
        value,
      ],
    ),
  );
}

/** Reads and checks every public key, each file once. Paths are relative to `directory`. */
export async function readPublicKeys(
  tree: LocatedNode | undefined,
  directory: string,
  faults: FaultList,
): Promise<PublicKeys> {
  const contents = new Map<string, Promise<FileContent>>();
  const readOnce = (path: string): Promise<FileContent> => {
    const absolute = resolve(directory, path);
    const content = contents.get(absolute) ?? readKeyFile(absolute);
    contents.set(absolute, content);
    return content;
  };
  const keys = new Map<LocatedNode, string>();
  const readOne = async ([address, body]: [Address, LocatedNode]): Promise<void> => {
    const outcome = await readKey(body, readOnce);
    if (!outcome) return;
    if ('key' in outcome) keys.set(body, outcome.key);
    else faults.add({ address, ...outcome.fault, place: outcome.place });
  };
  await Promise.all(listSshKeys(tree).map(readOne));
  return keys;
}
