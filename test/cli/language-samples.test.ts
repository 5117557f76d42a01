// docs/language.md says of every key how it is written: each example of the schema is tried in a configuration.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  blocks,
  placeSample,
  sampleOf,
  type ConfigurationSchema,
} from '../../schemas/docs/language-page.ts';
import { root } from '../support/pages/read-pages.ts';
import { SampleStage } from '../support/pages/sample-stage.ts';
import { runInProcess } from './run-in-process.ts';

const schema = JSON.parse(
  readFileSync(join(root, 'schemas/config.schema.json'), 'utf8'),
) as ConfigurationSchema;

/** What a key needs beside it where the example of its block is not enough; undefined takes a key away. */
const companions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'service.sandbox': { baseUrl: undefined },
  'sshKey.publicKey': { publicKeyFile: undefined },
  'vm.name': { count: 2 },
  'accessToken.expiresAt': { expiresIn: undefined, rotateBefore: undefined },
  'variable.type': { default: undefined, allowed: undefined },
  'data.kind 1': { project: undefined, name: 'ubuntu-24.04' },
  'data.address': { kind: 'publicIp', name: undefined },
  'data.id': { name: undefined },
  'data.match': { name: undefined },
  'import.id': { name: undefined },
  'policy.approve': { severity: undefined },
};

let stage: SampleStage;
beforeAll(async () => {
  stage = await SampleStage.open();
});
afterAll(() => stage.close());

const rows = blocks.flatMap((block) => {
  const { properties = {} } = schema.$defs[block.definition] ?? {};
  return Object.entries(properties).flatMap(([name, { examples = [] }]) =>
    examples.map((example, index) => ({ block, name, example, index })),
  );
});

test.each(rows)(
  'every example of the schema is valid: $block.title: $name, example $index',
  async ({ block, name, example, index }) => {
    const own = sampleOf(schema.$defs[block.definition] ?? {});
    const key = `${block.definition}.${name}`;
    const beside = companions[`${key} ${index}`] ?? companions[key] ?? {};
    const text = stringify(placeSample(block, { ...(own as object), ...beside, [name]: example }));
    const directory = `${block.title}-${name}-${index}`.replaceAll(' ', '-');
    const env = await stage.place(directory, text);
    const ended = await runInProcess(['validate', directory], { cwd: stage.path, env });
    // Only init fetches a module.
    if (text.includes('git::')) expect(ended.stderr).toContain('[module-not-fetched]');
    else expect(ended.code, `${text}\n${ended.stderr}`).toBe(0);
  },
);
