// Parts of the page of a workspace for its owners: pause, lock and deletion.
import type { WorkspaceJson } from '../../api/show-run.ts';
import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import { renderCheckbox, renderForm, renderTextField } from '../parts/elements.ts';
import { renderTimeAgo } from '../parts/words.ts';

/** Renders the button that pauses or resumes a workspace. */
export function renderPauseButton({ name, paused }: WorkspaceJson, formToken: string): SafeHtml {
  const button = html`<button name="paused" value="${String(!paused)}">${paused ? 'Resume' : 'Pause'}</button>`;
  return renderForm(`/workspaces/${name}/pause`, formToken, button);
}

/** Renders the notice that a workspace is locked or paused; nothing where it is neither. */
export function renderWorkspaceLock({
  workspace: { name, paused, lock, roles = [] },
  formToken,
  now,
}: {
  readonly workspace: WorkspaceJson;
  readonly formToken: string;
  readonly now: number;
}): SafeHtml {
  const unlock = renderForm(
    `/workspaces/${name}/unlock`,
    formToken,
    html`<button class="primary">Unlock</button>`,
  );
  return html`${paused && html`<p class="callout warn"><b>Paused:</b> the server starts nothing for this workspace by itself. You can.</p>`}
    ${lock && html`<div class="callout warn"><p><b>Locked by ${lock.by} ${renderTimeAgo(lock.since, now)}:</b> ${lock.reason} Nothing applies or destroys it.</p>${roles.includes('apply') && unlock}</div>`}`;
}

/** Renders the forms that lock and delete a workspace, for viewers with the role to do so. */
export function renderLockAndDeleteForms(workspace: WorkspaceJson, formToken: string): SafeHtml {
  const { name, lock, roles = [] } = workspace;
  const reason = renderTextField({
    name: 'reason',
    label: 'Reason',
    isRequired: true,
    maxLength: 500,
    hint: 'Everybody sees it. Applies and destroys wait until somebody unlocks the workspace.',
  });
  const content = html`${reason}<button class="danger">Lock</button>`;
  const locking = html`<details class="danger-zone">
    <summary>Lock this workspace</summary>
    ${renderForm(`/workspaces/${name}/lock`, formToken, content)}
  </details>`;
  return html`${roles.includes('apply') && !lock && locking}
    ${roles.includes('admin') ? renderDeletion(workspace, formToken) : emptyHtml}`;
}

function renderDeletion({ name, status }: WorkspaceJson, formToken: string): SafeHtml {
  const isEmpty = status === 'destroyed' || status === 'neverPlanned';
  const leave = renderCheckbox(
    'leaveAccount',
    'Leave what it manages in the account, where no workspace manages it any more',
    false,
  );
  const content = html`<p>Its runs, logs and plans are deleted with it.${!isEmpty && ' Destroy its resources first, or leave them.'}</p>
    ${!isEmpty && leave}
    <label for="confirm-deletion">To delete the workspace, type its name: <code>${name}</code></label>
    <div class="line">
      <input id="confirm-deletion" name="confirm" autocomplete="off" spellcheck="false" required pattern="${name}"><button class="danger">Delete the workspace</button>
    </div>`;
  return html`<details class="danger-zone">
    <summary>Delete this workspace</summary>
    ${renderForm(`/workspaces/${name}/remove`, formToken, content)}
  </details>`;
}
