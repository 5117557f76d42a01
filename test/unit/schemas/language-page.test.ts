import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import {
  blocks,
  renderLanguagePage,
  type ConfigurationSchema,
} from '../../../schemas/docs/language-page.ts';

const root = join(import.meta.dirname, '../../..');
const page = join(root, 'docs/language.md');
const schema = JSON.parse(
  readFileSync(join(root, 'schemas/config.schema.json'), 'utf8'),
) as ConfigurationSchema;

// `npm run generate` renews it.
test('the page is as the schema is', async () => {
  const text = renderLanguagePage(schema);
  const spelled = await format(text, { ...(await resolveConfig(page)), filepath: page });
  await expect(spelled).toMatchFileSnapshot(page);
});

test('every definition with keys of its own has a section', () => {
  const described = new Set(blocks.map(({ definition }) => definition));
  const withKeys = Object.entries(schema.$defs).filter(([, { properties }]) => properties);
  expect(withKeys.map(([name]) => name).filter((name) => !described.has(name))).toEqual([]);
  const tops = new Set(['version', 'locals', ...blocks.flatMap(({ path }) => path[0] ?? [])]);
  expect(Object.keys(schema.properties ?? {}).filter((name) => !tops.has(name))).toEqual([]);
});

test('every key of the schema stands on the page', () => {
  const text = renderLanguagePage(schema);
  for (const { title, definition } of blocks) {
    const section = text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
    for (const name of Object.keys(schema.$defs[definition]?.properties ?? {})) {
      expect(section, `${title}: ${name}`).toContain(`**\`${name}\`**`);
    }
  }
});
