import { describe, expect, it } from 'vitest';
import { checkSecretDestinations } from '../../../src/checks/destinations.ts';
import type { PlanCheckInput } from '../../../src/checks/check.ts';
import type { Change } from '../../../src/model/plan/plan.ts';
import {
  listWriteToCommands,
  measureWriteToCommand,
  readSecretDestination,
} from '../../../src/model/write-to.ts';
import { makeChange, makePlan } from '../render/sample-plan.ts';

const address = 'tokens.ci';
const token = (command: string, given: Partial<Change> = {}): Change =>
  makeChange({
    ...{ kind: 'accessToken', address, action: 'create', after: { writeTo: { command } } },
    ...given,
  });

const check = (changes: readonly Change[], given: Partial<PlanCheckInput> = {}) =>
  checkSecretDestinations({
    plan: makePlan(changes),
    desired: new Map(),
    live: {} as PlanCheckInput['live'],
    state: {} as PlanCheckInput['state'],
    ...given,
  }).map(({ severity, code }) => `${severity} ${code}`);

describe('a command', () => {
  it('needs leave where it runs', () => {
    expect(check([token('x')])).toEqual(['error command-not-allowed']);
    expect(check([token('x', { action: 'replace' })])).toEqual(['error command-not-allowed']);
    for (const action of ['update', 'no-op', 'forget'] as const) {
      expect(check([token('x', { action })])).toEqual([]);
    }
    expect(check([token('x')], { allowsCommands: true })).toEqual([]);
  });

  it('is neither sensitive nor longer than what is shown', () => {
    const allowed = { allowsCommands: true };
    const hidden = token('s3cret', { sensitive: ['writeTo'] });
    expect(check([hidden], allowed)).toEqual(['error command-sensitive']);
    expect(listWriteToCommands([hidden])).toEqual([{ address, command: '(sensitive value)' }]);
    expect(check([token('x'.repeat(15_000))], allowed)).toEqual([]);
    expect(check([token('x'.repeat(15_000)), token('x'.repeat(1_000))], allowed)).toEqual([
      'error commands-too-long',
    ]);
  });

  it('is measured as it is shown', () => {
    expect(measureWriteToCommand({ address: 'a', command: 'b' })).toBe(12);
    expect(measureWriteToCommand({ address: 'a', command: '`\n\u200b😀' })).toBe(
      11 + 3 + 5 + 10 + 10,
    );
  });
});

it('a file that cannot be written is told', () => {
  const problem = { file: 'a', code: 'file-exists', why: 'It is there.', hint: 'Name another.' };
  const unwritable = new Map([[address, problem]]);
  const change = token('', { after: { writeTo: { file: 'a' } } });
  expect(check([change], { unwritable })).toEqual(['error file-exists']);
  expect(check([change])).toEqual([]);
});

it.each([
  [undefined, {}],
  [{ writeTo: null }, {}],
  [{ writeTo: { file: 'a' } }, { file: 'a' }],
  [{ writeTo: { command: 'a' } }, { command: 'a' }],
  [{ writeTo: { file: 5 } }, {}],
])('writeTo of %j', (attributes, expected) =>
  expect(readSecretDestination(attributes)).toEqual(expected),
);
