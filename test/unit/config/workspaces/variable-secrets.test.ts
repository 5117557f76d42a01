// What messages about a file of workspaces may show of it: no value of a credential, however it is written.
import { expect, it } from 'vitest';
import { readWorkspacesFile } from '../../../../src/config/workspaces/read-workspaces-file.ts';
import { ConfigurationFaultList } from '../../../../src/config/source/fault-list.ts';

const hidden = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY';

function read(text: string) {
  const faults = new ConfigurationFaultList();
  readWorkspacesFile(text, 'workspaces.yaml', () => true, faults);
  const diagnostics = faults.toDiagnostics();
  const said = diagnostics.map(({ summary, detail, hint, source }) =>
    [summary, detail, hint, source?.frame].join('\n'),
  );
  return { codes: diagnostics.map(({ code }) => code), said: said.join('\n') };
}
const withVariables = (variables: string) => `version: 1
workspaces:
  shop:
    repository: https://git.example.com/acme/infra.git
    variables:
${variables}
`;

it.each([
  ['a map, as the API takes it', `      AWS_SECRET_ACCESS_KEY: { value: ${hidden}, secret: true }`],
  [
    'a map of lines',
    `      AWS_SECRET_ACCESS_KEY:\n        value: ${hidden}\n        secret: true`,
  ],
  ['a text', `      HOSTWRIGHT_STATE_PASSPHRASE: ${hidden}`],
  ['a text of the former one', `      HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS: "${hidden}"`],
])('%s of a credential is refused, and shown nowhere', (_what, variables) => {
  const { codes, said } = read(withVariables(variables));
  expect(codes).toContain('token-in-configuration');
  expect(said).not.toContain(hidden);
});

it.each([
  ['a number', '      HOSTWRIGHT_TOKEN: 12345678'],
  ['a number of another base', '      HOSTWRIGHT_STATE_PASSPHRASE: 0xBC614E # 12345678'],
  ['a short number', '      HOSTWRIGHT_STATE_PASSPHRASE: 7731'],
])('%s of a credential is refused, and shown nowhere', (_what, variables) => {
  const { codes, said } = read(withVariables(variables));
  expect(codes).toContain('token-in-configuration');
  expect(said).not.toMatch(/12345678|BC614E|7731/);
});

it.each([
  ['a list', `      HOSTWRIGHT_TOKEN: [${hidden}]`],
  ['a variable that is marked', `      HOSTWRIGHT_VAR_x: { value: ${hidden}, secret: true }`],
  [
    'a value that is no name',
    `      HOSTWRIGHT_STATE_PASSPHRASE: { secret: true, env: ${hidden} }`,
  ],
  ['an assignment', `      - AWS_SECRET_ACCESS_KEY=${hidden}`],
  ['a forgotten blank', `      AWS_SECRET_ACCESS_KEY:${hidden}`],
  ['a neighbour of a fault', `      PATH: /bin\n      HOSTWRIGHT_STATE_PASSPHRASE: ${hidden}`],
  ['broken YAML', `      HOSTWRIGHT_STATE_PASSPHRASE: ${hidden}\n      x: [1`],
  [
    'a block of broken YAML',
    `      "AWS_SECRET_ACCESS_KEY":\n        value: ${hidden}\n      x: [1`,
  ],
])('%s is shown nowhere', (_what, variables) => {
  const { codes, said } = read(withVariables(variables));
  expect(codes).not.toEqual([]);
  expect(said).not.toContain(hidden);
});

it('the name of an environment variable is said', () => {
  const { said } = read(
    withVariables(
      '      HOSTWRIGHT_TOKEN: { secret: true, env: SHOP_TOKEN }\n      SHOP_TOKEN: /bin',
    ),
  );
  expect(said).toContain('A workspace cannot set `SHOP_TOKEN`');
});

it('an address of a repository with credentials is refused, and shown nowhere', () => {
  const { codes, said } = read(`version: 1
workspaces:
  shop:
    repository: https://bot:p@s/w${hidden}@git.example.com/acme/infra.git
`);
  expect(codes).toEqual(['wrong-type']);
  expect(said).not.toMatch(/bot|p@s|wJalr/);
});
