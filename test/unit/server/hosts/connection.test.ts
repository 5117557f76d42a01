import { describe, expect, it } from 'vitest';
import {
  findRepositoryPathAtHost,
  findConnectionSite,
  isGitHostApiAddress,
  parseGitHostAddress,
} from '../../../../src/server/hosts/connection.ts';

describe('the address of a connection', () => {
  it.each([
    ['https://api.github.com/', 'https://api.github.com'],
    ['https://GitHub.example.com/api/v3/', 'https://github.example.com/api/v3'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://gitlab.example.com', undefined],
    ['http://127.0.0.1.evil.test', undefined],
    ['https://user:secret@gitlab.example.com', undefined],
    ['https://gitlab.example.com/?a=b', undefined],
    ['https://gitlab.example.com/#a', undefined],
    ['file:///etc', undefined],
    ['gitlab.example.com', undefined],
  ])('%s is %s', (text, address) => expect(parseGitHostAddress(text)).toBe(address));

  it.each([
    ['github', 'https://api.github.com', 'https://github.com'],
    ['github', 'https://api.acme.ghe.com', 'https://acme.ghe.com'],
    ['github', 'https://github.example.com/api/v3', 'https://github.example.com'],
    ['github', 'https://api.example.com/api/v3', 'https://api.example.com'],
    ['gitlab', 'https://example.com/gitlab', 'https://example.com/gitlab'],
  ] as const)('of %s at %s has its repositories at %s', (kind, address, site) => {
    expect(findConnectionSite({ kind, address })).toBe(site);
  });
});

it.each([
  ['github', 'https://api.github.com', true],
  ['github', 'https://api.acme.ghe.com', true],
  ['github', 'https://github.example.com/api/v3', true],
  ['github', 'https://github.com', false],
  ['github', 'https://github.example.com', false],
  ['github', 'https://github.example.com/api', false],
  ['gitlab', 'https://example.com/gitlab', true],
] as const)('the API of a connection of %s is at %s: %s', (kind, address, isApi) => {
  expect(isGitHostApiAddress({ kind, address })).toBe(isApi);
});

describe('a repository', () => {
  const github = { kind: 'github', address: 'https://api.github.com' } as const;
  const gitlab = { kind: 'gitlab', address: 'https://example.com/gitlab' } as const;

  it.each([
    [github, 'https://github.com/acme/infra.git', 'acme/infra'],
    [github, 'https://GITHUB.com/Acme/infra/', 'Acme/infra'],
    [github, 'https://github.com/acme/infra/more', undefined],
    [github, 'https://github.com/acme', undefined],
    [github, 'https://github.com.evil.test/acme/infra', undefined],
    [github, 'https://evil.test/https://github.com/acme/infra', undefined],
    [github, 'https://github.com:444/acme/infra', undefined],
    [github, 'http://github.com/acme/infra', undefined],
    [github, 'https://user:secret@github.com/acme/infra', undefined],
    [github, 'https://github.com/acme/..', undefined],
    [github, 'https://github.com/acme/infra?service=x', undefined],
    [github, 'file:///github.com/acme/infra', undefined],
    [gitlab, 'https://example.com/gitlab/acme/team/infra.git', 'acme/team/infra'],
    [gitlab, 'https://example.com/gitlab/../other/acme/infra', undefined],
    [gitlab, 'https://example.com/acme/infra', undefined],
  ])('of %o at %s is %s', (connection, repository, path) => {
    expect(findRepositoryPathAtHost(connection, repository)).toBe(path);
  });
});
