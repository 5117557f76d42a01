// What is decided about pull requests, and written to them.
import { describe, expect, it } from 'vitest';
import { GitHostFault } from '../../../../src/server/hosts/host-fault.ts';
import { explainUnappliedMerge } from '../../../../src/server/pulls/decide-merges.ts';
import { sumUpHeadStatus } from '../../../../src/server/pulls/deliver-summary.ts';
import { listTouchedWorkspaces } from '../../../../src/server/pulls/list-touched.ts';
import { findRetryDelay } from '../../../../src/server/hosts/retry-delay.ts';
import { writePullReport, type ReportedRun } from '../../../../src/server/pulls/write-report.ts';
import type { ComparedPlan } from '../../../../src/server/runs/compare-changes.ts';
import { RunFault } from '../../../../src/server/errors/run-fault.ts';
import type { HeadPlan } from '../../../../src/server/store/heads.ts';
import type { PlannedChange, RunStatus } from '../../../../src/server/store/run.ts';

const change = (action: string, address = 'a'): PlannedChange => ({ address, action });

/** A plan with what a person approves of it: its changes, and its output. */
function planOf(changes: readonly PlannedChange[], output = '1', digest = 'v'): ComparedPlan {
  const parts = changes.map(({ address, action }) => {
    return { kind: 'change', name: address, content: action + digest } as const;
  });
  return { changes, approved: [...parts, { kind: 'output', name: 'ip', content: output }] };
}

describe('the summary of a head', () => {
  const plan = (workspace: string, status: RunStatus | undefined, isPaused = false): HeadPlan => ({
    ...{ workspace, status, isPaused, run: status && 'r' },
  });
  it.each([
    [[], 'success', 'no workspace is touched'],
    [[plan('a', 'succeeded'), plan('b', 'succeeded')], 'success', 'Planned: a, b'],
    [[plan('a', 'succeeded'), plan('b', undefined)], 'pending', 'Plans wait: b'],
    [[plan('a', 'running'), plan('b', 'cancelled')], 'failure', 'Not planned: b'],
    [[plan('a', 'queued'), plan('b', undefined, true)], 'pending', 'Paused: b'],
    [[plan('a', 'succeeded', true)], 'success', 'Planned: a'],
  ])('of %j is %s', (plans, state, description) => {
    expect(sumUpHeadStatus(plans)).toEqual({ state, description });
  });
});

describe('the plan of a merge', () => {
  const finding = { kind: 'finding', name: 'warning [c]: s', content: '' } as const;
  const add = planOf([change('create')]);
  const more = { ...add, approved: [...(add.approved ?? []), finding] };

  it.each<[string, ComparedPlan, ComparedPlan | undefined, Record<string, number>, boolean]>([
    ['that adds, and nobody has seen it', add, undefined, {}, true],
    ['whose policies wait for the apply', add, add, { undecided: 1 }, false],
    ['that destroys, and nobody has seen it', planOf([change('delete')]), undefined, {}, false],
    ['that loses a disk, and nobody has seen it', add, undefined, { rebuild: 1 }, false],
    ['that forgets, and nobody has seen it', planOf([change('forget')]), undefined, {}, false],
    ['that destroys as planned', planOf([change('delete')]), planOf([change('delete')]), {}, true],
    ['that adds something else', planOf([change('create', 'b')]), add, {}, false],
    ['that adds it with other values', planOf([change('create')], '1', 'w'), add, {}, false],
    ['with another output', planOf([change('create')], '2'), add, {}, false],
    ['with a new finding', more, add, {}, false],
    ['with a finding less', add, more, {}, true],
    ['that does less', planOf([]), add, {}, false],
    ['that rebuilds what was to change', planOf([change('rebuild')]), add, {}, false],
    ['that cannot be compared', add, { changes: [], approved: undefined }, {}, false],
  ])('%s', (_what, planned, reviewed, counts, isApplied) => {
    expect(explainUnappliedMerge(planned, reviewed, counts) === undefined).toBe(isApplied);
  });

  it('that removes something waits, in words that a plan has for nothing else', () =>
    expect(explainUnappliedMerge(planOf([change('delete')]), undefined, {})).toBe(
      'it removes or replaces something, and the pull request has no plan of its last commit.',
    ));

  it('is told from that of the pull request by what differs', () =>
    expect(explainUnappliedMerge(planOf([change('create')], '2', 'w'), add, {})).toBe(
      'it differs from the plan of the pull request. a is not as in the plan of the pull request. And 1 more.',
    ));
});

it.each([
  ['shop', ['shop/main.yaml'], true],
  ['shop', ['shopping/main.yaml', 'docs/shop/main.yaml'], false],
  ['a/b', ['a/b/c/d.yaml'], true],
  ['./shop/', ['other/main.yaml', 'shop/x'], true],
  ['shop', ['shop'], true],
  ['.', ['README.md'], true],
  ['a/./b', ['README.md'], true],
  ['shop', undefined, true],
  ['shop', ['modules/vm/main.yaml'], true, ['modules/']],
  ['shop', ['README.md'], true, ['.']],
  ['shop', ['README.md'], false, ['modules']],
])(
  'a pull request touches %s by %o: %s, with %o',
  async (directory, files, isTouched, reads: string[] = []) => {
    const host = { listChangedFiles: () => Promise.resolve(files) };
    const hosted = { host, repository: 'acme/infra', pull: { number: 1 } };
    const touched = await listTouchedWorkspaces(hosted, [{ directory, reads }]);
    expect(touched.length === 1).toBe(isTouched);
  },
);

it.each([
  ['by an outage', new GitHostFault('', { status: 502 }), 1, 1_000],
  ['again', new GitHostFault('', { status: 502 }), 4, 8_000],
  ['for long', new GitHostFault('', { status: 502 }), 30, 900_000],
  ['by a limit', new GitHostFault('', { status: 429, retryAfterMs: 60_000 }), 1, 60_000],
  ['by a limit without end', new GitHostFault('', { status: 429, retryAfterMs: 1e9 }), 1, 900_000],
  ['by a token that somebody may replace', new GitHostFault('', { status: 401 }), 1, 1_000],
  ['as long as a night', new GitHostFault('', { status: 502 }), 40, undefined],
  ['since it is gone', new GitHostFault('', { status: 404 }), 1, undefined],
  ['by what the run says', new RunFault(''), 1, undefined],
])('what fails: %s is tried again after a while', (_what, error, attempts, delayMs) => {
  expect(findRetryDelay(error, attempts)).toBe(delayMs);
});

describe('a report', () => {
  const run: ReportedRun = {
    ...{ number: 5, status: 'succeeded', pull: { number: 1, head: 'c'.repeat(40) } },
    changes: [change('create'), change('create', 'b'), change('delete', 'c')],
  };
  const link = 'https://hw.example.com/runs/1';

  it('sums the plan up, and leads to it', () => {
    const { status, comment } = writePullReport(run, { body: 'The plan', link });
    expect(status).toEqual({ state: 'success', description: '2 to add, 1 to destroy' });
    expect(comment).toBe(`The plan\n\n<sub>[Run #5](${link}) of cccccccccc</sub>\n`);
  });

  it('is never longer than a comment, and shows no half of a plan', () => {
    const { comment = '' } = writePullReport(run, { body: 'x'.repeat(65_500), link });
    expect(comment).toContain('too long for a comment');
    expect(comment).not.toContain('xxx');
  });

  it('says nothing in a comment before there is something to say', () => {
    for (const status of ['queued', 'running', 'cancelled', 'superseded'] as const)
      expect(
        writePullReport({ ...run, status }, { body: undefined, link }).comment,
      ).toBeUndefined();
    const failed = writePullReport(
      { ...run, status: 'failed' },
      { body: undefined, link: undefined },
    );
    expect(failed.status.state).toBe('failure');
    expect(failed.comment).toContain('could not be made');
  });
});
