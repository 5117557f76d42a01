// The page of the messages, and what its forms do. The secret of a webhook is in the answer to the form that made it, and in
// no other: so that answer is a page, and no redirect.
import type { ShownMessage, ShownTarget } from '../api/message-routes.ts';
import { answerForm, answerViewer } from './answer-page.ts';
import { readNames, type PageRequest } from './page-request.ts';
import { renderMessages, type TargetFields } from './pages/messages-page.ts';

const place = '/messages';
const noFields: TargetFields = { name: '', kind: 'webhook', workspaces: '', events: undefined };

interface Shown {
  readonly fields?: TargetFields;
  readonly fault?: string;
  readonly made?: ShownTarget;
}

/** Shows the page `/messages`. */
export async function showMessages(
  request: PageRequest,
  { fields = noFields, fault, made }: Shown = {},
): Promise<Response> {
  const { api, formToken, now } = request;
  const [{ targets }, { messages }] = await Promise.all([
    api.get<{ targets: readonly ShownTarget[] }>('/api/v1/message-targets'),
    api.get<{ messages: readonly ShownMessage[] }>('/api/v1/messages'),
  ]);
  const content = renderMessages({ targets, messages, fields, fault, made, formToken, now });
  return answerViewer(request, { title: 'Messages', place, content }, fault);
}

/** Handles the form that adds a message target. */
export async function createTarget(request: PageRequest): Promise<Response> {
  const { api, form } = request;
  const read = (name: string) => (form.get(name) ?? '').trim();
  const events = form.getAll('events');
  const fields = { name: read('name'), kind: read('kind'), workspaces: read('workspaces'), events };
  const workspaces = readNames(form, 'workspaces');
  const body = {
    name: fields.name,
    kind: fields.kind,
    address: read('address'),
    events,
    ...(workspaces.length > 0 && { workspaces }),
  };
  return answerForm(
    async () => {
      const made = await api.send<ShownTarget>('POST', '/api/v1/message-targets', body);
      return showMessages(request, { made });
    },
    (fault) => showMessages(request, { fields, fault }),
  );
}

/** Handles the form that sends a test message. */
export async function testTarget(request: PageRequest): Promise<Response> {
  return act(request, 'POST', `${pathOf(request)}/test`);
}

/** Handles the form that removes a message target. */
export async function removeTarget(request: PageRequest): Promise<Response> {
  return act(request, 'DELETE', pathOf(request));
}

/** Handles the form that sends a failed message again. */
export async function sendAgain(request: PageRequest): Promise<Response> {
  const id = encodeURIComponent(request.param('message'));
  return act(request, 'POST', `/api/v1/messages/${id}/send-again`);
}

async function act(
  request: PageRequest,
  method: 'POST' | 'DELETE',
  path: string,
): Promise<Response> {
  return answerForm(
    async () => {
      await request.api.send(method, path);
      return place;
    },
    (fault) => showMessages(request, { fault }),
  );
}

function pathOf({ param }: PageRequest): string {
  return `/api/v1/message-targets/${encodeURIComponent(param('name'))}`;
}
