// The page of the sets of variables, and what its forms do.
import type { VariableSetJson } from '../api/variable-set-routes.ts';
import { readFormVariables } from './acting-forms.ts';
import { answerFormPost, answerViewerWithPage } from './answer-page.ts';
import type { WebPageApi } from './page-api.ts';
import type { WebPageRequest } from './page-request.ts';
import { renderVariableSetsPage } from './pages/variable-sets-page.ts';

const place = '/variables';

interface Shown {
  /** Name that was typed for a new set; values are never shown again. */
  readonly typedName?: string;
  readonly fault?: string;
}

/** Shows the page `/variables`. */
export async function showVariableSetsPage(
  request: WebPageRequest,
  { typedName = '', fault }: Shown = {},
): Promise<Response> {
  const { api, formToken, now } = request;
  const sets = await listVariableSets(api);
  const content = renderVariableSetsPage({ sets, typedName, fault, formToken, now });
  return answerViewerWithPage(request, { title: 'Variables', place, content }, fault);
}

/** Handles the form that adds or changes a variable set. */
export async function handleSaveVariableSetForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const name = (form.get('name') ?? '').trim();
  const isEdit = form.get('isKept') === 'yes';
  return answerFormPost(
    async () => {
      // The form for another set takes the place of none.
      if (!isEdit && (await listVariableSets(api)).some((one) => one.name === name))
        return showVariableSetsPage(request, {
          fault: `There is a set with the name ${name} already. Change it above, or choose another name.`,
        });
      const removed = form.getAll('remove').map((one) => [one, null] as const);
      const variables = { ...readFormVariables(form), ...Object.fromEntries(removed) };
      // Variables that the form does not name stay, also those that somebody else has added meanwhile.
      await api.send(isEdit ? 'PATCH' : 'PUT', pathOf(name), { variables });
      return place;
    },
    (fault) => showVariableSetsPage(request, { fault, ...(!isEdit && { typedName: name }) }),
  );
}

/** Handles the form that removes a set of variables. */
export async function handleRemoveVariableSetForm(request: WebPageRequest): Promise<Response> {
  return answerFormPost(
    async () => {
      await request.api.send('DELETE', pathOf(request.param('name')));
      return place;
    },
    (fault) => showVariableSetsPage(request, { fault }),
  );
}

async function listVariableSets(api: WebPageApi): Promise<readonly VariableSetJson[]> {
  const { variableSets } = await api.get<{ variableSets: readonly VariableSetJson[] }>(
    '/api/v1/variable-sets',
  );
  return variableSets;
}

function pathOf(name: string): string {
  return `/api/v1/variable-sets/${encodeURIComponent(name)}`;
}
