import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { assembleSchema } from '../../../../src/config/schema/assemble-schema.ts';
import { kinds } from '../../../../src/kinds/registry.ts';
import { kindNames } from '../../../../src/model/kind-places.ts';

const published = join(import.meta.dirname, '../../../../schemas/config.schema.json');

// `npm run generate` renews it.
it('is the schema that is published', async () => {
  const options = { ...(await resolveConfig(published)), filepath: published };
  const text = await format(JSON.stringify(assembleSchema(), null, 2), options);
  await expect(text).toMatchFileSnapshot(published);
});

it('has a definition for each kind, with every field that the kind knows', () => {
  const { $defs } = assembleSchema();
  for (const kind of kindNames) {
    const { properties } = $defs[kind] as { properties: object };
    const missing = Object.keys(kinds[kind].fields).filter(
      (field) => !Object.hasOwn(properties, field),
    );
    expect(missing, kind).toEqual([]);
  }
});
