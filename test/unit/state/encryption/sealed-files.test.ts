// What is encrypted on this side: what is in the clear, and what each way of getting at it comes to.
import { beforeAll, describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../../../src/model/errors.ts';
import { EncryptionKeyring } from '../../../../src/state/encryption/keyring.ts';
import { encryptStateFiles } from '../../../../src/state/encryption/sealed-files.ts';
import {
  stateFileNames,
  nameJournalFile,
  type StateFileName,
} from '../../../../src/state/files/files.ts';
import { createEmptyState, replayJournalRecords } from '../../../../src/state/journal/replay.ts';
import { openMemoryStateFiles } from '../../../../src/state/memory-store.ts';
import { openStateStoreOnFiles } from '../../../../src/state/store.ts';
import { countIds, toPlain, wholeRun } from '../build-records.ts';

const address = 'postgres:hostwright/shop';
const openRing = (current: string, previous?: string) =>
  new EncryptionKeyring({ current: () => Promise.resolve(current), previous: () => previous });
// To make a key takes a third of a second: they are shared.
const ring = openRing('correct horse battery');
const otherRing = openRing('a wrong horse for this');
const journal = nameJournalFile(1);

let recorded: ReadonlyMap<StateFileName, string>;
let folded: ReadonlyMap<StateFileName, string>;
beforeAll(async () => {
  const disk = new Map<StateFileName, string>();
  const files = encryptStateFiles(openMemoryStateFiles(disk), { keyring: ring }, address);
  const store = await openStateStoreOnFiles(files, { createId: countIds() });
  for (const record of wholeRun) await store.record(record);
  recorded = new Map(disk);
  await store.compact();
  await store.close();
  folded = new Map(disk);
});

const open = (
  disk: ReadonlyMap<StateFileName, string>,
  keys: EncryptionKeyring | undefined = ring,
  at = address,
) =>
  openStateStoreOnFiles(
    encryptStateFiles(openMemoryStateFiles(new Map(disk)), { keyring: keys }, at),
    { isReadOnly: true },
  );
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return 'read';
  return error instanceof DiagnosticError ? error.diagnostics[0]!.code : 'another error';
};
const wanted = () => toPlain(replayJournalRecords(createEmptyState('id-1'), wholeRun));
const change = (
  disk: ReadonlyMap<StateFileName, string>,
  name: StateFileName,
  how: (text: string) => string,
) => new Map(disk).set(name, how(disk.get(name) ?? ''));

describe('an encrypted state', () => {
  test('is read again, from its journal and from its snapshot', async () => {
    expect(toPlain((await open(recorded)).state)).toEqual(wanted());
    expect(toPlain((await open(folded)).state)).toEqual({ ...(wanted() as object), serial: 1 });
  });

  test('says nothing in the clear but its serial, its epoch and its address', () => {
    const text = [...recorded.values(), ...folded.values()].join('\n');
    for (const word of [
      'projects.shop',
      'vm-',
      '"lan"',
      '.lan',
      'debian',
      'createNetwork',
      'attributes',
    ]) {
      expect(text).not.toContain(word);
    }
    const { serial, epoch } = JSON.parse(folded.get('state.json')!) as Record<string, number>;
    expect({ serial, epoch }).toEqual({ serial: 1, epoch: 1 });
    expect(text).toContain(address);
  });

  test.each(['state.json', journal] as const)(
    'is refused without a key, with a wrong one, and at another address: %s',
    async (name) => {
      const disk = name === 'state.json' ? folded : recorded;
      const none = openStateStoreOnFiles(
        encryptStateFiles(openMemoryStateFiles(new Map(disk)), { keyring: undefined }, address),
        {},
      );
      expect(await codeOf(none)).toBe('state-key-missing');
      expect(await codeOf(open(disk, otherRing))).toBe('state-key-wrong');
      expect(await codeOf(open(disk, ring, 'postgres:hostwright/other'))).toBe(
        'state-of-another-address',
      );
    },
  );

  test('is read with the passphrase before, and written with the one of now', async () => {
    const rotating = openRing('a new horse for this', 'correct horse battery');
    const disk = new Map(folded);
    const files = encryptStateFiles(openMemoryStateFiles(disk), { keyring: rotating }, address);
    const text = await files.read('state.json');
    await files.replace('state.json', text!);
    expect(await codeOf(open(disk, ring))).toBe('state-key-wrong');
    expect(await codeOf(open(disk, openRing('a new horse for this')))).toBe('read');
  });

  test('is never read where a byte of it was changed', async () => {
    for (const [disk, name] of [
      [folded, 'state.json'],
      [recorded, journal],
    ] as const) {
      const text = disk.get(name)!;
      const step = Math.ceil(text.length / 97);
      for (let at = 0; at < text.length; at += step) {
        const other = text[at] === 'A' ? 'B' : 'A';
        const damaged = text.slice(0, at) + other + text.slice(at + 1);
        if (JSON.stringify(damaged) === JSON.stringify(text)) continue;
        const code = await codeOf(open(change(disk, name, () => damaged)));
        // What begins a file says what it is: without that, it is not taken for an encrypted one.
        expect(['state-tampered', 'state-not-encrypted']).toContain(code);
      }
    }
  });

  test('has a journal of which no line can be moved, repeated, left out or taken from another', async () => {
    const lines = (text: string) => text.split('\n').filter((line) => line !== '');
    const join = (list: readonly string[]) => list.map((line) => `${line}\n`).join('');
    const tries: readonly ((list: readonly string[]) => readonly string[])[] = [
      ([first = '', second = '', third = '', ...rest]) => [first, third, second, ...rest],
      ([first = '', second = '', ...rest]) => [first, second, second, ...rest],
      ([first = '', , ...rest]) => [first, ...rest],
    ];
    for (const attempt of tries) {
      const disk = change(recorded, journal, (text) => join(attempt(lines(text))));
      expect(await codeOf(open(disk))).toBe('state-tampered');
    }
    const others = new Map<StateFileName, string>();
    const files = encryptStateFiles(openMemoryStateFiles(others), { keyring: ring }, address);
    await files.replace(journal, 'one\ntwo\nthree\n');
    const strange = lines(others.get(journal)!)[1]!;
    const mixed = change(recorded, journal, (text) =>
      join(lines(text).map((line, index) => (index === 1 ? strange : line))),
    );
    expect(await codeOf(open(mixed))).toBe('state-tampered');
  });

  test('is read up to a write that was cut short', async () => {
    const whole = recorded.get(journal)!;
    for (const cut of [1, 20, 60]) {
      const store = await open(change(recorded, journal, (text) => text.slice(0, -cut)));
      expect(store.diagnostics.map(({ code }) => code)).toContain('journal-torn');
    }
    const zeros = change(recorded, journal, () => `${whole}\0\0\0\0\n`);
    expect(toPlain((await open(zeros)).state)).toEqual(wanted());
  });

  test('has a snapshot that cannot stand under another name, or with another serial', async () => {
    const moved = new Map(folded).set(stateFileNames.backup, folded.get('state.json')!);
    const files = encryptStateFiles(openMemoryStateFiles(moved), { keyring: ring }, address);
    expect(await codeOf(files.read(stateFileNames.backup))).toBe('state-tampered');
    const older = change(folded, 'state.json', (text) =>
      text.replace('"serial": 1', '"serial": 9'),
    );
    expect(await codeOf(open(older))).toBe('state-tampered');
  });
});

describe('what is not encrypted', () => {
  const names = [
    stateFileNames.snapshot,
    stateFileNames.backup,
    'history/3.json',
    journal,
  ] as const;
  const openPlain = async () => {
    const disk = new Map<StateFileName, string>();
    const plain = await openStateStoreOnFiles(openMemoryStateFiles(disk), { createId: countIds() });
    await plain.record(wholeRun[0]!);
    await plain.close();
    return disk.set('history/3.json', '{}\n');
  };

  test.each(names)('is refused where there is a key: %s', async (name) => {
    const disk = new Map<StateFileName, string>([[name, '{"a":1}\n']]);
    const read = (keyring: EncryptionKeyring | undefined, allowsPlain = false) =>
      encryptStateFiles(openMemoryStateFiles(disk), { keyring, allowsPlain }, address).read(name);
    expect(await codeOf(read(ring))).toBe('state-not-encrypted');
    expect(await codeOf(read(undefined))).toBe('read');
    expect(await codeOf(read(ring, true))).toBe('read');
  });

  test('takes the place of what is encrypted in no order of files', async () => {
    const plain = await openPlain();
    for (const [name, text] of plain)
      if (name !== 'history/3.json')
        expect(await codeOf(open(change(folded, name, () => text)))).toBe('state-not-encrypted');
  });

  test('but for a journal that was cut short in its first line, and what says that a state moved', async () => {
    const files = (name: StateFileName, text: string) =>
      encryptStateFiles(
        openMemoryStateFiles(new Map([[name, text]])),
        { keyring: ring },
        address,
      ).read(name);
    expect(await files(journal, '{"n":0,"se')).toBe('{');
    expect(await files(journal, '\0\0\0\n')).toBe('{');
    expect(await files(journal, '')).toBe('');
    expect(await files(stateFileNames.moved, '{}')).toBe('{}');
  });

  test('is read where that is allowed, and encrypted with its history by the next write', async () => {
    const disk = await openPlain();
    expect(await codeOf(open(disk))).toBe('state-not-encrypted');
    const sealing = { keyring: ring, allowsPlain: true };
    const store = await openStateStoreOnFiles(
      encryptStateFiles(openMemoryStateFiles(disk), sealing, address),
      {},
    );
    await store.record(wholeRun[1]!);
    await store.compact();
    await store.close();
    expect(await codeOf(open(disk))).toBe('read');
    for (const [name, text] of disk)
      expect([name, text]).toEqual([name, expect.stringContaining('"sealed": {')]);
    const files = encryptStateFiles(openMemoryStateFiles(disk), { keyring: ring }, address);
    expect(await files.read('history/3.json')).toBe('{}\n');
  });
});

test('a passphrase that can be guessed is refused', async () =>
  expect(await codeOf(openRing('fifteen letters').check())).toBe('state-key-short'));
