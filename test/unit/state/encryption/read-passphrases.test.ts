// Where the passphrases of a state come from.
import { describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../../src/model/errors.ts';
import type { EncryptionKeyring } from '../../../../src/state/encryption/keyring.ts';
import {
  openEnvironmentKeyring,
  openStateKeyring,
} from '../../../../src/state/encryption/read-passphrases.ts';
import { encryptStateText, decryptStateText } from '../../../../src/state/encryption/seal.ts';

const address = 'postgres:hostwright/shop';
const place = { address, path: 'state.json' };
const long = 'correct horse battery';
const former = 'the horse of before';

/** A runtime with these variables, in which every command prints `printed`, or fails without it. */
function runtimeOf(env: Record<string, string>, printed?: string) {
  const commands: string[] = [];
  const execute = (command: string) => {
    commands.push(command);
    return printed === undefined
      ? Promise.reject(new Error('exit code 3'))
      : Promise.resolve(printed);
  };
  return { env, execute, commands };
}

const codeOf = (work: Promise<unknown> | undefined) =>
  Promise.resolve(work).then(
    () => 'passed',
    (error: unknown) => (error as DiagnosticError).diagnostics[0]?.code,
  );

const seal = async (keyring: EncryptionKeyring | undefined) =>
  encryptStateText('{}', await keyring!.writingKey(), address, 'state.json');
const unseal = (text: string, keyring: EncryptionKeyring | undefined) =>
  decryptStateText(text, keyring, 'state.json', place);

describe('key: passphrase', () => {
  test('is what HOSTWRIGHT_STATE_PASSPHRASE says, of 16 characters or more', async () => {
    const check = (value: string) =>
      openStateKeyring(runtimeOf({ HOSTWRIGHT_STATE_PASSPHRASE: value }), 'passphrase')?.check();
    expect(await codeOf(check('0123456789abcdef'))).toBe('passed');
    expect(await codeOf(check('0123456789abcde'))).toBe('state-key-short');
    expect(await codeOf(check(''))).toBe('state-key-missing');
    expect(await codeOf(openStateKeyring(runtimeOf({}), 'passphrase')?.check())).toBe(
      'state-key-missing',
    );
  });

  test('while it is replaced, reads what was written with HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS', async () => {
    const before = { HOSTWRIGHT_STATE_PASSPHRASE: former };
    const now = { HOSTWRIGHT_STATE_PASSPHRASE: long };
    const text = await seal(openStateKeyring(runtimeOf(before), 'passphrase'));
    expect(await codeOf(unseal(text, openStateKeyring(runtimeOf(now), 'passphrase')))).toBe(
      'state-key-wrong',
    );
    const both = { ...now, HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS: former };
    const rotating = openStateKeyring(runtimeOf(both), 'passphrase');
    expect(await unseal(text, rotating)).toBe('{}');
    const renewed = await seal(rotating);
    expect(await unseal(renewed, openStateKeyring(runtimeOf(now), 'passphrase'))).toBe('{}');
    const none = { ...both, HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS: '' };
    expect(await codeOf(unseal(text, openStateKeyring(runtimeOf(none), 'passphrase')))).toBe(
      'state-key-wrong',
    );
  });
});

describe('key: command', () => {
  const env = { HOSTWRIGHT_STATE_KEY_COMMAND: 'pass show state' };

  test('is what the command of HOSTWRIGHT_STATE_KEY_COMMAND prints, run once', async () => {
    const runtime = runtimeOf(env, `${long}\n`);
    const keyring = openStateKeyring(runtime, 'command');
    expect(runtime.commands).toEqual([]);
    const text = await seal(keyring);
    await unseal(text, keyring);
    expect(runtime.commands).toEqual(['pass show state']);
    const given = { HOSTWRIGHT_STATE_PASSPHRASE: long };
    expect(await unseal(text, openStateKeyring(runtimeOf(given), 'passphrase'))).toBe('{}');
  });

  test('without a command, with one that fails, and with one that prints too little: an error', async () => {
    expect(await codeOf(openStateKeyring(runtimeOf({}, long), 'command')?.check())).toBe(
      'state-key-missing',
    );
    expect(await codeOf(openStateKeyring(runtimeOf(env), 'command')?.check())).toBe(
      'state-key-missing',
    );
    expect(await codeOf(openStateKeyring(runtimeOf(env, 'short\n'), 'command')?.check())).toBe(
      'state-key-short',
    );
  });
});

test('without encryption there is no key; a saved plan is read with what the environment gives', async () => {
  expect(
    openStateKeyring(runtimeOf({ HOSTWRIGHT_STATE_PASSPHRASE: long }), undefined),
  ).toBeUndefined();
  expect(openEnvironmentKeyring(runtimeOf({}))).toBeUndefined();
  const text = await seal(openEnvironmentKeyring(runtimeOf({ HOSTWRIGHT_STATE_PASSPHRASE: long })));
  const command = runtimeOf({ HOSTWRIGHT_STATE_KEY_COMMAND: 'print it' }, long);
  expect(await unseal(text, openEnvironmentKeyring(command))).toBe('{}');
});
