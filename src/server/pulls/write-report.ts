// Words of a run for its pull request: the status beside the commit, and the comment.
import { inlineCode } from '../../render/format/escape.ts';
import type { PlannedChange, Run } from '../store/run.ts';
import type { CommitStatus } from '../hosts/git-host.ts';

/** Status and comment of a run. */
export interface WrittenReport {
  readonly status: Pick<CommitStatus, 'state' | 'description'>;
  /** Undefined while there is nothing to say yet. */
  readonly comment: string | undefined;
}

/** The fields of a run that its report is written from. */
export type ReportedRun = Pick<Run, 'number' | 'status' | 'changes' | 'pull'>;

/** The most characters that a comment may have at GitHub. */
const maxCharacters = 65_536;

const words: Readonly<Record<string, string>> = {
  ...{ create: 'add', update: 'change', delete: 'destroy' },
};

/** Writes the report of a run. `body` is the run's own text, `link` leads to its page. */
export function writeReport(
  run: ReportedRun,
  { body, link }: { readonly body: string | undefined; readonly link: string | undefined },
): WrittenReport {
  const name = `Plan #${run.number}`;
  switch (run.status) {
    case 'queued':
    case 'running':
      return {
        status: { state: 'pending', description: `${name} has not ended yet` },
        comment: undefined,
      };
    case 'succeeded': {
      const sum = sumUp(run.changes ?? []);
      const text = body ?? `## Plan: ${sum}\n`;
      const status = { state: 'success', description: sum } as const;
      return { status, comment: close(text, run, link) };
    }
    case 'failed': {
      const text = body ?? '## Plan: could not be made\n\nThe log of the run says why.\n';
      const status = { state: 'failure', description: 'The plan could not be made' } as const;
      return { status, comment: close(text, run, link) };
    }
    case 'cancelled':
    case 'superseded':
      return {
        status: { state: 'error', description: `${name} was ${run.status}` },
        comment: undefined,
      };
  }
}

/** Writes the report of a pull request from a fork, which waits for somebody to allow its plan. */
export function writeForkReport(workspace: string, head: string): WrittenReport {
  const command = inlineCode(`hostwright plan ${workspace} ${head}`);
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

/** `2 to add, 1 to destroy` */
function sumUp(changes: readonly PlannedChange[]): string {
  const tally = new Map<string, number>();
  for (const { action } of changes) tally.set(action, (tally.get(action) ?? 0) + 1);
  const parts = [...tally].map(([action, amount]) => `${amount} to ${words[action] ?? action}`);
  return parts.length === 0 ? 'No changes' : parts.join(', ');
}

/** Which run said it. What a comment cannot hold is left out as a whole: half a plan would mislead. */
function close(text: string, { number, pull }: ReportedRun, link: string | undefined): string {
  const name = link === undefined ? `Run #${number}` : `[Run #${number}](${link})`;
  const closing = `\n\n<sub>${name} of ${pull?.head.slice(0, 10) ?? ''}</sub>\n`;
  const whole = `${text}${closing}`;
  // The marker needs room, too.
  if (whole.length <= maxCharacters - 200) return whole;
  return `## Plan: too long for a comment\n\nThe page of the run shows it.\n${closing}`;
}
