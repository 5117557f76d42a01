import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makeLineWriter, openEventFile } from '../../../../src/commands/session/event-file.ts';
import { openFolder } from '../../../support/open-folder.ts';

let directory = '';
beforeEach(async () => {
  directory = await openFolder('events');
});

const silent = () => undefined;

it('holds the lines of the last run alone', async () => {
  const path = join(directory, 'events');
  const first = '{"@level":"info","@message":"Hostwright 1","@module":"hostwright.ui"}\n';
  for (const lines of [[first, 'long, long ago\n'], ['now\n']]) {
    const file = await openEventFile(path, silent);
    for (const line of lines) file.write(line);
    file.close();
  }
  expect(await readFile(path, 'utf8')).toBe('now\n');
  // That is nothing that a run begins with.
  await expect(openEventFile(path, silent)).rejects.toMatchObject({
    diagnostics: [
      { code: 'events-unwritable', detail: expect.stringContaining('did not write') as string },
    ],
  });
});

it('breaks off where it can no longer be written, and says so once', () => {
  const told: unknown[] = [];
  const handle = openSync(join(directory, 'events'), 'w');
  const file = makeLineWriter(handle, (error) => told.push(error));
  file.write('first\n');
  closeSync(handle);
  file.write('second\n');
  file.write('third\n');
  expect(told).toMatchObject([{ code: 'EBADF' }]);
});
