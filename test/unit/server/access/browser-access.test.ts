import { describe, expect, it } from 'vitest';
import { openFailedAttemptLimit } from '../../../../src/server/access/limit-attempts.ts';
import { nameSignInCommand } from '../../../../src/server/web/sign-in.ts';
import { isSameOrigin } from '../../../../src/server/access/same-origin.ts';
import {
  readSessionCookie,
  readSignInFlowCookie,
  removeSessionCookie,
  setSessionCookie,
} from '../../../../src/server/access/session-cookie.ts';

describe('the cookie of a session', () => {
  it('is bound to the host over TLS, and has a name that browsers take without', () => {
    expect(setSessionCookie('s', true)).toBe(
      '__Host-hostwright=s; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect(setSessionCookie('s', false)).toBe('hostwright=s; Path=/; HttpOnly; SameSite=Lax');
    expect(removeSessionCookie(true)).toMatch(/^__Host-hostwright=; Max-Age=0; .*Secure/);
  });

  it('is found among others, by the name that fits alone: any host below a domain sets others', () => {
    for (const isSecure of [false, true]) {
      expect(readSessionCookie(null, isSecure)).toBeUndefined();
      expect(readSessionCookie('a=b', isSecure)).toBeUndefined();
    }
    const both = 'a=b; hostwright=planted; __Host-hostwright=s';
    expect(readSessionCookie(both, true)).toBe('s');
    expect(readSessionCookie(both, false)).toBe('planted');
    expect(readSessionCookie('hostwright=planted', true)).toBeUndefined();
    expect(readSignInFlowCookie('hostwright-sign-in=planted', true)).toBeUndefined();
    expect(readSignInFlowCookie('__Host-hostwright-sign-in=f', true)).toBe('f');
  });
});

describe('a request of a browser', () => {
  const publicUrl = 'https://hostwright.example.com';
  it.each([
    ['from a page of this server', { origin: 'http://h:1', host: 'h:1' }, undefined, true],
    ['with the site alone', { 'sec-fetch-site': 'same-origin', host: 'h:1' }, undefined, true],
    ['behind a proxy', { origin: publicUrl, host: 'h:1' }, publicUrl, true],
    ['by another address', { origin: 'http://h:1', host: 'h:1' }, publicUrl, false],
    ['of another port', { origin: 'http://h:2', host: 'h:1' }, undefined, false],
    ['of a page without origin', { origin: 'null', host: 'h:1' }, undefined, false],
    ['that says nothing', { host: 'h:1' }, undefined, false],
    [
      'of another site',
      { 'sec-fetch-site': 'cross-site', origin: 'http://h:1', host: 'h:1' },
      undefined,
      false,
    ],
  ])('%s', (_what, headers, origin, expected) => {
    expect(isSameOrigin(new Headers(headers as Record<string, string>), origin)).toBe(expected);
  });
});

it.each([
  ['https://hw.example.com', 'evil.test:1', ' --public-url https://hw.example.com'],
  [undefined, '127.0.0.1:9000', ' --port 9000'],
  [undefined, 'localhost:8090', ' --port 8090'],
  [undefined, '[::1]:8090', ' --port 8090'],
  [undefined, 'evil.test:8090', ' --public-url URL'],
  [undefined, '127.0.0.1:8090 && x', ' --public-url URL'],
  [undefined, 'localhost', ' --public-url URL'],
])('the command for another link of %s, asked as %s', (publicUrl, host, flags) => {
  const command = nameSignInCommand(publicUrl, new Headers({ host }));
  expect(command).toBe(`hostwright server --sign-in-link${flags}`);
});

describe('failed attempts', () => {
  it('are too many after ten in ten minutes, for one address alone', () => {
    let now = 0;
    const limit = openFailedAttemptLimit(() => now);
    for (let count = 0; count < 10; count += 1) {
      expect(limit.isAllowed('a')).toBe(true);
      limit.noteFailure('a');
    }
    expect(limit.isAllowed('a')).toBe(false);
    expect(limit.isAllowed('b')).toBe(true);
    now = 10 * 60_000;
    expect(limit.isAllowed('a')).toBe(true);
  });

  it('of very many addresses take no more memory than of 10,000', () => {
    const limit = openFailedAttemptLimit(() => 0);
    for (let count = 0; count < 10; count += 1) limit.noteFailure('first');
    for (let count = 0; count < 10_000; count += 1) limit.noteFailure(String(count));
    expect(limit.isAllowed('first')).toBe(true);
  });
});
