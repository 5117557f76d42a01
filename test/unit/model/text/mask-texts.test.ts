import { describe, expect, it } from 'vitest';
import { createSecretMask, maskSecretsInValue } from '../../../../src/model/text/mask-texts.ts';

const secret = 'hw_S3cret/To+ken~42';
const mask = createSecretMask([secret]);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('a mask', () => {
  it.each([
    ['as it is', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded with small letters', encodeURIComponent(secret).toLowerCase()],
    [
      'percent-encoded to the last byte',
      secret.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
    ],
    ['in base64', base64(secret)],
    ['in base64url', base64url(secret)],
    ['in base64 behind one more byte', base64(`:${secret}`)],
    ['in base64 behind a user', base64(`me:${secret}`)],
    ['in base64url within a header', base64url(`Bearer ${secret}\r\n`)],
    ['in base64 with broken lines', base64(secret).replace(/.{7}(?=.)/g, '$&\r\n')],
    ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
    ['in large hexadecimal digits', Buffer.from(secret).toString('hex').toUpperCase()],
    ['escaped as in JSON', secret.replaceAll('/', '\\/').replace('_', '\\u005F')],
    ['escaped as in HTML', secret.replaceAll('+', '&#43;').replace('/', '&#x2f;')],
  ])('hides a secret %s', (_how, written) => {
    // Small letters change a plain part of the secret: then it is another one.
    const other = createSecretMask([secret, secret.toLowerCase()]);
    expect(other(`before "${written}" behind`)).toMatch(/^before "(\S*\(sensitive\)\S*)" behind$/);
    const core = written.slice(4, -4);
    expect(other(`before ${written} behind`)).not.toContain(core);
  });

  it('leaves everything else as it is', () => {
    const text = 'hw_other and c2VjcmV0 and %41 and 100 %';
    expect(mask(text)).toBe(text);
    expect(createSecretMask([])(text)).toBe(text);
    expect(createSecretMask([' ', ''])('a  b')).toBe('a  b');
  });

  it('hides a short one only where it stands alone', () => {
    const short = createSecretMask(['abc']);
    expect(short('abc, (abc) but abcd and x-abc')).toBe(
      '(sensitive), ((sensitive)) but abcd and x-abc',
    );
  });

  it('hides the longer of two first, and forms with a plus for a space', () => {
    expect(createSecretMask(['secret', 'secretive'])('secretive')).toBe('(sensitive)');
    expect(createSecretMask(['two words'])('q=two+words&r=two%20words')).toBe(
      'q=(sensitive)&r=(sensitive)',
    );
  });

  it('hides the lines of a text of several', () => {
    const lines = createSecretMask(['-----BEGIN X-----\nMIIabcdefghijklmnop\nshort']);
    expect(lines('    MIIabcdefghijklmnop')).toBe('    (sensitive)');
    expect(lines('short')).toBe('short');
  });

  it('takes a function for what stands in place of it, and survives lone surrogates', () => {
    const stars = createSecretMask([secret, '\ud800 is broken'], (found) =>
      '*'.repeat(found.length),
    );
    expect(stars(`a ${secret} b`)).toBe(`a ${'*'.repeat(secret.length)} b`);
    expect(stars('a \ud800 is broken')).toBe(`a ${'*'.repeat(11)}`);
  });
});

it('masks names and texts of a value at any depth, and leaves its other parts as they are', () =>
  expect(
    maskSecretsInValue({ [secret]: [secret, 1, null, true, { a: `x ${secret}` }] }, mask),
  ).toEqual({
    '(sensitive)': ['(sensitive)', 1, null, true, { a: 'x (sensitive)' }],
  }));
