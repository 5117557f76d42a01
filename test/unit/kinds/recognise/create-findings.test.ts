import { describe, expect, it } from 'vitest';
import {
  describeAmbiguousCreate,
  describeDuplicateCreate,
  describeUnseenCreate,
  describePossiblyRenamedResource,
  describeStrayTokens,
  noteRecognisedCreate,
  noteUnsettledCreate,
  warnOfLookalike,
  warnOfPossibleDuplicateCreate,
  warnOfRenamedDuplicate,
  type RecognisedCreateReason,
} from '../../../../src/kinds/recognise/create-findings.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { PendingCreate } from '../../../../src/model/state/state.ts';
import { makeLive } from '../../../support/account.ts';

const { resources } = makeLive({
  projects: {
    'p-1': { name: 'shop', networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'Lan' } } },
  },
});
const networks = resources.filter(({ kind }) => kind === 'network');
const [lan, renamed] = networks as [(typeof networks)[0], (typeof networks)[0]];
const address = 'projects.shop.networks.lan';
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const pending: PendingCreate = {
  ...{ runId: 'run-1', task: `${address}#0`, requestId: 'req-1', address, at },
  ...{ command: { kind: 'createNetwork', project: 'p-1', name: 'lan' }, configured: [] },
  ...{ knownIds: [], count: 1 },
} as unknown as PendingCreate;
const double = { address };

describe('a resource that was recognised', () => {
  it.each<[RecognisedCreateReason | undefined, string]>([
    [undefined, 'which an earlier run was creating'],
    ['lost', 'whose create got no complete answer'],
    ['doubtful', 'though somebody else may have created it'],
  ])('is noted with what became of its create: %s', (create, words) => {
    expect(noteRecognisedCreate(address, lan, create)).toMatchObject({
      ...{ severity: 'note', code: 'create-recognised', address },
      summary: `Recognised n-1 as ${address}, ${words}`,
    });
  });
});

describe('what a person has to decide', () => {
  it.each([
    [[lan], '1 live resource could be it', 'Their ids: n-1.'],
    [[lan, renamed], '2 live resources could be it', 'Their ids: n-1, n-2.'],
  ])('which of several it is', (candidates, counted, ids) => {
    const finding = describeAmbiguousCreate(pending, candidates);
    expect(finding.summary).toContain(counted);
    expect(finding.detail).toContain(ids);
    expect(finding.detail).toContain('createNetwork asked for at 2026-01-02T03:04:05.000Z');
    expect(finding.hint).toContain(`hostwright state resolve '${address}' --id ID`);
  });

  it.each<[ResolvedCommand, string]>([
    [
      { kind: 'createAccessToken', name: 'ci' } as unknown as ResolvedCommand,
      '2 access tokens named "ci" are new since',
    ],
    [
      { kind: 'createPublicIp', project: 'p-1' } as unknown as ResolvedCommand,
      '2 access tokens named "" are new since',
    ],
  ])('whose the new tokens are', (command, summary) => {
    const finding = describeStrayTokens({ ...pending, command }, [lan, renamed]);
    expect(finding.summary).toContain(summary);
    expect(finding.hint).toContain('hostwright tokens revoke n-1; hostwright tokens revoke n-2');
  });

  it('whether what looks like it under another name is it', () => {
    const finding = describePossiblyRenamedResource(pending, [renamed]);
    expect(finding.summary).toContain('a new network looks like it under another name');
    expect(finding.detail).toContain('New since the request was sent, and alike: n-2 ("Lan").');
    expect(finding.hint).toContain(`{ to: ${address}, id: n-2 }`);
  });
});

describe('a create that was sent twice', () => {
  it('is warned of as long as nothing shows', () => {
    expect(warnOfPossibleDuplicateCreate(address)).toMatchObject({
      ...{ severity: 'warning', code: 'may-be-doubled', address },
      summary: expect.stringContaining(`${address} may be created twice`) as string,
    });
  });

  it.each([
    [{ id: 'n-9' }, [lan], `${address} was created twice: n-9 is managed, and n-1 is left over`],
    [
      undefined,
      [lan, renamed],
      `An earlier create of ${address} was sent twice, and n-1, n-2 are left over`,
    ],
  ])('names what is managed and what is left over', (bound, extra, summary) => {
    const finding = describeDuplicateCreate(double, bound, extra);
    expect(finding).toMatchObject({ severity: 'error', code: 'create-doubled', summary });
    expect(finding.detail).toContain('The network that is left over is new');
    expect(finding.hint).toContain('--remove-doubled');
  });

  it.each([
    [[renamed], 'n-2 ("Lan") is new since and looks like it'],
    [[lan, renamed], 'n-1 ("lan"), n-2 ("Lan") are new since and look like it'],
  ])('may have made what has another name by now', (alike, words) => {
    expect(warnOfRenamedDuplicate(double, alike).summary).toBe(
      `${address} may have been created twice: ${words}`,
    );
  });
});

describe('what looks the same as a recognised one', () => {
  it.each([
    [{ id: 'n-9' }, [lan], `is managed as n-9, and n-1 looks the same`, 'state rm'],
    [undefined, [lan, renamed], `was destroyed, and n-1, n-2 look the same`, 'state resolve'],
  ])('is warned of with a way out', (bound, others, words, hint) => {
    const summary = `${address} ${words}`;
    const finding = warnOfLookalike(double, bound, others);
    expect(finding).toMatchObject({ severity: 'warning', code: 'create-lookalike', summary });
    expect(finding.hint).toContain(hint);
  });
});

describe('a create whose end is not seen', () => {
  const accepted = { ...pending, acceptedAt: at + 60_000 };

  const [begun, unseen] = [`create of ${address}`, 'and the resource has not shown up'];
  const made = `The ${begun} may have made`;
  const [sent, taken] = [
    'was sent at 2026-01-02T03:04:05.000Z',
    'was accepted at 2026-01-02T03:05:05.000Z',
  ];
  it.each<[PendingCreate, string[], string, string]>([
    [pending, [], `An operation record names the ${begun}, ${unseen}`, sent],
    [accepted, [], `The service accepted the ${begun}, ${unseen}`, taken],
    [accepted, ['n-1'], `${made} n-1, and the service does not show it any more`, taken],
    [
      pending,
      ['n-1', 'n-2'],
      `${made} n-1, n-2, and the service does not show them any more`,
      sent,
    ],
  ])('is refused, with what was seen of it', (create, sighted, summary, detail) => {
    const finding = describeUnseenCreate(create, sighted);
    expect(finding).toMatchObject({ severity: 'error', code: 'create-not-seen', summary });
    expect(finding.detail).toContain(detail);
  });

  it.each<[PendingCreate, string]>([
    [pending, 'No answer to its create was seen.'],
    [accepted, 'The service accepted its create.'],
  ])('is noted by a plan, which does not wait', (create, detail) => {
    const finding = noteUnsettledCreate(create);
    expect(finding).toMatchObject({ severity: 'note', code: 'create-unsettled', address });
    expect(finding.summary).toContain('is unknown');
    expect(finding.detail).toContain(detail);
  });
});
