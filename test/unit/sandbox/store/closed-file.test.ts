import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SandboxStore } from '../../../../src/sandbox/store/store.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hostwright-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Uses the file as a sandbox does, and leaves its statements prepared. */
function open(folder: string, setting: string): SandboxStore {
  const store = new SandboxStore(join(folder, 'data.sqlite'));
  store.keepSetting('seed', setting);
  expect(store.setting('seed')).toBe(setting);
  return store;
}

test('a file that is closed is whole by itself at once: nothing beside it goes away later', () => {
  const folder = makeFolder();
  open(folder, '7').close();
  expect(readdirSync(folder)).toEqual(['data.sqlite']);
});

test('a file that another has open stays as that one needs it', () => {
  const folder = makeFolder();
  const [one, other] = [open(folder, '7'), open(folder, '8')];
  one.close();
  expect(other.setting('seed')).toBe('8');
  other.keepSetting('seed', '9');
  other.close();
  const again = new SandboxStore(join(folder, 'data.sqlite'));
  expect(again.setting('seed')).toBe('9');
  again.close();
});
