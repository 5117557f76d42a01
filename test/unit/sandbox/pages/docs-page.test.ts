import { expect, test } from 'vitest';
import { renderSandboxDocsPage } from '../../../../src/sandbox/pages/docs-page.ts';
import { loadServiceContract } from '../../../../src/sandbox/contract/contract-file.ts';

const page = renderSandboxDocsPage(await loadServiceContract(), 'http://127.0.0.1:8080/v1');
const count = (text: string) => page.split(text).length - 1;
const operation = (id: string) => page.split(`id="${id}"`)[1]?.split('</details>')[0] ?? '';

test('an answer that every operation has is described once', () => {
  for (const said of ['The call is outside the scopes of the token.', 'Too many requests.']) {
    expect(count(said), said).toBe(1);
  }
  expect(operation('getLimits')).not.toContain('<code>401</code>');
});

test('an operation has the answers of its own, also where the others share another', () => {
  expect(operation('getLimits')).toContain('<code>200</code>');
  expect(operation('getVm')).toContain('<code>404</code>');
  expect(operation('resizeVm')).toContain('<code>503</code>');
  expect(operation('startVm')).not.toContain('<code>503</code>');
});
