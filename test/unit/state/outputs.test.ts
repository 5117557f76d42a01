import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { RememberedOutput } from '../../../src/model/state/state.ts';
import { openMemoryState } from '../../../src/state/memory-store.ts';
import { findSnapshotShapeFault } from '../../../src/state/snapshot/snapshot-shape.ts';

const schema = JSON.parse(readFileSync('schemas/state.schema.json', 'utf8')) as object;
const validate = new Ajv2020({ strict: false }).compile(schema);

const document = (outputs: unknown) => ({
  ...{ formatVersion: 1, lineage: 'l', serial: 1, service: null, resources: [], pending: [] },
  outputs,
});

describe('outputs in the state', () => {
  const outputs: Record<string, RememberedOutput> = {
    ip: { sensitive: false, value: { b: [1], a: null } },
    password: { sensitive: true },
  };

  test('outlive the process, from the journal and from the snapshot', async () => {
    const store = await openMemoryState();
    await store.record({ kind: 'outputs', outputs });
    const next = await store.reopen();
    expect(Object.fromEntries(next.state.outputs ?? [])).toEqual(outputs);
    await next.compact();
    const last = await next.reopen();
    expect(Object.fromEntries(last.state.outputs ?? [])).toEqual(outputs);
    expect(last.state.serial).toBe(1);
    validate(JSON.parse(last.readDisk().get('state.json') ?? ''));
    expect(validate.errors ?? []).toEqual([]);
  });

  test('that are the same are no news; the last of them gone are none', async () => {
    const store = await openMemoryState();
    await store.record({ kind: 'outputs', outputs });
    await store.compact();
    await store.record({ kind: 'outputs', outputs: structuredClone(outputs) });
    await store.compact();
    expect(store.state.serial).toBe(1);
    await store.record({ kind: 'outputs', outputs: { ip: { sensitive: false, value: 1 } } });
    await store.record({ kind: 'outputs', outputs: {} });
    await store.compact();
    expect(store.state.outputs).toBeUndefined();
    expect(store.state.serial).toBe(2);
  });

  test.each<[unknown, string | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ a: { sensitive: false, value: null } }, undefined],
    [[], 'outputs must be an object'],
    [{ a: 1 }, 'outputs["a"] must be an object'],
    [{ a: { value: 1 } }, 'outputs["a"].sensitive is missing'],
    [{ a: { sensitive: 'no' } }, 'outputs["a"].sensitive must be true or false'],
  ])('of the shape %j', (given, fault) => {
    const plain = JSON.parse(JSON.stringify(document(given))) as object;
    expect(findSnapshotShapeFault(plain)).toBe(fault);
    expect(validate(plain)).toBe(fault === undefined);
  });
});
