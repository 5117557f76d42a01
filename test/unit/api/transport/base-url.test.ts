import { expect, test } from 'vitest';
import { parseBaseUrl } from '../../../../src/api/transport/base-url.ts';
import { DiagnosticError } from '../../../../src/model/errors.ts';

const origin = { name: 'HOSTWRIGHT_BASE_URL' };

test.each([
  ['https://api.example.com/v1', 'https://api.example.com/v1'],
  [' https://api.example.com/v1/ \n', 'https://api.example.com/v1'],
  ['http://127.0.0.1:8080/v1//', 'http://127.0.0.1:8080/v1'],
  ['https://example.com/hosting/v1', 'https://example.com/hosting/v1'],
  ['HTTPS://API.example.com/v1', 'https://api.example.com/v1'],
])('%j is %s', (text, expected) => expect(parseBaseUrl(text, origin)).toBe(expected));

test.each([
  ['', 'it is empty', 'Write it as'],
  ['not an address', 'not an http or https address', 'Write it as'],
  ['ftp://x/v1', 'not an http or https address', 'Write it as'],
  ['api.example.com/v1', 'not an http', 'Did you mean https://api.example.com/v1?'],
  ['localhost:8080', 'not an http', 'Did you mean https://localhost:8080/v1?'],
  ['https://api.example.com', 'does not end in /v1', 'Did you mean https://api.example.com/v1?'],
  ['https://api.example.com/v2', 'does not end in /v1', 'Did you mean https://api.example.com/v1?'],
  ['https://x.io/v1/projects', 'does not end in /v1', 'Did you mean https://x.io/v1?'],
  ['https://x.io/v1?key=secret#c', 'more than a path', 'Did you mean https://x.io/v1?'],
  ['https://me:secret@x.io/v1', 'a user name or a password', 'Take them out'],
])('%j is refused', (text, why, hint) => {
  const parse = () => parseBaseUrl(text, origin);
  expect(parse).toThrow(DiagnosticError);
  try {
    parse();
  } catch (error) {
    const [diagnostic] = (error as DiagnosticError).diagnostics;
    expect(diagnostic).toMatchObject({ severity: 'error', code: 'base-address-invalid' });
    expect(diagnostic?.summary).toContain(why);
    expect(diagnostic?.hint).toContain(hint);
    expect(JSON.stringify(diagnostic)).not.toContain('secret');
  }
});

test('the place in the configuration is kept', () => {
  const source = { file: 'a.yaml', line: 2, column: 12, endLine: 2, endColumn: 20 };
  try {
    parseBaseUrl('x', { name: 'service.baseUrl', source });
  } catch (error) {
    expect((error as DiagnosticError).diagnostics[0]?.source).toBe(source);
  }
  expect.assertions(1);
});
