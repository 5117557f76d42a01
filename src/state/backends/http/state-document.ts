// The one document that a state server stores: all texts of the state, in a shape that servers of Terraform's protocol
// accept. GitLab wants JSON with a rising `serial`; Gitea wants all members of a Terraform state. The Terraform version in it
// does not exist, so that Terraform itself refuses the document and does not overwrite it.
import { isStateFileName, type StateFileName } from '../../files/files.ts';
import type { LockInfo } from '../../lock/lock-info.ts';
import { BackendError } from '../backend-error.ts';
import type { StateFileReader } from '../server-files.ts';
import { parseLockHolder } from './lock-holder-info.ts';
import { isJsonObject, parseJsonObject } from '../../../model/json-object.ts';

/** The version of the format that is written, and the last that is read. */
const formatVersion = 1;

const terraformShape = {
  version: 4,
  terraform_version: 'hostwright',
  outputs: {},
  resources: [],
} as const;

/** A state in the form in which the HTTP server stores it. */
export interface StateDocument {
  /** Number of the state, which grows by one with each write. */
  readonly serial: number;
  /** Id of the state, which never changes after its first write. */
  readonly lineage: string;
  /** Number of the lock under which the document was written; it grows with each lock. */
  readonly epoch: number;
  /** Lock info of the run that wrote the document: two runs may write the same serial. */
  readonly writer: LockInfo;
  readonly files: ReadonlyMap<StateFileName, string>;
}

/** Reads the texts within a state document. */
export class StateDocumentReader implements StateFileReader {
  readonly #texts: ReadonlyMap<StateFileName, string>;

  constructor(texts: ReadonlyMap<StateFileName, string> = new Map()) {
    this.#texts = texts;
  }

  list(): Promise<readonly StateFileName[]> {
    return Promise.resolve([...this.#texts.keys()]);
  }

  read(name: StateFileName): Promise<string | undefined> {
    return Promise.resolve(this.#texts.get(name));
  }
}

/** Encodes a state document as JSON on one line. */
export function encodeStateDocument(document: StateDocument): string {
  const { serial, lineage, epoch, writer, files } = document;
  const texts = Object.fromEntries(files);
  const hostwright = { formatVersion, epoch, writer, files: texts };
  return `${JSON.stringify({ ...terraformShape, serial, lineage, hostwright })}\n`;
}

/**
 * Decodes a document. `place` is for messages.
 * @throws BackendError `broken` for a state of Terraform, of a newer Hostwright, or any other text
 */
export function decodeStateDocument(text: string, place: string): StateDocument {
  const document = parseJsonObject(text);
  if (document?.['hostwright'] === undefined) {
    const isTerraform = typeof document?.['terraform_version'] === 'string';
    throw new BackendError(
      'broken',
      `${place} holds ${isTerraform ? 'a state of Terraform' : 'something else than a state of Hostwright'}. ` +
        'Hostwright does not overwrite it: choose another address.',
    );
  }
  const { serial, lineage, hostwright } = document;
  const own = isJsonObject(hostwright) ? hostwright : {};
  if (typeof own['formatVersion'] === 'number' && own['formatVersion'] > formatVersion) {
    const newer = `format ${own['formatVersion']}; this version knows up to ${formatVersion}`;
    throw new BackendError(
      'broken',
      `${place} holds a state that a newer Hostwright has written (${newer}). Use the newer version.`,
    );
  }
  const { epoch, files } = own;
  const writer = parseLockHolder(JSON.stringify(own['writer']));
  const isWhole = isCount(serial) && isCount(epoch) && typeof lineage === 'string';
  if (!isWhole || !writer || !isJsonObject(files)) throw createDamagedError(place);
  return { serial, lineage, epoch, writer, files: readFiles(files, place) };
}

/** Computes a mark of a stored document that no other write has in common; a constant where nothing is stored. */
export function computeWriteMark(
  document: Omit<StateDocument, 'files' | 'epoch'> | undefined,
): string {
  return document ? `${document.lineage} ${document.serial} ${document.writer.ID}` : 'none';
}

function readFiles(files: Readonly<Record<string, unknown>>, place: string) {
  const texts = new Map<StateFileName, string>();
  for (const [name, text] of Object.entries(files)) {
    if (!isStateFileName(name) || typeof text !== 'string') throw createDamagedError(place);
    texts.set(name, text);
  }
  return texts;
}

function createDamagedError(place: string): BackendError {
  return new BackendError(
    'broken',
    `${place} holds a state of Hostwright that is damaged. Restore an earlier version of it on the server.`,
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
