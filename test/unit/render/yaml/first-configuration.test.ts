import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderFirstConfiguration } from '../../../../src/render/yaml/first-configuration.ts';

test.each([
  [undefined, { sandbox: { speed: 10 } }],
  ['https://api.example.com/v1', { baseUrl: 'https://api.example.com/v1' }],
])('a first configuration for %s', (baseUrl, service) => {
  expect(parse(renderFirstConfiguration(baseUrl))).toMatchObject({ version: 1, service });
});
