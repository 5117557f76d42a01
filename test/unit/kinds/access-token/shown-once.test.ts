import { expect, test } from 'vitest';
import { accessTokenCreateProcedure } from '../../../../src/kinds/access-token/access-token.ts';

const ask = { kind: 'createToken', name: 'ci', scopes: ['compute'], expiresAt: null } as const;

test('a lifetime counts from when the token is asked for', () => {
  const at = Date.parse('2027-01-01T00:00:00Z');
  expect(accessTokenCreateProcedure.sendAt({ ...ask, expiresIn: '30d' }, at).expiresAt).toBe(
    '2027-01-31T00:00:00.000Z',
  );
  expect(accessTokenCreateProcedure.sendAt({ ...ask, expiresIn: null }, at).expiresAt).toBeNull();
});

test('its value is read beside it, and stands in no part of it', () => {
  const { live, secret } = accessTokenCreateProcedure.decode({
    id: 't-1',
    name: 'ci',
    value: 'hw_s3cret',
  });
  expect(secret).toBe('hw_s3cret');
  expect(live).toMatchObject({ kind: 'accessToken', id: 't-1', name: 'ci' });
  expect(JSON.stringify(live)).not.toContain(secret);
});
