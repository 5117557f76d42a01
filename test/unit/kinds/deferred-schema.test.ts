import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../../src/config/schema/shape-schema.ts';
import { findDeferredValueFault } from '../../../src/plan/values/resolve-fields.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import type { Value } from '../../../src/model/value.ts';
import { publicKeyOf } from '../../support/desired.ts';

// What is known when the configuration is read is checked by the schema; what is known on apply, by the field.
const ajv = new Ajv2020({ allowUnionTypes: true, strict: false });
ajv.addSchema(configurationSchema, 'configuration');

const samples: readonly Value[] = [
  ...[null, true, 0, 1, 443, 65_535, 65_536, -1, 80.5],
  ...[
    '',
    ' ',
    'web',
    '443',
    'tcp',
    'udp',
    'TCP',
    'running',
    'stopped',
    'on',
    'active',
    'cancelled',
  ],
  ...[publicKeyOf('a'), [], ['a'], ['a', 'b'], ['a', 'a'], ['a', 1], [''], {}, { a: 1 }],
];

const fields = Object.values(kindRegistry).flatMap((kind) =>
  Object.entries(kind.fields).flatMap(([name, { deferrable }]) =>
    deferrable === undefined ? [] : [{ kind: kind.name, name, deferrable }],
  ),
);

describe('a deferred value is judged as the schema judges one that is written', () => {
  it.each(fields)('$kind.$name', ({ kind, name, deferrable }) => {
    const validate = ajv.getSchema(`configuration#/$defs/${kind}/properties/${name}`);
    expect(validate).toBeDefined();
    // A text that is no public key is a text for the schema, and a fault of its own.
    const codes = deferrable === 'publicKey' ? ['invalid-late-value'] : undefined;
    const judged = samples.map((value) => {
      const fault = findDeferredValueFault(deferrable, name, value);
      const isRefused = fault !== undefined && (codes?.includes(fault.code) ?? true);
      return { value, isRefused };
    });
    expect(judged).toEqual(
      samples.map((value) => ({ value, isRefused: validate?.(value) !== true })),
    );
  });

  it('for as many fields as there are', () => expect(fields.length).toBeGreaterThan(10));
});
