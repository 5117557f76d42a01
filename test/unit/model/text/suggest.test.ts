import { describe, expect, it } from 'vitest';
import { formatNameList, suggestNearestName } from '../../../../src/model/text/suggest.ts';

describe('suggestions', () => {
  it.each([
    ['netwroks', ['name', 'networks'], 'networks'],
    ['publicip', ['publicIp', 'plugins'], 'publicIp'],
    ['ssh-keys', ['sshKeys'], 'sshKeys'],
    ['a', ['b'], undefined],
    ['', ['b'], undefined],
    ['web', ['db', 'cache'], undefined],
    ['backend', ['backends', 'backend-0', 'backand'], 'backends'],
    ['x'.repeat(65), ['x'.repeat(65)], undefined],
    ['web', [], undefined],
  ])('for %s among %j: %s', (written, candidates, meant) => {
    expect(suggestNearestName(written, candidates)).toBe(meant);
  });

  it('look at so many candidates only', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `other-thing-${index}`);
    expect(suggestNearestName('backend', [...many, 'backend'])).toBeUndefined();
  });

  it('are lists that end', () => {
    expect(formatNameList(['a', 'b'])).toBe('`a`, `b`');
    expect(formatNameList(['a', 'b', 'c'], 2)).toBe('`a`, `b` and 1 more');
  });
});
