import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../../../src/model/errors.ts';
import { kindNames } from '../../../../src/model/kind-places.ts';
import { createEmptyState, replayJournalRecords } from '../../../../src/state/journal/replay.ts';
import { decodeSnapshot, encodeSnapshot } from '../../../../src/state/snapshot/snapshot.ts';
import { buildVm, toPlain, wholeRun } from '../build-records.ts';
import { readRows } from '../../../support/read-rows.ts';

const paths = {
  snapshot: 's/state.json',
  backup: 's/state.json.backup',
  journal: 's/journal.jsonl',
};
const state = replayJournalRecords(createEmptyState('l-1'), wholeRun);
const text = encodeSnapshot(state, { version: '0.1.0', journalId: 'j-1' });
const schema = JSON.parse(readFileSync('schemas/state.schema.json', 'utf8')) as {
  readonly $defs: { readonly kind: { readonly enum: readonly string[] } };
};
const matchesSchema = new Ajv2020().compile(schema);

type Json = Record<string, unknown>;

/** The sample document with one thing changed. */
function edit(change: (document: { resources: Json[]; pending: Json[] } & Json) => void): unknown {
  const document = JSON.parse(text) as { resources: Json[]; pending: Json[] } & Json;
  change(document);
  return document;
}

function readFault(content: string) {
  try {
    decodeSnapshot(content, paths);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0]!;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a snapshot', () => {
  test('says what was written', () => {
    const read = decodeSnapshot(text, paths);
    expect(toPlain(read.state)).toEqual(toPlain(state));
    expect(read.journalId).toBe('j-1');
  });

  test('matches the published schema', () => {
    expect(matchesSchema(JSON.parse(text))).toBe(true);
    expect(matchesSchema(JSON.parse(encodeSnapshot(createEmptyState('l'))))).toBe(true);
  });

  test('may be of every kind by the published schema', () =>
    expect([...schema.$defs.kind.enum].sort()).toEqual([...kindNames].sort()));

  test('stands in address order, whatever order things happened in', () => {
    const locals = ['web[10]', 'web[9]', 'api', 'web[1]'];
    const shuffled = replayJournalRecords(
      createEmptyState('l'),
      locals.map((local) => ({ kind: 'settled', resource: buildVm(local) })),
    );
    const { resources } = JSON.parse(encodeSnapshot(shuffled)) as { resources: Json[] };
    expect(resources.map(({ id }) => id)).toEqual([
      'vm-api',
      'vm-web[1]',
      'vm-web[9]',
      'vm-web[10]',
    ]);
  });

  test('is the same text for the same state, whatever order its keys were made in', () => {
    const { address, ...rest } = buildVm('a');
    const attributes = Object.fromEntries(Object.entries(rest.attributes).reverse());
    const write = (resource: ReturnType<typeof buildVm>) =>
      encodeSnapshot(replayJournalRecords(createEmptyState('l'), [{ kind: 'settled', resource }]));
    expect(write({ ...rest, attributes, address })).toBe(write(buildVm('a')));
  });

  test('reads well in a diff', () => {
    const resource = buildVm('a', { attributes: { name: 'a' }, configured: ['name'] });
    const one = replayJournalRecords(createEmptyState('l-1'), [{ kind: 'settled', resource }]);
    expect(encodeSnapshot(one).split('\n').slice(0, 9)).toEqual([
      ...['{', '  "formatVersion": 3,', '  "lineage": "l-1",', '  "serial": 0,'],
      ...['  "service": null,', '  "resources": [', '    {'],
      ...['      "address": "projects.shop.vms.a",', '      "kind": "vm",'],
    ]);
  });

  test('keys of a later version are tolerated, and kept in resources', () => {
    const later = edit((document) => {
      document.hints = { createVm: 40 };
      document.resources[0]!.note = 'kept';
    });
    expect(matchesSchema(later)).toBe(true);
    const read = decodeSnapshot(JSON.stringify(later), paths);
    expect(encodeSnapshot(read.state)).toContain('"note": "kept"');
  });
});

describe('a damaged snapshot', () => {
  test.each([
    ['torn in half', text.slice(0, text.length / 2), 'It is not JSON'],
    ['empty', '', 'The file is empty'],
    ['a list', '[]', 'It is not a JSON object'],
    ['null', 'null', 'It is not a JSON object'],
  ])('%s', (_name, content, fault) => {
    const diagnostic = readFault(content);
    expect(diagnostic).toMatchObject({
      severity: 'error',
      code: 'state-invalid',
      summary: 'The state file is damaged: s/state.json',
    });
    expect(diagnostic.detail).toContain(fault);
    expect(diagnostic.hint).toContain(paths.backup);
    expect(diagnostic.hint).toContain(paths.journal);
  });

  test('torn anywhere', () => {
    for (let cut = 0; cut < text.trimEnd().length; cut += 7) {
      expect(readFault(text.slice(0, cut)).code).toBe('state-invalid');
    }
  });

  /** `resources.0.id = 1`; without a value the member is taken out. */
  function spoil(how: string): unknown {
    const [way = '', value] = how.split(' = ');
    const names = way.split('.');
    const last = names.pop()!;
    return edit((document) => {
      const holder = names.reduce<Json>((one, name) => one[name] as Json, document);
      if (value === undefined) Reflect.deleteProperty(holder, last);
      else holder[last] = JSON.parse(value);
    });
  }
  test.each(
    readRows(String.raw`
    formatVersion must be 1, 2 or 3 | formatVersion = 0
    formatVersion is missing | formatVersion
    hostwrightVersion must be a text | hostwrightVersion = 1
    lineage must be a text | lineage = ""
    lineage is missing | lineage
    serial must be a whole number | serial = -1
    journal must be a text | journal = null
    service must be a text or null | service = 7
    resources must be a list | resources = {}
    resources[1] must be an object | resources.1 = "vm"
    resources[0].address must be an address | resources.0.address = 1
    resources[0].address must be an address | resources.0.address = "projects.shop.vms.\u001b[31mweb"
    resources[1].id is missing | resources.1.id
    resources[0].kind is no kind of resource | resources.0.kind = "lb"
    resources[0].publicIpId must be a text | resources.0.publicIpId = 1
    resources[0].attributes must be an object | resources.0.attributes = []
    resources[0].configured must be a list of texts | resources.0.configured = [1]
    resources[0].rebuildBackup must be an object | resources.0.rebuildBackup = "b-1"
    resources[0].rebuildBackup.at must be a whole number | resources.0.rebuildBackup = {"at": "1"}
    pending[0].command must be a command that creates | pending.0.command = {"kind": "deleteVm"}
    pending[0].command must be a command that creates | pending.0.command = "x"
    pending[0].knownIds must be a list of texts | pending.0.knownIds = "n-1"
    pending[0].at must be a whole number | pending.0.at = 1.5
  `),
  )('%s: %s', (fault, how) => {
    const document = spoil(how);
    expect(readFault(JSON.stringify(document)).detail).toContain(`${fault}.`);
    expect(matchesSchema(document)).toBe(false);
  });

  test('an address that is there twice', () => {
    const twice = edit((document) => document.resources.push(document.resources[0]!));
    expect(readFault(JSON.stringify(twice)).detail).toContain(
      'resources[2].address is there twice: projects.shop.networks.lan.',
    );
  });

  test('a part of a VM that is there twice, and no other', () => {
    const built = (ids: readonly string[]) =>
      JSON.stringify(
        edit((document) => (document.resources[0]!.builtFrom = ids.map((id) => ({ id })))),
      );
    expect(readFault(built(['key-1', 'key-1'])).detail).toContain(
      'resources[0].builtFrom[1].id is there twice: key-1',
    );
    expect(() => decodeSnapshot(built(['key-1', 'key-2']), paths)).not.toThrow();
  });

  test('a newer format names who wrote it', () => {
    const later = { formatVersion: 4, hostwrightVersion: '3.0.0' };
    expect(readFault(JSON.stringify(later))).toMatchObject({
      code: 'state-newer',
      hint: 'Use Hostwright 3.0.0 or later for this directory.',
    });
    expect(readFault('{"formatVersion":4}').hint).toContain('the newer version');
  });
});

describe('durations', () => {
  test('that are damaged are said to be', () => {
    const damaged = edit((document) => {
      document.durations = { createVm: { meanMs: -1, deviationMs: 0 } };
    });
    expect(matchesSchema(damaged)).toBe(false);
    expect(readFault(JSON.stringify(damaged)).detail).toContain('durations must hold');
    const list = edit((document) => {
      document.durations = [];
    });
    expect(matchesSchema(list)).toBe(false);
    expect(readFault(JSON.stringify(list)).detail).toContain('durations must be an object');
  });

  test('may be lost: a snapshot without them is sound', () => {
    const lost = edit((document) => {
      delete document.durations;
    });
    expect(decodeSnapshot(JSON.stringify(lost), paths).state.durations).toBeUndefined();
  });
});

describe('what was sent', () => {
  const { address, id } = buildVm('a');
  const sent = replayJournalRecords(createEmptyState('l'), [
    { kind: 'settled', resource: buildVm('a') },
    { kind: 'intent', address, command: { kind: 'stopVm', project: 'p', vm: id }, at: 1 },
    { kind: 'accepted', address, commandName: 'stopVm', id, at: 2, serviceAt: 3 },
  ]);
  const document = JSON.parse(encodeSnapshot(sent)) as Json & { sent: Json[] };

  test('is read as it was written, and matches the published schema', () => {
    expect(matchesSchema(document)).toBe(true);
    expect(decodeSnapshot(encodeSnapshot(sent), paths).state.sent).toEqual(sent.sent);
  });

  test.each([
    ['sent[0].command must be a command', { command: { kind: 'toString' } }],
    ['sent[0].id must be a text', { id: 1 }],
  ])('%s', (fault, how) => {
    const damaged = { ...document, sent: [{ ...document.sent[0], ...how }] };
    expect(readFault(JSON.stringify(damaged)).detail).toContain(`${fault}.`);
  });

  test('names each id once', () => {
    const twice = { ...document, sent: [document.sent[0], document.sent[0]] };
    expect(readFault(JSON.stringify(twice)).detail).toContain('sent[1].id is there twice');
  });
});
