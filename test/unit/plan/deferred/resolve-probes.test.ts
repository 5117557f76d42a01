import { describe, expect, it } from 'vitest';
import { resolveProbe, resolveTaskProbes } from '../../../../src/plan/deferred/resolve-probes.ts';
import type { Task } from '../../../../src/model/plan/task.ts';
import type { Attributes } from '../../../../src/model/value.ts';
import { checkInputOf } from '../../../support/plan-lines.ts';
import { makeWorld } from '../../../support/world.ts';
import type { EvaluationOutcome } from '../../../../src/expressions/evaluate/compile-expression.ts';
import { Unknown } from '../../../../src/expressions/values/scope.ts';
import type { DeferredValue } from '../../../../src/model/deferred.ts';
import type { Probe } from '../../../../src/model/plan/readiness.ts';
import { formatProbe } from '../../../../src/model/plan/write-probe.ts';

const value = (one: unknown): DeferredValue => ({ kind: 'value', value: one as string });
const tcp = (address: unknown): Probe => ({ kind: 'tcp', address: value(address) });
const http = (url: string, contains?: string, ...statuses: number[]): Probe => ({
  ...{ kind: 'http' as const, url: value(url), statuses: statuses.length > 0 ? statuses : [200] },
  ...(contains !== undefined && { contains: value(contains) }),
});
const command = (...words: string[]): Probe => ({ kind: 'command', words: words.map(value) });

function resolve(probe: Probe): string {
  const found = resolveProbe(probe, (one): EvaluationOutcome => {
    const given = one.kind === 'value' ? one.value : undefined;
    const unknown = new Unknown('db.id');
    if (given === 'later') return { kind: 'unknown', unknown, value: unknown };
    if (given !== 'broken') return { kind: 'value', value: given as string };
    return {
      kind: 'fault',
      fault: { code: 'expression-type', summary: 'No', hint: 'Correct it.', start: 0, end: 1 },
    };
  });
  if (found.kind === 'known') return formatProbe(found.probe);
  return found.kind === 'unknown'
    ? `after ${found.reference}`
    : `${found.fault.code}: ${found.fault.summary}`;
}
const invalid = (why: string) => `invalid-probe: A value of the probe ${why}`;

it.each<[Probe, string]>([
  [tcp('203.0.113.7:22'), 'tcp 203.0.113.7:22'],
  [tcp('[2001:db8::7]:65535'), 'tcp [2001:db8::7]:65535'],
  [tcp('later'), 'after db.id'],
  [tcp('broken'), 'expression-type: No'],
  [tcp(null), invalid('is not a text')],
  ...['h', 'h:0', 'h:65536', 'h:x', ':22', 'a b:22', '::1:22'].map((text): [Probe, string] => [
    tcp(text),
    invalid('is not HOST:PORT'),
  ]),
  [http('https://shop.example.com'), 'http https://shop.example.com/'],
  [http('http://h/x', '"ok"', 200, 204), String.raw`http http://h/x 200|204 "\"ok\""`],
  [http('http://h', 'ok', 503), 'http http://h/ 503 "ok"'],
  [http('ftp://h'), invalid('is not a URL')],
  [http('shop'), invalid('is not a URL')],
  [http('https://me:secret@h'), invalid('has credentials in it')],
  [http('https://me@h'), invalid('has credentials in it')],
  [command('./smoke.sh', 'web "1"'), String.raw`command ["./smoke.sh","web \"1\""]`],
  [command(''), invalid('is no program')],
  [command('a', 'b\0c'), invalid('is no program')],
])('%j: %s', (probe, text) => expect(resolve(probe)).toBe(text));

it('writes a probe as it is configured, as long as a value is not known', () => {
  const source = { path: 'x', start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };
  const later: DeferredValue = {
    kind: 'expression',
    text: '${self.name}',
    isTemplate: true,
    references: [],
    names: [],
    source,
    prefix: '',
  } as never;
  const words = [value('./x'), later, value(7), { kind: 'list', items: [] } as never];
  expect(formatProbe({ kind: 'command', words })).toBe('command ["./x","${self.name}","7",""]');
  expect(formatProbe({ kind: 'tcp', address: later })).toBe('tcp ${self.name}');
});

describe('probes of a VM that may be restored', () => {
  const config = { p: { vms: { web: { image: 'debian-13', configuration: 'c2-r4-d40' } } } };
  const { scope } = checkInputOf(makeWorld({ config }));
  const address = 'projects.p.vms.web';
  const reading = (text: string): DeferredValue => ({
    ...{ kind: 'expression', text, isTemplate: false, references: [], names: [], prefix: '' },
    source: { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 },
  });
  const resolveOf = (text: string, former?: Attributes) => {
    const probes = [{ kind: 'command' as const, words: [value('./check'), reading(text)] }];
    const timeouts = { createMs: 1, updateMs: 1, deleteMs: 1 };
    const task: Task = { id: 't', address, phase: 'ready', commands: [], dependsOn: [], timeouts };
    const ready = { probes, withinMs: 1, settleMs: 0 };
    const { tasks, findings } = resolveTaskProbes([{ ...task, ready }, task], scope!, {
      placeOf: () => undefined,
      restoredTo: () => former,
    });
    const wordOf = (all: readonly Probe[] | undefined) =>
      all?.map((one) => (one.kind === 'command' ? one.words[1] : one));
    return {
      probes: wordOf(tasks[0]?.ready?.probes),
      restored: wordOf(tasks[0]?.ready?.restored),
      codes: findings.map(({ code }) => code),
    };
  };

  it.each([
    ['reads what is restored', 'projects.p.vms.web.image', 'debian-13', 'debian-12'],
    ['reads something else', 'projects.p.vms.web.configuration', 'c2-r4-d40', undefined],
  ])('a probe that %s', (_what, text, word, restored) => {
    expect(resolveOf(text, { image: 'debian-12' })).toEqual({
      ...{ probes: [value(word)], codes: [] },
      restored: restored === undefined ? undefined : [value(restored)],
    });
  });

  it('are one where nothing is restored, are read later where a value is not known, and report a fault', () => {
    expect(resolveOf('projects.p.vms.web.image')).toEqual({
      ...{ probes: [value('debian-13')], restored: undefined, codes: [] },
    });
    const later = resolveOf('projects.p.vms.web.id', { image: 'debian-12' });
    expect([later.probes?.[0], later.restored]).toMatchObject([{ kind: 'expression' }, undefined]);
    expect(resolveOf('projects.p.vms.web.image + 1').codes).toHaveLength(1);
  });
});
