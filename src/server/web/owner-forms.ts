// Forms of owners: pause, lock and deletion of a workspace.
import { answerFormPost } from './answer-page.ts';
import type { WebPageRequest } from './page-request.ts';
import { findRequestedWorkspace, showWorkspacePage } from './reading-pages.ts';

/** Handles the form that pauses or resumes a workspace. */
export async function handlePauseWorkspaceForm(request: WebPageRequest): Promise<Response> {
  const body = { paused: request.form.get('paused') === 'true' };
  return act(request, (path) => request.api.send('PATCH', path, body));
}

/** Handles the form that locks a workspace. */
export async function handleLockWorkspaceForm(request: WebPageRequest): Promise<Response> {
  const body = { reason: (request.form.get('reason') ?? '').trim() };
  return act(request, (path) => request.api.send('PUT', `${path}/lock`, body));
}

/** Handles the form that unlocks a workspace. */
export async function handleUnlockWorkspaceForm(request: WebPageRequest): Promise<Response> {
  return act(request, (path) => request.api.send('DELETE', `${path}/lock`));
}

/** Handles the form that deletes a workspace after its name was typed again. */
export async function handleRemoveWorkspaceForm(request: WebPageRequest): Promise<Response> {
  const query = new URLSearchParams({
    confirm: request.form.get('confirm') ?? '',
    leaveAccount: String(request.form.has('leaveAccount')),
  });
  const remove = (path: string) => request.api.send('DELETE', `${path}?${query.toString()}`);
  return act(request, remove, () => '/');
}

async function act(
  request: WebPageRequest,
  work: (path: string) => Promise<unknown>,
  next = (name: string) => `/workspaces/${name}`,
): Promise<Response> {
  const { name } = await findRequestedWorkspace(request);
  return answerFormPost(
    async () => {
      await work(`/api/v1/workspaces/${name}`);
      return next(name);
    },
    (fault) => showWorkspacePage(request, fault),
  );
}
