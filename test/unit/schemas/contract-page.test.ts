import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  needsHeading,
  renderNeeds,
  type SortedContract,
} from '../../../schemas/docs/contract-page.ts';
import { operationPurposes } from '../../../src/api/contract/operation-needs.ts';
import grammar from '../../../src/config/schema/contract.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const page = join(root, 'docs/contract.md');
const text = readFileSync(page, 'utf8');
const contract = parse(readFileSync(join(root, 'schemas/openapi.yaml'), 'utf8')) as SortedContract;

// `npm run generate` renews it.
test('the page says what a service may lack as the program knows it', async () => {
  const written = text.slice(0, text.indexOf(`\n${needsHeading}\n`) + 1);
  const whole = `${written}${renderNeeds(contract)}`;
  const spelled = await format(whole, { ...(await resolveConfig(page)), filepath: page });
  await expect(spelled).toMatchFileSnapshot(page);
});

test('every operation stands there once', () => {
  const listed = [...renderNeeds(contract).matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(Object.keys(operationPurposes).toSorted());
});

test('every key of a contract file has a section, and every key below it is named there', () => {
  const { list, page: pages, field, constants } = grammar.$defs;
  const parts: Readonly<Record<string, object>> = {
    document: grammar.properties.document.properties,
    ...{ lists: { ...list.properties, ...pages.properties }, constants: constants.properties },
    fields: field.anyOf[2]?.properties ?? {},
  };
  for (const key of Object.keys(grammar.properties)) {
    const section = text.split(`\n### \`${key}\`\n`)[1]?.split('\n##')[0];
    expect(section, key).toBeDefined();
    for (const name of Object.keys(parts[key] ?? {})) expect(section, key).toContain(name);
  }
});
