import { html, type SafeHtml } from '../../../model/text/html.ts';
import type { VariableSetJson } from '../../api/variable-set-routes.ts';
import {
  renderEmptyList,
  renderForm,
  renderFormRefusal,
  renderTextField,
} from '../parts/elements.ts';
import { renderTimeAgo } from '../parts/words.ts';
import { renderMoreVariables, renderVariableFields, writeOnlyHint } from './variable-fields.ts';

/** Content of the page of sets of variables. */
export interface VariableSetsPageView {
  readonly sets: readonly VariableSetJson[];
  /** Name that was typed for a set that was refused; empty otherwise. */
  readonly typedName: string;
  readonly fault: string | undefined;
  readonly formToken: string;
  readonly now: number;
}

/** Renders the sets of variables, each in a form that changes it, and a form for another one. */
export function renderVariableSetsPage(view: VariableSetsPageView): SafeHtml {
  const { sets, fault } = view;
  const none = renderEmptyList(
    html`<p>There are no sets yet. A set has variables for several workspaces.</p>`,
  );
  return html`<h1>Variables</h1>
    ${renderFormRefusal(fault)}
    ${sets.length === 0 ? none : sets.map((one) => renderSet(one, view))} ${renderNew(view)}`;
}

function renderSet(set: VariableSetJson, { formToken, now }: VariableSetsPageView): SafeHtml {
  const { name, workspaces, changedAt } = set;
  const links = workspaces.map(
    (one, index) => html`${index > 0 && ', '}<a href="/workspaces/${one}">${one}</a>`,
  );
  const content = html`<input type="hidden" name="name" value="${name}"><input type="hidden" name="isKept" value="yes">
      ${renderVariableFields(set, `of-${name}-`)}
      <div class="actions"><button class="primary">Save ${name}</button></div>`;
  return html`<section aria-labelledby="of-${name}">
    <h2 id="of-${name}">${name}</h2>
    <p class="hint">${workspaces.length === 0 ? 'No workspace uses it.' : html`Used by ${links}.`} Changed ${renderTimeAgo(changedAt, now)}.</p>
    <div class="form">${renderForm('/variables', formToken, content)}</div>
    ${workspaces.length === 0 && html`<div class="actions">${renderForm(`/variables/${name}/remove`, formToken, html`<button class="danger">Remove ${name}</button>`)}</div>`}
  </section>`;
}

function renderNew({ formToken, typedName }: VariableSetsPageView): SafeHtml {
  const content = html`${renderTextField({ name: 'name', label: 'Name', value: typedName, hint: 'Lower case letters, digits and hyphens.', isRequired: true })}
    <p class="hint">${writeOnlyHint}</p>
    ${renderMoreVariables('new')}
    <div class="actions"><button class="primary">Keep this set</button></div>`;
  return html`<section aria-labelledby="new">
    <h2 id="new">Another set</h2>
    <p class="hint">A workspace names the sets that it uses. What a set has holds from their next runs on.</p>
    <div class="form">${renderForm('/variables', formToken, content)}</div>
  </section>`;
}
