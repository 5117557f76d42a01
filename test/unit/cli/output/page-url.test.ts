import { expect, test } from 'vitest';
import { readPageUrl } from '../../../../src/cli/output/page-url.ts';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';

function read(url: string | undefined): { link: string | undefined; codes: string[] } {
  const codes: string[] = [];
  const showDiagnostics = (found: readonly Diagnostic[]) =>
    void codes.push(...found.map(({ code }) => code));
  return { link: readPageUrl({ env: { HOSTWRIGHT_PAGE_URL: url } }, { showDiagnostics }), codes };
}

test.each([
  [undefined, undefined],
  ['  ', undefined],
  ['https://ci.example.com/runs/1?a=b#c', 'https://ci.example.com/runs/1?a=b#c'],
  ['https://ci.example.com/a b)[x](`y`', 'https://ci.example.com/a%20b%29[x]%28%60y%60'],
])('%j is linked to as %j', (given, link) => expect(read(given)).toEqual({ link, codes: [] }));

test.each(['plan.html', 'javascript:alert(1)', 'https://user:secret@ci.example.com/'])(
  '%s is no link, and somebody is told',
  (given) => expect(read(given)).toEqual({ link: undefined, codes: ['page-url-unusable'] }),
);
