// The page of the git hosts, and what its forms do. A webhook secret is in the answer to the form that made it, and in no
// other: so that answer is a page, and no redirect.
import type { ConnectionJson } from '../api/connection-routes.ts';
import { answerFormPost, answerViewerWithPage } from './answer-page.ts';
import type { WebPageRequest } from './page-request.ts';
import { renderConnectionsPage, type ConnectionFormFields } from './pages/connections-page.ts';

const place = '/connections';
const noFields: ConnectionFormFields = {
  name: '',
  kind: 'github',
  address: '',
  appId: '',
  installationId: '',
};

interface Shown {
  readonly fields?: ConnectionFormFields;
  readonly fault?: string;
  readonly made?: ConnectionJson;
}

/** Shows the page `/connections`. */
export async function showConnectionsPage(
  request: WebPageRequest,
  { fields = noFields, fault, made }: Shown = {},
): Promise<Response> {
  const { api, formToken, now, origin } = request;
  const { connections } = await api.get<{ connections: readonly ConnectionJson[] }>(
    '/api/v1/connections',
  );
  const view = { connections, fields, fault, made, formToken, now, origin };
  const content = renderConnectionsPage(view);
  return answerViewerWithPage(request, { title: 'Git hosts', place, content }, fault);
}

/** Handles the form that connects a git host. */
export async function handleCreateConnectionForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const read = (name: string) => (form.get(name) ?? '').trim();
  const fields = {
    name: read('name'),
    kind: read('kind'),
    address: read('address'),
    appId: read('appId'),
    installationId: read('installationId'),
  };
  const secrets = { token: read('token'), privateKey: read('privateKey') };
  // Browsers send empty fields too, which count as left out.
  const body = Object.fromEntries(
    Object.entries({ ...fields, ...secrets }).filter(([, value]) => value !== ''),
  );
  return answerFormPost(
    async () => {
      const made = await api.send<ConnectionJson>('POST', '/api/v1/connections', body);
      return showConnectionsPage(request, { made });
    },
    (fault) => showConnectionsPage(request, { fields, fault }),
  );
}

/** Handles the form that replaces the token or private key of a connection. */
export async function handleChangeConnectionForm(request: WebPageRequest): Promise<Response> {
  const given = [...request.form].filter(([name]) => name === 'token' || name === 'privateKey');
  const body = Object.fromEntries(given.map(([name, value]) => [name, value.trim()]));
  return act(request, () => request.api.send('PATCH', pathOf(request), body));
}

/** Handles the form that makes a new webhook secret. */
export async function handleReplaceWebhookSecretForm(request: WebPageRequest): Promise<Response> {
  return act(request, async () => {
    const made = await request.api.send<ConnectionJson>(
      'POST',
      `${pathOf(request)}/webhook-secret`,
    );
    return showConnectionsPage(request, { made });
  });
}

/** Handles the form that removes a connection. */
export async function handleRemoveConnectionForm(request: WebPageRequest): Promise<Response> {
  return act(request, () => request.api.send('DELETE', pathOf(request)));
}

/** Shows the page that the work answers with, or that of all connections. */
async function act(request: WebPageRequest, work: () => Promise<unknown>): Promise<Response> {
  return answerFormPost(
    async () => {
      const done = await work();
      return done instanceof Response ? done : place;
    },
    (fault) => showConnectionsPage(request, { fault }),
  );
}

function pathOf({ param }: WebPageRequest): string {
  return `/api/v1/connections/${encodeURIComponent(param('name'))}`;
}
