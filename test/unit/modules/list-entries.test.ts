import { describe, expect, it } from 'vitest';
import { listGitTreeEntries } from '../../../src/modules/list-entries.ts';

const id = 'a'.repeat(40);
const line = (path: string, mode = '100644', type = 'blob', size = '12') =>
  `${mode} ${type} ${id} ${size.padStart(7)}\t${path}\0`;

describe('what a commit holds', () => {
  it('is its files and links, without submodules', () => {
    const listing = [
      line('a.yaml'),
      line('run.sh', '100755'),
      line('link', '120000', 'blob', '3'),
      line('sub', '160000', 'commit', '-'),
      line('ünï/cödé.yaml'),
    ].join('');
    expect(listGitTreeEntries(listing)).toEqual([
      { path: 'a.yaml', type: 'file', id, size: 12 },
      { path: 'run.sh', type: 'file', id, size: 12 },
      { path: 'link', type: 'link', id, size: 3 },
      { path: 'ünï/cödé.yaml', type: 'file', id, size: 12 },
    ]);
    expect(listGitTreeEntries('')).toEqual([]);
  });

  it.each([
    '../out',
    'a/../../out',
    '/etc/passwd',
    'a//b',
    '.git/hooks/post-checkout',
    'a/.GIT/config',
    'git~1/config',
    './a',
    'a\nb',
    'a\u001bb',
    'a\\b',
    'a'.repeat(1_001),
  ])('is refused with a path that no checkout would write: %j', (path) => {
    expect(() => listGitTreeEntries(line(path))).toThrow('holds a path that is not safe to write');
  });
});
