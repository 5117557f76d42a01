// Words of a run for its pull request: the status beside the commit, and the comment.
import { escapeUntrustedText, formatMarkdownInlineCode } from '../../render/format/escape.ts';
import { fenceMarkdownLines } from '../../render/markdown/diff-fence.ts';
import type { PlannedChange, StoredRun } from '../store/run.ts';
import type { PlanPreviewSummary } from '../store/previews.ts';
import type { ReplacedApprovedPlan } from '../runs/carry-approvals.ts';
import {
  ignoredDecisionReasons,
  type ApprovalDecision,
  type PlanApprovalStatus,
} from '../store/approvals.ts';
import type { ApplyWindowFit } from '../runs/run-timing.ts';
import { formatApplyDuration } from '../windows/apply-windows.ts';
import type { CommitStatus } from '../hosts/git-host.ts';

/** Content of a report to a pull request: the commit status and the comment. */
export interface PullReportContent {
  readonly status: Pick<CommitStatus, 'state' | 'description'>;
  /** Text of the comment; undefined while there is nothing to report. */
  readonly comment: string | undefined;
}

/** Fields of a run from which its report is written. */
export type ReportedRun = Pick<StoredRun, 'number' | 'status' | 'changes' | 'pull'>;

/** Most characters of a comment that GitHub accepts. */
const maxCharacters = 65_536;

const words: Readonly<Record<string, string>> = {
  create: 'add',
  update: 'change',
  delete: 'destroy',
};

/** Words for what becomes of a plan that has not ended. */
const endWords: Readonly<Partial<Record<StoredRun['status'], string>>> = {
  queued: 'waits for its turn',
  running: 'is being made',
};

/** Parts of a report beside the run itself. */
interface ReportParts {
  /** Markdown that the run itself has written about its plan. */
  readonly body: string | undefined;
  /** Link to the run's page; undefined where the server has no public address. */
  readonly link: string | undefined;
  /** First paragraph of the comment: the result of the merge. */
  readonly lead?: string | undefined;
  /** The answer to whether the apply fits the windows of its workspace; left out where it has none. */
  readonly fit?: ApplyWindowFit;
  /** The preview that is shown while there is no plan; left out where there is none. */
  readonly preview?: WrittenPreview | undefined;
}

/** Preview of a plan, with what it has written and a link to its page. */
interface WrittenPreview
  extends Omit<PlanPreviewSummary, 'id'>, Pick<ReportParts, 'body' | 'link'> {}

/** Writes the report of a run for its pull request. */
export function writePullReport(
  run: ReportedRun,
  { body, link, lead = '', fit = {}, preview }: ReportParts,
): PullReportContent {
  const name = `Plan #${run.number}`;
  const shown = preview && writePreview(run, preview);
  switch (run.status) {
    case 'queued':
    case 'running':
      return {
        status: { state: 'pending', description: `${name} has not ended yet` },
        comment: shown,
      };
    case 'succeeded': {
      const sum = sumUp(run.changes ?? []);
      const text = body ?? `## Plan: ${sum}\n`;
      const status = { state: 'success', description: sum } as const;
      const whole = [text, ...describeFit(fit)].join('\n');
      return { status, comment: close(whole, run, { link, lead }) };
    }
    case 'failed': {
      const text = body ?? '## Plan: could not be made\n\nThe log of the run says why.\n';
      const status = { state: 'failure', description: 'The plan could not be made' } as const;
      return { status, comment: close(text, run, { link, lead }) };
    }
    case 'cancelled':
    case 'superseded':
      return {
        status: { state: 'error', description: `${name} was ${run.status}` },
        comment: shown,
      };
  }
}

/** A preview in the place of a plan that is not made, and the end of that plan. */
function writePreview(
  { number, status }: ReportedRun,
  { change, isChanging, body, link, ...preview }: WrittenPreview,
) {
  const plan = `Plan #${number} ${endWords[status] ?? `was ${status}`}.`;
  const lead =
    status === 'queued' && isChanging
      ? `${change} of this workspace is running. The plan that can be approved is made when it has ended.`
      : `made while ${change} of this workspace was running. ${plan}`;
  return close(body ?? '', preview, { link, lead: `**Preview:** ${lead}\n` });
}

/** Run of the branch that plans or applies a merge. */
export type MergeRun = Pick<StoredRun, 'operation' | 'number' | 'status' | 'hasChanges'>;

/**
 * Writes the report of a merge from its newest plan or apply. `plan` is that plan or the one that is applied, `log` the end
 * of a failed run's log.
 */
export function writeMergeReport(
  { operation, number, status, hasChanges }: MergeRun,
  {
    workspace,
    plan,
    approval,
    replaced,
    heldBack,
    held,
    fit,
    log,
    link,
  }: {
    readonly workspace: string;
    readonly plan: Pick<StoredRun, 'changes'> | undefined;
    /** Decisions of people about the plan; undefined for an apply. */
    readonly approval: PlanApprovalStatus | undefined;
    /** The plan that people had approved and that this one differs from. */
    readonly replaced: ReplacedApprovedPlan | undefined;
    readonly heldBack: string | undefined;
    /** Reason why a queued apply waits; undefined where it is under way. */
    readonly held: string | undefined;
    /** The answer to whether the apply of a plan that waits fits the windows of its workspace. */
    readonly fit: ApplyWindowFit;
    readonly log: readonly string[];
    readonly link: string | undefined;
  },
): PullReportContent {
  const sum = sumUp(plan?.changes ?? []);
  const title = `${operation === 'plan' ? 'Plan' : 'Apply'} #${number}`;
  const name = link === undefined ? title : `[${title}](${link})`;
  const type = (command: string) => formatMarkdownInlineCode(`hostwright ${command} ${workspace}`);
  const write = (
    state: CommitStatus['state'],
    description: string,
    ...lines: readonly string[]
  ): PullReportContent => ({
    status: { state, description: `${title}: ${description}` },
    comment: [`## Merged: ${description}`, '', ...lines, ''].join('\n'),
  });
  if (held !== undefined)
    return write('pending', `${operation} waits`, `${name} waits. ${escapeLine(held)}`);
  if (status === 'queued' || status === 'running')
    return write('pending', `${operation} under way`, `${name} has not ended yet.`);
  const why = heldBack === undefined ? [] : [`Not applied: ${escapeLine(heldBack)}`, ''];
  if (status === 'succeeded') {
    if (operation === 'apply') return write('success', `applied (${sum})`, `${name} has ended.`);
    if (hasChanges !== true) return write('success', 'no changes', `${name} has no changes.`);
    const said = [
      ...describeFit(fit),
      ...describeApprovals(approval),
      ...describeReplaced(replaced),
    ];
    if (approval?.state === 'waiting') {
      const next = `${name} waits for approvals. To say yes, comment ${type('approve')}.`;
      return write('pending', `waits for approvals (${sum})`, ...why, next, ...said);
    }
    if (approval?.state === 'rejected')
      return write('pending', `rejected (${sum})`, ...why, `${name} is not applied.`, ...said);
    const next = `${name} waits. To apply it, comment ${type('apply')}.`;
    return write('pending', `waits to be applied (${sum})`, ...why, next, ...said);
  }
  const lines =
    log.length === 0 ? [] : ['', ...fenceMarkdownLines(log.map(escapeUntrustedText), 'text')];
  const again = `To plan the merge again, comment ${type('plan')}, then ${type('apply')}.`;
  const partly = operation === 'apply' ? ' Parts of it may have been applied.' : '';
  const end = `${name} ended as ${status}.${partly} ${again}`;
  return write('failure', `${operation} ${status}`, ...why, end, ...lines);
}

/** When the apply of a plan may run, as one paragraph with an empty line before it: nothing for a workspace without windows. */
function describeFit({ expectedMs, fits }: ApplyWindowFit): readonly string[] {
  if (fits === undefined) return [];
  const takes =
    expectedMs === undefined ? '' : `The apply takes about ${formatApplyDuration(expectedMs)}. `;
  return ['', escapeLine(`Windows, when this was written: ${takes}${fits}`)];
}

/** Who has said what of a plan, as one paragraph with an empty line before it. */
function describeApprovals(approval: PlanApprovalStatus | undefined): readonly string[] {
  const decided = approval?.decisions ?? [];
  const policies = approval?.policies ?? [];
  if (!approval || (decided.length === 0 && policies.length === 0)) return [];
  const asked =
    policies.length === 0 ? '' : escapeLine(`, as the policy ${policies.join(', ')} asks`);
  const tell = ({ name, carriedFrom, ignored, review }: ApprovalDecision) => {
    const by = review ? ` (review of #${review.pull} at ${review.connection})` : '';
    const of = carriedFrom ? ` (plan #${carriedFrom.number}, the same)` : '';
    const why = ignored ? `, which does not count: ${ignoredDecisionReasons[ignored]}` : '';
    return escapeLine(`${name}${by}${of}${why}`);
  };
  const list = (verb: string, wanted: ApprovalDecision['decision']) => {
    const own = decided.filter(({ decision }) => decision === wanted).map(tell);
    return own.length === 0 ? [] : [`${verb} by ${own.join('; ')}.`];
  };
  const count =
    approval.needed > 0 ? [`${approval.given} of ${approval.needed} approvals${asked}.`] : [];
  return ['', [...count, ...list('Approved', 'yes'), ...list('Rejected', 'no')].join(' ')];
}

/** The most differences to an approved plan that a comment has. */
const mostDifferences = 30;

/** Parts that the approved plan did not have: only these are to be read anew. */
function describeReplaced(replaced: ReplacedApprovedPlan | undefined): readonly string[] {
  if (!replaced) return [];
  const { number, approvedBy, differences } = replaced;
  const shown = differences.slice(0, mostDifferences).map(escapeUntrustedText);
  const rest = differences.length - shown.length;
  const lines = rest > 0 ? [...shown, `and ${rest} more`] : shown;
  const who = approvedBy.join(', ');
  return [
    '',
    escapeLine(
      `${who} approved plan #${number}. This plan differs from it, so approvals begin anew:`,
    ),
    '',
    ...fenceMarkdownLines(lines, 'text'),
  ];
}

/** A text of the server with what people named, as one paragraph of Markdown. */
function escapeLine(text: string): string {
  return escapeUntrustedText(text).replaceAll(/[\\`*_[\]<>#|~@]/g, String.raw`\$&`);
}

/** Writes the report of a pull request from a fork, which waits for somebody to allow its plan. */
export function writeForkReport(workspace: string, head: string): PullReportContent {
  const command = formatMarkdownInlineCode(`hostwright plan ${workspace} ${head}`);
  return {
    status: { state: 'pending', description: 'The plan of a fork waits to be allowed' },
    comment: [
      '## Plan: waits to be allowed',
      '',
      'This pull request is from a fork, so that it is not planned by itself: a plan reads the account.',
      `Somebody with the permission to write reads the changes, and then comments: ${command}`,
      '',
    ].join('\n'),
  };
}

/** Writes the report of a pull request that touches the workspace no longer. */
export function writeUntouchedReport(head: string, lead = ''): PullReportContent {
  const commit = formatMarkdownInlineCode(head.slice(0, 10));
  const text = `## Plan: no longer touched\n\n${commit} changes nothing of this workspace any more. Its earlier plan is void.\n`;
  return {
    status: { state: 'success', description: 'No longer touched' },
    comment: lead === '' ? text : `${lead}\n${text}`,
  };
}

/** Sums up a plan's changes: `2 to add, 1 to destroy`. */
function sumUp(changes: readonly PlannedChange[]): string {
  const tally = new Map<string, number>();
  for (const { action } of changes) tally.set(action, (tally.get(action) ?? 0) + 1);
  const parts = [...tally].map(([action, amount]) => `${amount} to ${words[action] ?? action}`);
  return parts.length === 0 ? 'No changes' : parts.join(', ');
}

/**
 * Ends a comment with a line about its run. A report too long for a comment is left out as a whole: half a plan would
 * mislead.
 */
function close(
  text: string,
  { number, pull }: Pick<ReportedRun, 'number' | 'pull'>,
  { link, lead }: Required<Pick<ReportParts, 'link' | 'lead'>>,
): string {
  const name = link === undefined ? `Run #${number}` : `[Run #${number}](${link})`;
  const closing = `\n\n<sub>${name} of ${pull?.head.slice(0, 10) ?? ''}</sub>\n`;
  const first = lead === undefined || lead === '' ? '' : `${lead}\n`;
  const whole = `${first}${text}${closing}`;
  // The hidden marker of the comment needs room, too.
  if (whole.length <= maxCharacters - 200) return whole;
  return `${first}## Plan: too long for a comment\n\nThe page of the run shows it.\n${closing}`;
}
