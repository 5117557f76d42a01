// The page of the accounts, and what its forms do.
import type { ShownAccount } from '../api/account-routes.ts';
import { answerViewer, redirect } from './answer-page.ts';
import { explainRefusal } from './page-api.ts';
import type { PageRequest } from './page-request.ts';
import { renderAccounts } from './pages/accounts-page.ts';

const place = '/accounts';

/** `/accounts`. `fault` is why its last form was refused. */
export async function showAccounts(request: PageRequest, fault?: string): Promise<Response> {
  const { api, now, viewer } = request;
  const { accounts } = await api.get<{ accounts: readonly ShownAccount[] }>('/api/v1/accounts');
  const formToken = viewer.isAdmin ? request.formToken : undefined;
  const content = renderAccounts({ accounts, formToken, fault, now });
  const status = fault === undefined ? 200 : 422;
  return answerViewer(request, { title: 'Accounts', place, content }, status);
}

/** Limits the requests to an account. */
export async function editAccount(request: PageRequest): Promise<Response> {
  const { api, form, param } = request;
  const [rate = '', burst = ''] = ['requestsPerSecond', 'burst'].map((name) =>
    (form.get(name) ?? '').trim(),
  );
  const body = {
    requestsPerSecond: rate === '' ? null : Number(rate),
    ...(burst !== '' && { burst: Number(burst) }),
  };
  try {
    await api.send('PATCH', `/api/v1/accounts/${encodeURIComponent(param('accountId'))}`, body);
    return redirect(place);
  } catch (error) {
    return showAccounts(request, explainRefusal(error));
  }
}
