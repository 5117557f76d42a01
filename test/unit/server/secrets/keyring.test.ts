import { fc, test } from '@fast-check/vitest';
import { describe, expect, it, vi } from 'vitest';
import type { DiagnosticError } from '../../../../src/model/errors.ts';
import { openServerKeyring, readServerKeys } from '../../../../src/server/secrets/keyring.ts';

const key = 'the key of this server, 32 or more';
const other = 'another key that is as long as that';
const text = Buffer.from('HOSTWRIGHT_TOKEN=secret');

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { diagnostics: { code: string }[] }).diagnostics[0]?.code;
  }
};

describe('a keyring', () => {
  test.prop([fc.uint8Array(), fc.string()])('opens what it sealed', (bytes, name) => {
    const keyring = openServerKeyring([key]);
    const sealed = keyring.seal(name, Buffer.from(bytes));
    expect(new Uint8Array(openServerKeyring([key]).open(name, sealed))).toEqual(bytes);
  });

  it('shows nothing of the text, and never the same twice', () => {
    const keyring = openServerKeyring([key]);
    const [first, second] = [keyring.seal('a', text), keyring.seal('a', text)];
    expect(first.body.includes('secret')).toBe(false);
    expect(first.body.equals(second.body)).toBe(false);
  });

  it('opens nothing under another name, with another key, or changed', () => {
    const sealed = openServerKeyring([key]).seal('a', text);
    expect(codeOf(() => openServerKeyring([key]).open('b', sealed))).toBe('server-key-wrong');
    expect(codeOf(() => openServerKeyring([other]).open('a', sealed))).toBe('server-key-wrong');
    const body = Buffer.from(sealed.body);
    body[20] = (body[20] ?? 0) ^ 1;
    expect(codeOf(() => openServerKeyring([key]).open('a', { ...sealed, body }))).toBe(
      'server-key-wrong',
    );
  });

  it('opens with the key before, and seals with the new one', () => {
    const sealed = openServerKeyring([key]).seal('a', text);
    const rotating = openServerKeyring([other, key]);
    expect(rotating.open('a', sealed)).toEqual(text);
    expect(rotating.seal('a', text).keyId).toBe(openServerKeyring([other]).keyId);
  });
});

describe('the key of the environment', () => {
  const read = (env: Record<string, string>) =>
    readServerKeys({
      env,
      execute: (command) => Promise.resolve(command === 'get-key' ? `${key}\n` : ''),
    });

  it('comes from the variable, or from a command', async () => {
    const { keyId } = openServerKeyring([key]);
    expect((await read({ HOSTWRIGHT_SERVER_KEY: key })).keyId).toBe(keyId);
    expect((await read({ HOSTWRIGHT_SERVER_KEY_COMMAND: 'get-key' })).keyId).toBe(keyId);
  });

  it.each([
    [new Error('It ended with exit code 3'), 'It ended with exit code 3. It has'],
    ['gone', 'gone. It has'],
  ])('says how its command failed, and not what it is: %s', async (cause, detail) => {
    const env = { HOSTWRIGHT_SERVER_KEY_COMMAND: 'vault --token hush' };
    const failing = readServerKeys({ env, execute: vi.fn().mockRejectedValue(cause) });
    const error = (await failing.catch((one: unknown) => one)) as DiagnosticError;
    expect(error.diagnostics).toMatchObject([
      { code: 'server-key-command-failed', detail: expect.stringContaining(detail) as string },
    ]);
    expect(JSON.stringify(error.diagnostics)).not.toContain('hush');
  });

  it.each([
    ['none', {}, 'The key of the server is not set'],
    ['a short one', { HOSTWRIGHT_SERVER_KEY: 'short' }, 'The key of the server is too short'],
  ])('is refused: %s', async (_what, env, summary) => {
    await expect(read(env)).rejects.toMatchObject({
      diagnostics: [{ code: 'server-key-missing', summary }],
    });
  });
});
