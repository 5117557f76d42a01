import { describe, expect, it } from 'vitest';
import { listFaults, loadText } from './load.ts';

const load = (tokens: string) =>
  loadText(`version: 1\nservice: { sandbox: true }\ntokens:\n${tokens}`);
const rest = 'scopes: [compute], writeTo: { file: ci.token }';

describe('access tokens of the configuration', () => {
  it('have either a lifetime or an end', async () => {
    const result = await load(
      `  ci: { ${rest}, expiresIn: 90d, expiresAt: 2030-01-01T00:00:00Z }\n`,
    );
    expect(listFaults(result)).toEqual(['a.yaml:4:84 invalid-expiry']);
    expect(result.diagnostics[0]?.detail).toContain('a.yaml:4:68');
  });

  it('have each a file of their own', async () => {
    const result = await load(`  ci: { ${rest} }\n  cd: { ${rest.replace('ci', './ci')} }\n`);
    expect(listFaults(result)).toEqual(['a.yaml:5:37 duplicate-file']);
  });

  it('have each a file of their own with forEach, too', async () => {
    const result = await load(`  ci: { ${rest}, forEach: [a, b] }\n`);
    expect(listFaults(result)).toEqual(['a.yaml:4:37 duplicate-file']);
  });

  it('are told to be repeated themselves where the index of an instance is read', async () => {
    const result = await load(`  ci: { ${rest}, name: "\${each.index}" }\n`);
    expect(listFaults(result)).toEqual(['a.yaml:4:66 each-outside-count']);
    expect(result.diagnostics[0]?.hint).toContain('Give the access token a `count`');
  });
});
