import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ConfigurationFaultList } from '../../../../src/config/source/fault-list.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  toPlainValue,
  type YamlMapNode,
} from '../../../../src/config/source/located-node.ts';
import { readYamlTree } from '../../../../src/config/source/read-tree.ts';
import { SourceFile } from '../../../../src/config/source/source-file.ts';
import { applyMergePatch } from '../../../../src/config/tests/prepare-test-configuration.ts';

function locate(value: object, path = 'a.yaml'): YamlMapNode {
  const tree = readYamlTree(
    new SourceFile(path, stringify(value)),
    new ConfigurationFaultList(),
  )?.tree;
  if (tree?.kind !== 'map') throw new Error('not a map');
  return tree;
}

/** RFC 7396, as it is written there. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isMap = typeof target === 'object' && target !== null && !Array.isArray(target);
  const merged = new Map<string, unknown>(isMap ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

const { map } = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.boolean(), fc.constant(null), fc.constant('x')),
  list: fc.array(tie('leaf'), { maxLength: 2 }),
  map: fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('map')),
    { minKeys: 1, maxKeys: 3 },
  ),
}));

property.prop([map, map])('a patch does what RFC 7396 says', (target, patch) => {
  const patched = applyMergePatch(locate(target), locate(patch));
  expect(JSON.parse(JSON.stringify(toPlainValue(patched)))).toEqual(mergePatch(target, patch));
});

test('what a patch gives stands where the patch is written', () => {
  const target = locate({ projects: { shop: { name: 'a', networks: {} } } });
  const patch = locate({ projects: { shop: { name: 'b' } } }, 'a.test.yaml');
  const patched = applyMergePatch(target, patch);
  const shop = findYamlMapChild(findYamlMapChild(patched, 'projects'), 'shop');
  expect([...listYamlMapEntries(shop)].map(([key, { value }]) => [key, value.file.path])).toEqual([
    ['name', 'a.test.yaml'],
    ['networks', 'a.yaml'],
  ]);
});
