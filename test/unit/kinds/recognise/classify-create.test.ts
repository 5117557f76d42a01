import { expect, it } from 'vitest';
import {
  classifyShownCreate,
  classifyUnseenCreate,
  type UnseenCreate,
} from '../../../../src/kinds/recognise/classify-create.ts';
import type { LiveResource } from '../../../../src/model/account/live.ts';

const at = (id: string, createdAt?: number) =>
  ({ kind: 'network', id, projectId: 'p', name: 'lan', createdAt }) as LiveResource;
const named = { kind: 'createNetwork', project: 'p', name: 'lan' } as const;
const nameless = { kind: 'createPublicIp', project: 'p' } as const;
const [one, two] = [at('n-1', 900), at('n-2', 90_000)];
const accepted = { command: named, knownIds: [], acceptedServiceAt: 1_000 };
const lost = { command: named, knownIds: [] };

it.each<
  [string, Partial<Parameters<typeof classifyShownCreate>[0]>, object, boolean, object | undefined]
>([
  ['nothing', {}, accepted, true, undefined],
  ['the only one', { ours: [one] }, lost, false, { kind: 'found', live: one, isDoubtful: false }],
  ['the only one, late', { ours: [one] }, lost, true, { kind: 'found', isDoubtful: true }],
  ['the one of the acceptance', { ours: [one, two] }, accepted, false, { live: one }],
  ['one of long after it', { ours: [two] }, accepted, false, { live: two, isDoubtful: true }],
  ['several', { ours: [one, two] }, lost, true, { kind: 'ambiguous', candidates: [one, two] }],
  ['one that tells too little', { unproven: [one] }, lost, true, { kind: 'ambiguous' }],
  [
    'it beside one of another time',
    { ours: [one], doubtful: [two] },
    accepted,
    true,
    { live: one },
  ],
  ['one of another time, too early to say', { doubtful: [two] }, accepted, false, undefined],
  ['one of another time, in the end', { doubtful: [one] }, accepted, true, { live: one }],
  [
    'one of another time and without a name',
    { doubtful: [one] },
    { ...accepted, command: nameless },
    true,
    { kind: 'ambiguous' },
  ],
])('a create that shows as %s', (_what, recognised, attempt, isFinal, expected) => {
  const all = { ours: [], unproven: [], doubtful: [], ...recognised };
  const shown = classifyShownCreate(all, attempt as typeof accepted, isFinal);
  if (expected === undefined) expect(shown).toBeUndefined();
  else expect(shown).toMatchObject(expected);
});

it.each<[string, Partial<UnseenCreate>, ReturnType<typeof classifyUnseenCreate>]>([
  ['was accepted is never sent again', { isAccepted: true }, 'hidden'],
  [
    'was accepted has made nothing else',
    { isAccepted: true, alike: [one], rivals: [two] },
    'hidden',
  ],
  ['may have been renamed', { alike: [one], rivals: [two], hasTrace: true }, 'perhaps'],
  ['finds its place taken', { rivals: [two], hasTrace: true }, 'taken'],
  ['has left a trace', { hasTrace: true }, 'hidden'],
  ['has left nothing', {}, 'gone'],
])('an unseen create that %s', (_what, known, expected) => {
  const nothing = { isAccepted: false, alike: [], rivals: [], hasTrace: false };
  expect(classifyUnseenCreate({ ...nothing, ...known })).toBe(expected);
});
