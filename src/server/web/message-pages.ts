// The page of the messages, and what its forms do. The secret of a webhook is in the answer to the form that made it, and in
// no other: so that answer is a page, and no redirect.
import type { GivenUpMessageJson, MessageTargetJson } from '../api/message-routes.ts';
import { answerFormPost, answerViewerWithPage } from './answer-page.ts';
import { readFormNames, type WebPageRequest } from './page-request.ts';
import { renderMessagesPage, type MessageTargetFormFields } from './pages/messages-page.ts';

const place = '/messages';
const noFields: MessageTargetFormFields = {
  name: '',
  kind: 'webhook',
  workspaces: '',
  events: undefined,
};

interface Shown {
  readonly fields?: MessageTargetFormFields;
  readonly fault?: string;
  readonly made?: MessageTargetJson;
}

/** Shows the page `/messages`. */
export async function showMessagesPage(
  request: WebPageRequest,
  { fields = noFields, fault, made }: Shown = {},
): Promise<Response> {
  const { api, formToken, now } = request;
  const [{ targets }, { messages }] = await Promise.all([
    api.get<{ targets: readonly MessageTargetJson[] }>('/api/v1/message-targets'),
    api.get<{ messages: readonly GivenUpMessageJson[] }>('/api/v1/messages'),
  ]);
  const content = renderMessagesPage({ targets, messages, fields, fault, made, formToken, now });
  return answerViewerWithPage(request, { title: 'Messages', place, content }, fault);
}

/** Handles the form that adds a message target. */
export async function handleCreateMessageTargetForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const read = (name: string) => (form.get(name) ?? '').trim();
  const events = form.getAll('events');
  const fields = { name: read('name'), kind: read('kind'), workspaces: read('workspaces'), events };
  const workspaces = readFormNames(form, 'workspaces');
  const body = {
    name: fields.name,
    kind: fields.kind,
    address: read('address'),
    events,
    ...(workspaces.length > 0 && { workspaces }),
  };
  return answerFormPost(
    async () => {
      const made = await api.send<MessageTargetJson>('POST', '/api/v1/message-targets', body);
      return showMessagesPage(request, { made });
    },
    (fault) => showMessagesPage(request, { fields, fault }),
  );
}

/** Handles the form that sends a test message. */
export async function handleTestMessageTargetForm(request: WebPageRequest): Promise<Response> {
  return act(request, 'POST', `${pathOf(request)}/test`);
}

/** Handles the form that removes a message target. */
export async function handleRemoveMessageTargetForm(request: WebPageRequest): Promise<Response> {
  return act(request, 'DELETE', pathOf(request));
}

/** Handles the form that sends a failed message again. */
export async function handleResendMessageForm(request: WebPageRequest): Promise<Response> {
  const id = encodeURIComponent(request.param('message'));
  return act(request, 'POST', `/api/v1/messages/${id}/send-again`);
}

async function act(
  request: WebPageRequest,
  method: 'POST' | 'DELETE',
  path: string,
): Promise<Response> {
  return answerFormPost(
    async () => {
      await request.api.send(method, path);
      return place;
    },
    (fault) => showMessagesPage(request, { fault }),
  );
}

function pathOf({ param }: WebPageRequest): string {
  return `/api/v1/message-targets/${encodeURIComponent(param('name'))}`;
}
