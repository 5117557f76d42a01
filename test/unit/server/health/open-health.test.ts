import { expect, it } from 'vitest';
import { BackendError } from '../../../../src/state/backends/backend-error.ts';
import { DatabaseDiskSpace, openHealthChecks } from '../../../../src/server/health/open-health.ts';

it('says how each part is, and waits for none that hangs', async () => {
  let looks = 0;
  let answer: () => void = () => undefined;
  const readHealth = openHealthChecks(
    {
      well: () => Promise.resolve(),
      rejected: () => Promise.reject(new Error('no')),
      thrown: () => {
        throw new Error('no');
      },
      hanging: () => {
        looks += 1;
        return new Promise<void>((done) => (answer = done));
      },
    },
    7,
  );
  const found = { well: 'ok', rejected: 'failed', thrown: 'failed', hanging: 'silent' };
  expect(await readHealth()).toEqual(found);
  expect(await readHealth()).toEqual(found);
  // One that hangs takes no second connection.
  expect(looks).toBe(1);
  const asked = readHealth();
  answer();
  expect(await asked).toEqual({ ...found, hanging: 'ok' });
  await readHealth();
  expect(looks).toBe(2);
});

it('has no room from the first statement that found none, until a write works', async () => {
  const room = new DatabaseDiskSpace();
  let writes = 0;
  const full = new BackendError('full', 'has no room left');
  const write = (isFull: boolean) => () => {
    writes += 1;
    return isFull ? Promise.reject(full) : Promise.resolve();
  };
  room.note(new BackendError('unreachable', 'cannot be reached'));
  room.note(new Error('no'));
  await room.look(write(true));
  expect(writes).toBe(0);
  room.note(full);
  await expect(room.look(write(true))).rejects.toBe(full);
  await room.look(write(false));
  await room.look(write(true));
  expect(writes).toBe(2);
});
