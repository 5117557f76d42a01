// Passphrases of a state and of saved plans, read from the environment, or from a command that it names. YAML never holds a
// passphrase, nor the command.
import type { Runtime } from '../../model/runtime.ts';
import type { StateSettings } from '../../model/state/state-settings.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import { createDiagnosticError } from '../faults.ts';
import { EncryptionKeyring, minPassphraseLength, type PassphraseSource } from './keyring.ts';

const variable = 'HOSTWRIGHT_STATE_PASSPHRASE';
const previousVariable = 'HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS';
const commandVariable = 'HOSTWRIGHT_STATE_KEY_COMMAND';
const planVariable = 'HOSTWRIGHT_PLAN_KEY';

/** Opens the encryption keys of a state; undefined where it is not encrypted. No passphrase is read before a key is needed. */
export function openStateKeyring(
  { env, execute }: Pick<Runtime, 'env' | 'execute'>,
  encryption: StateSettings['encryption'],
): EncryptionKeyring | undefined {
  if (encryption === undefined) return undefined;
  const current =
    encryption === 'command'
      ? () => runCommand(env[commandVariable], execute)
      : () => Promise.resolve(readVariable(env[variable]));
  const source: PassphraseSource = {
    current,
    previous: () => (env[previousVariable] === '' ? undefined : env[previousVariable]),
  };
  return new EncryptionKeyring(source);
}

/**
 * Opens the encryption keys that the environment gives, for files that are read before their configuration is known;
 * undefined where there are none.
 */
export function openEnvironmentKeyring(
  runtime: Pick<Runtime, 'env' | 'execute'>,
): EncryptionKeyring | undefined {
  const { [variable]: passphrase = '', [commandVariable]: command = '' } = runtime.env;
  if (passphrase !== '') return openStateKeyring(runtime, 'passphrase');
  return command === '' ? undefined : openStateKeyring(runtime, 'command');
}

/**
 * Opens the key for sealed plans, which only those jobs have whose plans are applied without a new plan; undefined
 * where there is none. It differs from that of the state, which everybody has who may read the state.
 */
export function openPlanKeyring({ env }: Pick<Runtime, 'env'>): EncryptionKeyring | undefined {
  const { [planVariable]: key = '' } = env;
  if (key === '') return undefined;
  const current = () => {
    const isOfState = key === env[variable] || key === env[previousVariable];
    return isOfState || key.length < minPassphraseLength
      ? Promise.reject(createUnfitPlanKey(isOfState))
      : Promise.resolve(key);
  };
  return new EncryptionKeyring({ current, previous: () => undefined }, 'plan');
}

function createUnfitPlanKey(isOfState: boolean): DiagnosticError {
  return createDiagnosticError('plan-key-unfit', `${planVariable} cannot be used`, {
    detail: isOfState
      ? 'It is the passphrase of the state, which every job has that plans.'
      : `It has fewer than ${minPassphraseLength} characters, so that it can be guessed.`,
    hint: 'Choose another one, for example what "openssl rand -base64 32" prints.',
  });
}

function readVariable(value = ''): string {
  if (value !== '') return value;
  throw createDiagnosticError('state-key-missing', 'The passphrase of the state is not set', {
    detail: '`state.encryption.key` is `passphrase`. The environment holds the passphrase.',
    hint: `Set ${variable} to 16 characters or more.`,
  });
}

async function runCommand(command = '', execute: Runtime['execute']): Promise<string> {
  if (command === '') {
    throw createDiagnosticError(
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
    throw createDiagnosticError(
      'state-key-missing',
      'The command that prints the key of the state failed',
      {
        detail: cause instanceof Error ? `${cause.message}.` : String(cause),
        hint: `Run the command of ${commandVariable} by hand to see what is wrong.`,
      },
    );
  }
}
