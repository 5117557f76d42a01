import type { ShownRun } from '../../api/show-run.ts';
import { html, type Html } from '../../../model/text/html.ts';
import { renderPageTable } from '../parts/elements.ts';
import {
  nameRun,
  shortCommit,
  showAge,
  showDuration,
  showRunStatus,
  sumUpChanges,
  sumUpDrift,
} from '../parts/words.ts';

const heads = ['Run', 'Status', 'Result', 'Commit', 'Reason', 'When', 'Took'];

/** Renders runs of a workspace, the newest first. */
export function renderRunRows(runs: readonly ShownRun[], now: number): Html {
  const rows = runs.map((run) => {
    const { id, commit, status, reason, createdAt, startedAt, endedAt } = run;
    return html`<tr>
      <th scope="row"><a href="/runs/${id}">${nameRun(run)}</a></th>
      <td>${showRunStatus(status)}</td>
      <td>${describeResult(run)}</td>
      <td><code title="${commit}">${shortCommit(commit)}</code></td>
      <td class="reason">${reason}</td>
      <td>${showAge(createdAt, now)}</td>
      <td class="took">${startedAt !== undefined && showDuration(startedAt, endedAt, now)}</td>
    </tr>`;
  });
  return renderPageTable('rows runs', heads, rows);
}

/** Describes the result of a run in a few words. */
export function describeResult({ operation, hasChanges, changes }: ShownRun): string {
  if (operation === 'drift' && hasChanges !== undefined)
    return hasChanges ? `drift found${changes ? `: ${sumUpDrift(changes)}` : ''}` : 'no drift';
  return changes ? sumUpChanges(changes) : '';
}
