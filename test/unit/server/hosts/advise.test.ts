import { describe, expect, it } from 'vitest';
import { adviseOnGitHost } from '../../../../src/server/hosts/advise.ts';
import { GitHostFault } from '../../../../src/server/hosts/host-fault.ts';
import { explainSourceError } from '../../../../src/server/sources/check-source.ts';
import { BackendError } from '../../../../src/state/backends/backend-error.ts';

describe('the advice', () => {
  it.each([
    ['for a wrong token', new GitHostFault('Bad credentials', { status: 401 }), 'the token'],
    [
      'for what the token may not see',
      new GitHostFault('Not Found', { status: 404 }),
      'the rights',
    ],
    [
      'for a certificate of a private authority',
      new GitHostFault('no answer: self-signed certificate'),
      'NODE_EXTRA_CA_CERTS and GIT_SSL_CAINFO',
    ],
  ])('%s names what to check', (_what, error, advice) => {
    expect(adviseOnGitHost(error)).toContain(advice);
  });

  it.each([
    ['an outage', new GitHostFault('Bad Gateway', { status: 502 })],
    ['a host that gives no answer', new GitHostFault('ECONNREFUSED')],
    ['any other error', new Error('certificate')],
  ])('for %s is to wait', (_what, error) => expect(adviseOnGitHost(error)).toBeUndefined());
});

describe('a repository that git may not read', () => {
  const denied = new BackendError('denied', 'Git cannot read r: could not read Username.');

  it('with a connection is about its token', () => {
    const said = explainSourceError(denied, 'hub');
    expect(said).toContain('the token of the connection hub');
    expect(said).not.toContain('name a connection');
  });

  it('without one is about a connection', () =>
    expect(explainSourceError(denied, undefined)).toContain('name a connection'));

  it('by its certificate is about the authorities that the server trusts', () => {
    const words = 'Git cannot read r: Problem with the SSL CA cert (path? access rights?).';
    const said = explainSourceError(new BackendError('unreachable', words), undefined);
    expect(said).toContain('NODE_EXTRA_CA_CERTS and GIT_SSL_CAINFO');
  });
});
