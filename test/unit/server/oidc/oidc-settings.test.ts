import { describe, expect, it } from 'vitest';
import { loadOpenIdClient } from '../../../../src/server/oidc/load-openid-client.ts';
import { readOidcSettings } from '../../../../src/server/oidc/read-oidc-settings.ts';

const read = (issuer?: string, id?: string, secret?: string) =>
  readOidcSettings({
    env: {
      HOSTWRIGHT_SERVER_OIDC_ISSUER: issuer,
      HOSTWRIGHT_SERVER_OIDC_CLIENT_ID: id,
      HOSTWRIGHT_SERVER_OIDC_CLIENT_SECRET: secret,
    },
  });

describe('the provider in the environment', () => {
  it('is none where nothing is set', () => {
    expect(read()).toBeUndefined();
    expect(read('', ' ', '')).toBeUndefined();
  });

  it.each(['https://id.example.com/realms/a', 'http://127.0.0.1:9000', 'http://localhost:9000'])(
    'may be %s',
    (issuer) =>
      expect(read(issuer, 'id', 'secret')).toEqual({
        ...{ issuer, clientId: 'id', clientSecret: 'secret' },
      }),
  );

  it('may say which claim lists groups, and by which scopes', () => {
    const env = {
      HOSTWRIGHT_SERVER_OIDC_ISSUER: 'https://id.example.com',
      HOSTWRIGHT_SERVER_OIDC_CLIENT_ID: 'id',
      HOSTWRIGHT_SERVER_OIDC_CLIENT_SECRET: 'secret',
      HOSTWRIGHT_SERVER_OIDC_GROUPS_CLAIM: ' groups ',
      HOSTWRIGHT_SERVER_OIDC_SCOPES: 'groups  offline_access',
    };
    expect(readOidcSettings({ env })).toMatchObject({
      ...{ groupsClaim: 'groups', scopes: ['groups', 'offline_access'] },
    });
  });

  it.each([
    ['without a secret', 'https://id.example.com', 'id', undefined],
    ['without an issuer', undefined, 'id', 'a secret'],
    ['without TLS elsewhere', 'http://id.example.com', 'id', 'a secret'],
    ['without TLS on a host that only looks near', 'http://127.0.0.1.evil.test', 'id', 'a secret'],
    ['that is no address', 'id.example.com', 'id', 'a secret'],
  ])('is refused %s, and its secret is not shown', (_what, issuer, id, secret) => {
    let thrown: unknown;
    try {
      read(issuer, id, secret);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ diagnostics: [{ code: 'server-oidc-settings' }] });
    expect(JSON.stringify(thrown)).not.toContain('a secret');
  });
});

it('the library is named where it is missing, and no other fault of it is hidden', async () => {
  const missing = Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadOpenIdClient(() => Promise.reject(missing))).rejects.toMatchObject({
    diagnostics: [
      {
        hint: 'Install it beside Hostwright, with --global if Hostwright has it: npm install openid-client@6',
      },
    ],
  });
  const broken = new SyntaxError('broken');
  await expect(loadOpenIdClient(() => Promise.reject(broken))).rejects.toBe(broken);
});
