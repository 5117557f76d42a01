import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { dataFileSchemaSql, sandboxDataFileVersion } from '../../../../src/sandbox/store/schema.ts';

// A data file of another shape is known by its version alone: raise `sandboxDataFileVersion` with every change of the schema.
test('a schema of the data file has a version of its own', () => {
  const shape = createHash('sha256').update(dataFileSchemaSql).digest('hex').slice(0, 12);
  expect([sandboxDataFileVersion, shape]).toEqual([1, '8999847a7691']);
});
