// The page of the policies that the server keeps, and what its forms do.
import type { PolicyFileJson } from '../api/policy-routes.ts';
import { answerFormPost, answerViewerWithPage } from './answer-page.ts';
import type { WebPageApi } from './page-api.ts';
import { readFormNames, type WebPageRequest } from './page-request.ts';
import { renderPoliciesPage, type PolicyFormFields } from './pages/policies-page.ts';

const place = '/policies';

interface Shown {
  readonly fields?: PolicyFormFields;
  readonly fault?: string;
}

/** Shows the page `/policies`. */
export async function showPoliciesPage(
  request: WebPageRequest,
  { fields, fault }: Shown = {},
): Promise<Response> {
  const { api, formToken, now } = request;
  const { policies } = await api.get<{ policies: readonly PolicyFileJson[] }>('/api/v1/policies');
  const content = renderPoliciesPage({ policies, fields, fault, formToken, now });
  return answerViewerWithPage(request, { title: 'Policies', place, content }, fault);
}

/** Handles the form that adds or changes a policy file. */
export async function handleSavePoliciesForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const fields = {
    name: (form.get('name') ?? '').trim(),
    // A browser ends the lines of a text with CR LF.
    content: (form.get('content') ?? '').replaceAll('\r\n', '\n'),
    workspaces: form.get('workspaces') ?? '',
  };
  const workspaces = readFormNames(form, 'workspaces');
  const changedAt = form.get('changedAt');
  const body = {
    content: fields.content,
    ...(workspaces.length > 0 && { workspaces }),
    ...(changedAt !== null && { changedAt }),
  };
  return answerFormPost(
    async () => {
      // The form for more policies takes the place of none.
      if (form.get('isKept') !== 'yes' && (await isKept(api, fields.name)))
        return showPoliciesPage(request, {
          fields: { ...fields, name: '' },
          fault: `There are policies with the name ${fields.name} already. Change them above, or choose another name.`,
        });
      await api.send('PUT', pathOf(fields.name), body);
      return place;
    },
    (fault) => showPoliciesPage(request, { fields, fault }),
  );
}

/** Handles the form that removes policies. */
export async function handleRemovePoliciesForm(request: WebPageRequest): Promise<Response> {
  return answerFormPost(
    async () => {
      await request.api.send('DELETE', pathOf(request.param('name')));
      return place;
    },
    (fault) => showPoliciesPage(request, { fault }),
  );
}

async function isKept(api: WebPageApi, name: string): Promise<boolean> {
  const { policies } = await api.get<{ policies: readonly PolicyFileJson[] }>('/api/v1/policies');
  return policies.some((one) => one.name === name);
}

function pathOf(name: string): string {
  return `/api/v1/policies/${encodeURIComponent(name)}`;
}
