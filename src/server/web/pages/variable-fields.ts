import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import { renderMultilineField } from '../parts/elements.ts';

/** Names of stored variables, for their form; the values are never shown. */
export interface StoredVariableNames {
  readonly names: readonly string[];
  /** Names of the variables whose values are masked in a run's output. */
  readonly secrets: readonly string[];
}

/** Hint at form fields of variables: a value can be set, and is never shown again. */
export const writeOnlyHint = 'The server encrypts variables, and never shows them again.';

/** Renders a field for each variable, and fields for more. `id` keeps the ids of several such parts of a page apart. */
export function renderVariableFields({ names, secrets }: StoredVariableNames, id = ''): SafeHtml {
  const rows = names.map(
    (name, index) => html`<tr>
      <th scope="row"><code>${name}</code></th>
      <td>
        <label class="unseen" for="value-${id}${index}">New value of ${name}</label><input id="value-${id}${index}" name="set:${name}" type="password" placeholder="unchanged" autocomplete="off">
      </td>
      <td>${secrets.includes(name) ? 'Secret' : renderMark('secret', 'Make it a secret', name)}</td>
      <td>${renderMark('remove', 'Remove', name)}</td>
    </tr>`,
  );
  const table = html`<table class="variables"><tbody>${rows}</tbody></table>`;
  return html`<fieldset>
    <legend>Variables</legend>
    <p class="hint">${writeOnlyHint} What you leave empty stays as it is.</p>
    ${names.length === 0 ? html`<p class="dim">There are no variables yet.</p>` : table}
    ${renderMoreVariables(id)}
  </fieldset>`;
}

/** Renders a checkbox for an action on one variable. */
function renderMark(field: string, label: string, name: string): SafeHtml {
  return html`<label class="check"><input type="checkbox" name="${field}" value="${name}"> ${label}<span class="unseen"> ${name}</span></label>`;
}

/** Renders the fields for variables that are not there yet. */
export function renderMoreVariables(id = ''): SafeHtml {
  const plain = {
    name: 'more',
    id: `more-${id}`,
    label: 'More variables',
    hint: 'One in a line, as NAME=value.',
    placeholder: 'HOSTWRIGHT_VAR_size=large',
  };
  const secret = {
    name: 'moreSecrets',
    id: `moreSecrets-${id}`,
    label: 'More secrets',
    hint: 'The same. They are masked in plans, logs, comments and outputs.',
    placeholder: 'HOSTWRIGHT_VAR_password=…',
  };
  return html`${renderMultilineField(plain, 3, emptyHtml)}
    ${renderMultilineField(secret, 3, emptyHtml)}`;
}
