// The pages of the server: markup that is whole when it comes, and one small script. They show and do what the interface
// does, for whoever has signed in; the interface decides what that is.
import type { Context, Hono } from 'hono';
import { RunFault } from '../errors/run-fault.ts';
import { explainUnansweredRequest } from '../api/refuse-method.ts';
import { ApiProblemError } from '../errors/problem.ts';
import type { ApiRequestContext, ApiDependencies } from '../api/api-means.ts';
import * as accounts from './account-pages.ts';
import * as forms from './acting-forms.ts';
import * as connections from './connection-pages.ts';
import * as messages from './message-pages.ts';
import * as owners from './owner-forms.ts';
import * as people from './people-pages.ts';
import * as policies from './policy-pages.ts';
import * as variables from './variable-set-pages.ts';
import { answerWithPage, redirectToPage } from './answer-page.ts';
import { ApiRefusal } from './page-api.ts';
import { WebPageRequestFault, readWebPageRequest, type WebPageRequest } from './page-request.ts';
import { renderFaultPage } from './pages/sign-in-page.ts';
import { answerWithAsset } from './parts/assets.ts';
import * as pages from './reading-pages.ts';
import { openSignInService } from './sign-in.ts';

type Handler = (request: WebPageRequest) => Response | Promise<Response>;

/** Adds the pages for browsers to the server's routes. */
export function addWebPageRoutes(app: Hono<ApiRequestContext>, means: ApiDependencies): void {
  const signIn = openSignInService(means);
  const guard = (handler: Handler) => async (context: Context<ApiRequestContext>) =>
    answerFaults(means, async () => {
      const request = await readWebPageRequest(app, means, context);
      return request ? handler(request) : sendToSignIn(context);
    });
  app.get('/assets/:name', ({ req }) => answerWithAsset(req.param('name')) ?? answerNothing());
  app.get('/sign-in', (context) => signIn.show(context));
  app.get('/sign-in/oidc', (context) => answerFaults(means, () => signIn.beginOidc(context)));
  app.get('/sign-in/callback', (context) => answerFaults(means, () => signIn.finishOidc(context)));
  app.post('/sign-in', (context) => answerFaults(means, () => signIn.enter(context)));
  for (const [path, handler] of listPages()) app.get(path, guard(handler));
  const acts: readonly (readonly [string, Handler])[] = [
    ...listForms(),
    ['/sign-out', (request) => signIn.leave(request)],
    ['/sign-out-everywhere', (request) => signIn.leaveEverywhere(request)],
  ];
  for (const [path, handler] of acts) app.post(path, guard(handler));
  app.notFound((context) => {
    const fault = explainUnansweredRequest(app, context);
    const isBrowser = context.req.header('accept')?.includes('text/html') === true;
    return isBrowser ? answerNothing(fault) : fault.toResponse();
  });
}

function listPages(): readonly (readonly [string, Handler])[] {
  return [
    ['/', pages.showOverviewPage],
    ['/new-workspace', (request) => pages.showNewWorkspacePage(request)],
    ['/workspaces/:name', (request) => pages.showWorkspacePage(request)],
    ['/workspaces/:name/edit', (request) => pages.showWorkspaceEditPage(request)],
    ['/runs/:id', (request) => pages.showRunPage(request)],
    ['/runs/:id/report', pages.showPlanReportPage],
    ['/connections', (request) => connections.showConnectionsPage(request)],
    ['/accounts', (request) => accounts.showAccountsPage(request)],
    ['/settings', (request) => pages.showSettingsPage(request)],
    ['/audit', pages.showAuditPage],
    ['/messages', (request) => messages.showMessagesPage(request)],
    ['/policies', (request) => policies.showPoliciesPage(request)],
    ['/variables', (request) => variables.showVariableSetsPage(request)],
    ['/people', (request) => people.showPeoplePage(request)],
    ['/people/:member', (request) => people.showMemberPage(request)],
  ];
}

function listForms(): readonly (readonly [string, Handler])[] {
  return [
    ['/workspaces', forms.handleCreateWorkspaceForm],
    ['/workspaces/:name/edit', forms.handleEditWorkspaceForm],
    ['/workspaces/:name/pause', owners.handlePauseWorkspaceForm],
    ['/workspaces/:name/lock', owners.handleLockWorkspaceForm],
    ['/workspaces/:name/unlock', owners.handleUnlockWorkspaceForm],
    ['/workspaces/:name/remove', owners.handleRemoveWorkspaceForm],
    ['/workspaces/:name/runs', forms.handleStartRunForm],
    ['/connections', connections.handleCreateConnectionForm],
    ['/connections/:name/secrets', connections.handleChangeConnectionForm],
    ['/connections/:name/webhook-secret', connections.handleReplaceWebhookSecretForm],
    ['/connections/:name/remove', connections.handleRemoveConnectionForm],
    ['/message-targets', messages.handleCreateMessageTargetForm],
    ['/message-targets/:name/test', messages.handleTestMessageTargetForm],
    ['/message-targets/:name/remove', messages.handleRemoveMessageTargetForm],
    ['/messages/:message/again', messages.handleResendMessageForm],
    ['/policies', policies.handleSavePoliciesForm],
    ['/policies/:name/remove', policies.handleRemovePoliciesForm],
    ['/variables', variables.handleSaveVariableSetForm],
    ['/variables/:name/remove', variables.handleRemoveVariableSetForm],
    ['/runs/:id/apply', forms.handleApplyRunForm],
    ['/runs/:id/approvals', forms.handlePlanDecisionForm],
    ['/runs/:id/cancel', forms.handleCancelRunForm],
    ['/runs/:id/retry', forms.handleRetryRunForm],
    ['/accounts/:accountId', accounts.handleAccountEditForm],
    ['/server/hold', forms.handleHoldServerForm],
    ['/server/release', forms.handleReleaseServerForm],
    ['/tokens', people.handleCreateTokenForm],
    ['/groups', people.handleCreateGroupForm],
    ['/people', people.handleCreatePersonForm],
    ['/people/:member', people.handleEditMemberForm],
    ['/people/:member/remove', people.handleRemoveMemberForm],
  ];
}

/** Whoever wanted to look at a page comes back to it; a form is not repeated. */
function sendToSignIn({ req }: Context<ApiRequestContext>): Response {
  const { pathname, search } = new URL(req.url);
  const place = req.method === 'GET' ? `${pathname}${search}` : '/';
  return redirectToPage(place === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(place)}`);
}

/** Errors as pages; unexpected ones are in the log of the server. */
async function answerFaults(
  { warn }: ApiDependencies,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebPageRequestFault)
      return answerFault(error.status, error.title, error.message);
    if (error instanceof ApiProblemError)
      return answerFault(error.status, error.message, error.detail ?? '');
    if (error instanceof RunFault) return answerFault(409, 'This cannot be done', error.message);
    if (error instanceof ApiRefusal && error.status < 500)
      return answerFault(error.status, error.message, error.detail ?? '');
    warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return answerFault(500, 'The server failed', 'The log of the server says more.');
  }
}

function answerNothing(fault?: ApiProblemError): Response {
  const status = fault?.status ?? 404;
  const answer = answerFault(status, 'No such page', 'The address may be incomplete.');
  for (const [name, value] of Object.entries(fault?.headers ?? {})) answer.headers.set(name, value);
  return answer;
}

function answerFault(status: number, title: string, detail: string): Response {
  return answerWithPage({ title, content: renderFaultPage(title, detail) }, status);
}
