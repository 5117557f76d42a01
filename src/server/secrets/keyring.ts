// The master key of the server: what is secret in the database is encrypted with it. It is in no table and no message.
import { createHash, hkdfSync } from 'node:crypto';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { decryptBytes, encryptBytes } from '../../state/encryption/cipher.ts';

const keyVariable = 'HOSTWRIGHT_SERVER_KEY';
const commandVariable = 'HOSTWRIGHT_SERVER_KEY_COMMAND';
const previousVariable = 'HOSTWRIGHT_SERVER_KEY_PREVIOUS';
/** A text of this length as `openssl rand -base64 32` prints it has 32 bytes; shorter ones can be guessed. */
const leastLength = 32;

/** A text or file, encrypted as the database keeps it. */
export interface SealedContent {
  /** Id of the key that can decrypt it. */
  readonly keyId: string;
  readonly body: Buffer;
}

/** A key that is derived from the server's encryption key, with a fingerprint that names it. */
export interface DerivedServerKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Encryption key of the server, with the previous one while it is being replaced. */
export interface ServerKeyring {
  /** Id of the key that encrypts everything new. */
  readonly keyId: string;
  /** Key that signs the entries of the audit log. */
  readonly auditKey: DerivedServerKey;
  /** Encrypts a text under a name that says which text it is: under any other name, it cannot be opened. */
  seal(name: string, text: Buffer): SealedContent;
  /** Decrypts a text that was sealed under this name. @throws DiagnosticError `server-key-wrong` where no key opens it */
  open(name: string, sealed: SealedContent): Buffer;
}

/**
 * Reads the server's encryption key and, during a rotation, the previous one from the environment.
 * @throws DiagnosticError where there is none, or one that can be guessed
 */
export async function readServerKeys(
  runtime: Pick<Runtime, 'env' | 'execute'>,
): Promise<ServerKeyring> {
  const { env } = runtime;
  const command = env[commandVariable]?.trim() ?? '';
  const given = env[keyVariable] ?? (command === '' ? '' : await askCommand(runtime, command));
  const current = given.trim();
  if (current.length < leastLength) throw explainMissing(current !== '');
  const previous = env[previousVariable]?.trim() ?? '';
  return openServerKeyring([current, ...(previous === '' ? [] : [previous])]);
}

/** Runs a command for the key that it prints. It may contain secrets, so no message shows it. @throws DiagnosticError where it fails */
async function askCommand({ execute }: Pick<Runtime, 'execute'>, command: string): Promise<string> {
  try {
    return await execute(command);
  } catch (error) {
    throw new DiagnosticError(
      [
        {
          severity: 'error',
          code: 'server-key-command-failed',
          summary: `The command of ${commandVariable} failed`,
          detail: `${error instanceof Error ? error.message : String(error)}. It has to print the key of the server.`,
          hint: `Run the command by itself, as the user of the server, or set ${keyVariable}.`,
        },
      ],
      { cause: error },
    );
  }
}

/** Opens a keyring: all of the keys can decrypt, and the first encrypts. */
export function openServerKeyring(texts: readonly string[]): ServerKeyring {
  const keys = texts.map((text) => deriveKey(text, 'hostwright server'));
  const [current] = keys;
  const [text] = texts;
  if (!current || text === undefined) throw explainMissing(false);
  return {
    keyId: current.id,
    auditKey: deriveKey(text, 'hostwright audit'),
    seal: (name, text) => ({ keyId: current.id, body: encryptBytes(text, current.key, name) }),
    open(name, { keyId, body }) {
      const found = keys.find(({ id }) => id === keyId);
      const opened = found && decryptBytes(body, found.key, name);
      if (!opened) throw explainWrong();
      return opened;
    },
  };
}

function deriveKey(text: string, purpose: string): DerivedServerKey {
  const key = Buffer.from(hkdfSync('sha256', text, '', purpose, 32));
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 16), key };
}

function explainMissing(isShort: boolean): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-key-missing',
      summary: isShort ? 'The key of the server is too short' : 'The key of the server is not set',
      detail: 'The server encrypts tokens, variables and plans in its database with this key.',
      hint: `Set ${keyVariable} to what "openssl rand -base64 32" prints, or ${commandVariable} to a command that prints it.`,
    },
  ]);
}

function explainWrong(): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-key-wrong',
      summary: 'The key of the server does not match the database',
      detail: `The database was encrypted with another key than ${keyVariable} holds.`,
      hint: `Set ${keyVariable} to the key of this database. To rotate it, set ${previousVariable} to the old key.`,
    },
  ]);
}
