import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isRemoteModuleSource, parseGitSource } from '../../../../src/config/modules/git-source.ts';

const parse = (text: string) => {
  const parsed = parseGitSource(text);
  if ('refusal' in parsed) throw new Error(`${parsed.refusal.detail} ${parsed.refusal.hint}`);
  return parsed.source;
};
const refuse = (text: string) => {
  const parsed = parseGitSource(text);
  if ('source' in parsed) throw new Error(`${text} was taken`);
  return parsed.refusal;
};

describe('the source of a module from git', () => {
  it.each<[string, string, string, string | undefined, string?]>(
    // prettier-ignore
    [
      ['git::https://example.com/group/repo.git//path/to?ref=v1.2.0', 'https://example.com/group/repo.git', 'path/to', 'v1.2.0'],
      ['git::https://example.com/repo', 'https://example.com/repo', '', undefined],
      ['git::https://EXAMPLE.com/Repo.git', 'https://example.com/Repo.git', '', undefined],
      ['git::https://example.com:8443/repo', 'https://example.com:8443/repo', '', undefined],
      ['git::ssh://git@example.com/a/b.git//c', 'ssh://git@example.com/a/b.git', 'c', undefined],
      ['git::ssh://example.com:22/b', 'ssh://example.com:22/b', '', undefined],
      ['git::file:///srv/mirror/x.git//y', 'file:///srv/mirror/x.git', 'y', undefined],
      ['git::https://example.com/r?ref=feature/x', 'https://example.com/r', '', 'feature/x'],
      ['git::https://example.com/r?ref=v1%2B2', 'https://example.com/r', '', 'v1+2'],
      ['git::https://example.com/~me/r.git//.config/x', 'https://example.com/~me/r.git', '.config/x', undefined],
      ['git::http://[::1]:80/r', 'http://[::1]/r', '', undefined],
      [' git::https://example.com/r//a/ ', 'https://example.com/r', 'a', undefined],
    ],
  )('%s', (text, url, path, ref) => expect(parse(text)).toMatchObject({ url, path, ref }));

  it('is pinned by its repository and ref, whatever directory of it is meant', () => {
    const pins = ['//a?ref=x/y', '//b?ref=x/y', '?ref=x%2Fy'].map(
      (rest) => parse(`git::https://example.com/r${rest}`).pin,
    );
    expect(new Set(pins)).toEqual(new Set(['git::https://example.com/r?ref=x/y']));
    expect(parse('git::https://example.com/r//a').pin).toBe('git::https://example.com/r');
  });

  it.each([
    ['git::ext::sh -c id', 'not followed by an address'],
    ['git::ext://example.com/x', 'not over ext'],
    ['git::git://example.com/x', 'not over git'],
    ['git::ftp://example.com/x', 'not over ftp'],
    ['git::-u', 'not followed by an address'],
    ['git::--upload-pack=id', 'not followed by an address'],
    ['git::ssh://-oProxyCommand=id/x', 'no host'],
    ['git::ssh://git@-oProxyCommand=id/x', 'no host'],
    ['git::https://example.com', 'no repository'],
    ['git::https://example.com/', 'no repository'],
    ['git::https:///x', 'no repository'],
    ['git::file://host/x', 'no host'],
    ['git::https://example.com/a b', 'not followed by an address'],
    ['git::https://example.com/a\u202eb', 'not followed by an address'],
    ['git::https://example.com/../x', 'not followed by an address'],
    ['git::https://example.com/%2e%2e/x', 'not followed by an address'],
    ['git::https://example.com/r//../x', 'not followed by an address'],
    ['git::https://example.com/r//a/.git', 'plain names'],
    ['git::https://example.com/r//-a', 'plain names'],
    ["git::https://example.com/r'$(id)", 'no repository'],
    ['git::https://example.com/r?ref=-u', 'not the name of a tag'],
    ['git::https://example.com/r?ref=', 'not the name of a tag'],
    ['git::https://example.com/r?ref=a..b', 'not the name of a tag'],
    ['git::https://example.com/r?ref=a%20b', 'not the name of a tag'],
    ['git::https://example.com/r?ref=a:b', 'not the name of a tag'],
    ['git::https://example.com/r?ref=a&ref=b', 'Only one `ref`'],
    ['git::https://example.com/r?depth=1', 'Only one `ref`'],
    ['git::https://example.com/r#v1', 'Only one `ref`'],
    [`git::https://example.com/${'a'.repeat(2_000)}`, 'too long'],
    ['hg::https://example.com/r', 'from a directory or from git'],
    ['s3::https://example.com/r.zip', 'from a directory or from git'],
  ])('is refused: %s', (text, words) => expect(refuse(text).detail).toContain(words));

  it.each([
    ['https://example.com/a/b.git?ref=v1', 'git::https://example.com/a/b.git?ref=v1'],
    ['github.com/a/b', 'git::https://github.com/a/b'],
    ['git@github.com:a/b.git', 'git::ssh://git@github.com/a/b.git'],
    ['git::git@github.com:a/b.git', 'git::ssh://git@github.com/a/b.git'],
    ['git::github.com/a/b', 'git::https://github.com/a/b'],
    ['hg::https://example.com/x', 'git::https://example.com/group/repo.git//path?ref=v1.2.0'],
  ])('%s: the hint says how it is written', (text, proposal) => {
    expect(isRemoteModuleSource(text)).toBe(true);
    expect(refuse(text).hint).toContain(`\`${proposal}\``);
  });

  it.each(['./modules/shop', '../shop', 'modules/shop', 'shop', 'a.b/c'])(
    '%s is a directory',
    (text) => expect(isRemoteModuleSource(text)).toBe(false),
  );

  it.each([
    ['git::https://me:pa55word@example.com/r', ['pa55word']],
    ['git::https://ghp_abcdefgh@example.com/r', ['ghp_abcdefgh']],
    ['git::https://me:p%40ss@example.com/r', ['p%40ss', 'p@ss']],
    ['git::ssh://git:pa55word@example.com/r', ['pa55word']],
    ['https://me:pa55word@example.com/r', ['pa55word']],
    ['git::ext::https://me:pa55word@example.com/r', ['pa55word']],
    ['git::https://example.com/r?access_token=pa55word', ['pa55word']],
  ])('credentials are refused, and hidden: %s', (text, secrets) => {
    const refusal = refuse(text);
    expect(refusal.secrets).toEqual(expect.arrayContaining(secrets));
    for (const secret of secrets) expect(refusal.detail + refusal.hint).not.toContain(secret);
  });

  const pieces = fc.constantFrom(
    ...[
      'git::',
      'https://',
      'ssh://',
      'file://',
      'ext::',
      '-',
      '--',
      '/',
      '//',
      '..',
      '@',
      ':',
      '?ref=',
    ],
    ...[
      'example.com',
      'repo.git',
      'v1',
      ' ',
      '\n',
      '\0',
      '%2e',
      '%00',
      '#',
      '\\',
      '\u202e',
      '`',
      "'",
      '$(',
    ],
  );
  property.prop([fc.array(pieces, { maxLength: 12 })])(
    'whatever is taken has nothing that git or a shell could take for something else',
    (parts) => {
      const parsed = parseGitSource(`git::${parts.join('')}`);
      if ('refusal' in parsed) return;
      const { url, path, ref = 'x', pin } = parsed.source;
      expect(url).toMatch(/^(?:https|ssh|http|file):\/\/[\w.~%+@:/[\]-]+$/);
      expect(url).not.toMatch(/\/\/[^/]*:[^/]*@|^\w+:\/\/-|@-/);
      for (const one of [url, path, ref, pin]) {
        expect(one).not.toMatch(/[\s\p{Cc}\p{Cf}\\`'$]/u);
        expect(one.split('/')).not.toContain('..');
      }
      expect(path).not.toMatch(/^[/-]/);
      expect(ref).not.toMatch(/^-/);
    },
  );
});
