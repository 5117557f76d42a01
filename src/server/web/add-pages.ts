// The pages of the server: markup that is whole when it comes, and one small script. They show and do what the interface
// does, for whoever has signed in; the interface decides what that is.
import type { Context, Hono } from 'hono';
import { RunFault } from '../errors/run-fault.ts';
import { explainUnanswered } from '../api/refuse-method.ts';
import { Problem } from '../errors/problem.ts';
import type { ApiEnvironment, ApiMeans } from '../api/api-means.ts';
import * as accounts from './account-pages.ts';
import * as forms from './acting-forms.ts';
import * as connections from './connection-pages.ts';
import * as messages from './message-pages.ts';
import * as owners from './owner-forms.ts';
import * as people from './people-pages.ts';
import { answerPage, redirect } from './answer-page.ts';
import { ApiRefusal } from './page-api.ts';
import { PageFault, readPageRequest, type PageRequest } from './page-request.ts';
import { renderFault } from './pages/sign-in-page.ts';
import { answerAsset } from './parts/assets.ts';
import * as pages from './reading-pages.ts';
import { openSignIn } from './sign-in.ts';

type Handler = (request: PageRequest) => Response | Promise<Response>;

/** Adds the pages for browsers to the server's routes. */
export function addPages(app: Hono<ApiEnvironment>, means: ApiMeans): void {
  const signIn = openSignIn(means);
  const guard = (handler: Handler) => async (context: Context<ApiEnvironment>) =>
    answerFaults(means, async () => {
      const request = await readPageRequest(app, means, context);
      return request ? handler(request) : sendToSignIn(context);
    });
  app.get('/assets/:name', ({ req }) => answerAsset(req.param('name')) ?? answerNothing());
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
    const fault = explainUnanswered(app, context);
    const isBrowser = context.req.header('accept')?.includes('text/html') === true;
    return isBrowser ? answerNothing(fault) : fault.toResponse();
  });
}

function listPages(): readonly (readonly [string, Handler])[] {
  return [
    ['/', pages.showOverview],
    ['/new-workspace', (request) => pages.showNewWorkspace(request)],
    ['/workspaces/:name', (request) => pages.showWorkspacePage(request)],
    ['/workspaces/:name/edit', (request) => pages.showWorkspaceEdit(request)],
    ['/runs/:id', (request) => pages.showRunPage(request)],
    ['/runs/:id/report', pages.showReport],
    ['/connections', (request) => connections.showConnections(request)],
    ['/accounts', (request) => accounts.showAccounts(request)],
    ['/settings', (request) => pages.showSettings(request)],
    ['/audit', pages.showAudit],
    ['/messages', (request) => messages.showMessages(request)],
    ['/people', (request) => people.showPeople(request)],
    ['/people/:member', (request) => people.showMember(request)],
  ];
}

function listForms(): readonly (readonly [string, Handler])[] {
  return [
    ['/workspaces', forms.createWorkspace],
    ['/workspaces/:name/edit', forms.editWorkspace],
    ['/workspaces/:name/pause', owners.pauseWorkspace],
    ['/workspaces/:name/lock', owners.lockWorkspace],
    ['/workspaces/:name/unlock', owners.unlockWorkspace],
    ['/workspaces/:name/remove', owners.removeWorkspace],
    ['/workspaces/:name/runs', forms.startRun],
    ['/connections', connections.createConnection],
    ['/connections/:name/secrets', connections.changeConnection],
    ['/connections/:name/webhook-secret', connections.replaceWebhookSecret],
    ['/connections/:name/remove', connections.removeConnection],
    ['/message-targets', messages.createTarget],
    ['/message-targets/:name/test', messages.testTarget],
    ['/message-targets/:name/remove', messages.removeTarget],
    ['/messages/:message/again', messages.sendAgain],
    ['/runs/:id/apply', forms.applyRun],
    ['/runs/:id/approvals', forms.decideOnRun],
    ['/runs/:id/cancel', forms.postCancelRun],
    ['/runs/:id/retry', forms.postRetryRun],
    ['/accounts/:accountId', accounts.editAccount],
    ['/server/hold', forms.holdServer],
    ['/server/release', forms.releaseServer],
    ['/tokens', people.postNewToken],
    ['/people', people.createPerson],
    ['/people/:member', people.editMember],
    ['/people/:member/remove', people.removeMember],
  ];
}

/** Whoever wanted to look at a page comes back to it; a form is not repeated. */
function sendToSignIn({ req }: Context<ApiEnvironment>): Response {
  const { pathname, search } = new URL(req.url);
  const place = req.method === 'GET' ? `${pathname}${search}` : '/';
  return redirect(place === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(place)}`);
}

/** Errors as pages; unexpected ones are in the log of the server. */
async function answerFaults({ warn }: ApiMeans, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PageFault) return answerFault(error.status, error.title, error.message);
    if (error instanceof Problem)
      return answerFault(error.status, error.message, error.detail ?? '');
    if (error instanceof RunFault) return answerFault(409, 'This cannot be done', error.message);
    if (error instanceof ApiRefusal && error.status < 500)
      return answerFault(error.status, error.message, error.detail ?? '');
    warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return answerFault(500, 'The server failed', 'The log of the server says more.');
  }
}

function answerNothing(fault?: Problem): Response {
  const status = fault?.status ?? 404;
  const answer = answerFault(status, 'No such page', 'The address may be incomplete.');
  for (const [name, value] of Object.entries(fault?.headers ?? {})) answer.headers.set(name, value);
  return answer;
}

function answerFault(status: number, title: string, detail: string): Response {
  return answerPage({ title, content: renderFault(title, detail) }, status);
}
