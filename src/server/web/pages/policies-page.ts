import { html, renderHtmlLines, type SafeHtml } from '../../../model/text/html.ts';
import type { PolicyFileJson } from '../../api/policy-routes.ts';
import {
  renderEmptyList,
  renderForm,
  renderFormRefusal,
  renderMultilineField,
  renderTextField,
} from '../parts/elements.ts';
import { renderTimeAgo } from '../parts/words.ts';

/** Values of the form that was sent last, shown again where it was refused. */
export interface PolicyFormFields {
  readonly name: string;
  readonly content: string;
  readonly workspaces: string;
}

/** Content of the page of policies. */
export interface PoliciesPageView {
  readonly policies: readonly PolicyFileJson[];
  readonly fields: PolicyFormFields | undefined;
  readonly fault: string | undefined;
  readonly formToken: string;
  readonly now: number;
}

/** Renders the policies that the server keeps, each in a form that changes it, and a form for more. */
export function renderPoliciesPage(view: PoliciesPageView): SafeHtml {
  const { policies, fields, fault } = view;
  const none = renderEmptyList(
    html`<p>The server keeps no policies yet. Those of its workers are in a directory of theirs.</p>`,
  );
  const isNew = !policies.some(({ name }) => name === fields?.name);
  return html`<h1>Policies</h1>
    ${renderFormRefusal(fault)}
    ${policies.length === 0 ? none : policies.map((one) => renderPolicies(one, view))}
    ${renderNew(view, isNew ? fields : undefined)}`;
}

function renderPolicies(kept: PolicyFileJson, view: PoliciesPageView): SafeHtml {
  const { name, content, workspaces, changedAt } = kept;
  const { fields, formToken, now } = view;
  const shown =
    fields?.name === name ? fields : { name, content, workspaces: workspaces?.join(' ') ?? '' };
  const isRefused = shown === fields && shown.content !== content;
  // An empty field stands for all workspaces: those of a workspace that is gone can only be removed.
  const isOfNone = workspaces?.length === 0;
  return html`<section aria-labelledby="of-${name}">
    <h2 id="of-${name}">${name}</h2>
    <p class="hint">For ${isOfNone ? 'no workspace any more' : (workspaces?.join(', ') ?? 'all workspaces')}. Changed ${renderTimeAgo(changedAt, now)}.</p>
    ${
      isOfNone
        ? html`<pre>${renderHtmlLines(content)}</pre>`
        : html`<div class="form">${renderForm(
            '/policies',
            formToken,
            html`<input type="hidden" name="name" value="${name}"><input type="hidden" name="isKept" value="yes"><input type="hidden" name="changedAt" value="${changedAt}">
      ${renderContentFields(shown, `of-${name}`)}
      <div class="actions"><button class="primary">Save ${name}</button></div>`,
          )}</div>${isRefused ? html`<details><summary>As ${name} is kept now</summary><pre>${renderHtmlLines(content)}</pre></details>` : ''}`
    }
    <div class="actions">
      ${renderForm(`/policies/${name}/remove`, formToken, html`<button class="danger">Remove ${name}</button>`)}
    </div>
  </section>`;
}

function renderNew(
  { formToken }: PoliciesPageView,
  fields: PolicyFormFields | undefined,
): SafeHtml {
  const content = html`${renderTextField({ name: 'name', label: 'Name', value: fields?.name ?? '', hint: 'Lower case letters, digits and hyphens.', isRequired: true })}
    ${renderContentFields(fields ?? { name: '', content: '', workspaces: '' }, 'new')}
    <div class="actions"><button class="primary">Keep these policies</button></div>`;
  return html`<section aria-labelledby="new">
    <h2 id="new">More policies</h2>
    <p class="hint">They apply to the plans that are made from now on, and no repository can change them. A plan that waits is stale: plan again.</p>
    <div class="form">${renderForm('/policies', formToken, content)}</div>
  </section>`;
}

function renderContentFields({ content, workspaces }: PolicyFormFields, id: string): SafeHtml {
  const text = {
    name: 'content',
    id: `content-${id}`,
    label: 'YAML',
    hint: 'It has policies, exemptions or both, as a directory of policies has.',
  };
  const names = { name: 'workspaces', id: `workspaces-${id}`, label: 'Workspaces' };
  return html`${renderMultilineField(text, 14, renderHtmlLines(content))}
    ${renderTextField({ ...names, value: workspaces, hint: 'Their names. Empty for all.' })}`;
}
