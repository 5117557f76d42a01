// The page of accounts, with the actions of its forms.
import type { AccountJson } from '../api/account-routes.ts';
import { answerFormPost, answerViewerWithPage } from './answer-page.ts';
import type { WebPageRequest } from './page-request.ts';
import { renderAccountsPage } from './pages/accounts-page.ts';

const place = '/accounts';

/** Shows the page `/accounts`; `fault` tells why its last form was refused. */
export async function showAccountsPage(request: WebPageRequest, fault?: string): Promise<Response> {
  const { api, now, viewer } = request;
  const { accounts } = await api.get<{ accounts: readonly AccountJson[] }>('/api/v1/accounts');
  const formToken = viewer.isAdmin ? request.formToken : undefined;
  const content = renderAccountsPage({ accounts, formToken, fault, now });
  return answerViewerWithPage(request, { title: 'Accounts', place, content }, fault);
}

/** Handles the form that limits requests to an account. */
export async function handleAccountEditForm(request: WebPageRequest): Promise<Response> {
  const { api, form, param } = request;
  const [rate = '', burst = ''] = ['requestsPerSecond', 'burst'].map((name) =>
    (form.get(name) ?? '').trim(),
  );
  const body = {
    requestsPerSecond: rate === '' ? null : Number(rate),
    ...(burst !== '' && { burst: Number(burst) }),
  };
  const path = `/api/v1/accounts/${encodeURIComponent(param('accountId'))}`;
  return answerFormPost(
    async () => {
      await api.send('PATCH', path, body);
      return place;
    },
    (fault) => showAccountsPage(request, fault),
  );
}
