// Where the passphrase of a state comes from: the environment, or a command that the environment names. No YAML has it, and
// none names a command.
import type { Runtime } from '../../model/runtime.ts';
import type { StateSettings } from '../../model/state/state-settings.ts';
import { createError } from '../faults.ts';
import { Keyring, type PassphraseSource } from './keyring.ts';

const variable = 'HOSTWRIGHT_STATE_PASSPHRASE';
const previousVariable = 'HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS';
const commandVariable = 'HOSTWRIGHT_STATE_KEY_COMMAND';

/** The keys of a state; undefined where it is not encrypted. Nothing is asked for before a key is needed. */
export function openKeyring(
  { env, execute }: Pick<Runtime, 'env' | 'execute'>,
  encryption: StateSettings['encryption'],
): Keyring | undefined {
  if (encryption === undefined) return undefined;
  const current =
    encryption === 'command'
      ? () => runCommand(env[commandVariable], execute)
      : () => Promise.resolve(readVariable(env[variable]));
  const source: PassphraseSource = {
    current,
    previous: () => (env[previousVariable] === '' ? undefined : env[previousVariable]),
  };
  return new Keyring(source);
}

/** The keys that the environment gives, for what is read before its configuration is known; undefined where it gives none. */
export function openAnyKeyring(runtime: Pick<Runtime, 'env' | 'execute'>): Keyring | undefined {
  const { [variable]: passphrase = '', [commandVariable]: command = '' } = runtime.env;
  if (passphrase !== '') return openKeyring(runtime, 'passphrase');
  return command === '' ? undefined : openKeyring(runtime, 'command');
}

function readVariable(value = ''): string {
  if (value !== '') return value;
  throw createError('state-key-missing', 'The passphrase of the state is not set', {
    detail: '`state.encryption.key` is `passphrase`. The environment holds the passphrase.',
    hint: `Set ${variable} to 16 characters or more.`,
  });
}

async function runCommand(command = '', execute: Runtime['execute']): Promise<string> {
  if (command === '') {
    throw createError(
      'state-key-missing',
      'The command that prints the key of the state is not set',
      {
        detail: '`state.encryption.key` is `command`. YAML cannot name the command.',
        hint: `Set ${commandVariable} to a command that prints the passphrase.`,
      },
    );
  }
  try {
    return (await execute(command)).trim();
  } catch (cause) {
    throw createError('state-key-missing', 'The command that prints the key of the state failed', {
      detail: cause instanceof Error ? `${cause.message}.` : String(cause),
      hint: `Run the command of ${commandVariable} by hand to see what is wrong.`,
    });
  }
}
