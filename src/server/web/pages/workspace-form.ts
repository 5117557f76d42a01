import { renderCheck } from '../parts/check-box.ts';
import { renderForm } from '../parts/layout.ts';
import { renderTextField } from '../parts/text-field.ts';
import { html, nothing, type Html } from '../../../model/text/html.ts';
import { renderApprovalFields, type ApprovalFields } from './approval-fields.ts';
import { renderDriftFields, type DriftFields } from './drift-part.ts';

/** What is in the form: what was typed, but for variables, which are never shown. */
export interface WorkspaceFields extends ApprovalFields, DriftFields {
  readonly name: string;
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly poll: boolean;
  readonly connection?: string | null | undefined;
  readonly applyOnMerge: boolean;
  readonly account?: string | null | undefined;
  readonly after: readonly string[];
}

/** The names of variables, for a form. */
export interface VariableNames {
  readonly names: readonly string[];
  /** Those that are masked in whatever a run says. */
  readonly secrets: readonly string[];
}

/** What the form of a workspace shows. */
export interface WorkspaceFormView {
  readonly fields: WorkspaceFields;
  /** Those that it has; undefined for a new one. */
  readonly variables: VariableNames | undefined;
  /** The names of the connections that there are. */
  readonly connections: readonly string[];
  readonly fault: string | undefined;
  readonly formToken: string;
}

/** Creates a workspace, or edits one. */
export function renderWorkspaceForm(view: WorkspaceFormView): Html {
  const { fields, variables, fault, formToken } = view;
  const { name } = fields;
  const isNew = variables === undefined;
  const back = isNew ? '/' : `/workspaces/${name}`;
  const content = html`${isNew ? renderName(name) : nothing}
    ${renderTextField({ name: 'repository', label: 'Repository', value: fields.repository, hint: 'The address of a git repository: https://… or file://…', placeholder: 'https://git.example.com/acme/infra.git', isRequired: true })}
    <div class="pair">
      ${renderTextField({ name: 'branch', label: 'Branch', value: fields.branch, placeholder: 'main', isRequired: true })}${renderTextField({ name: 'directory', label: 'Directory', value: fields.directory, hint: 'Where the YAML files are within the repository.', placeholder: '.', isRequired: true })}
    </div>
    ${renderCheck('poll', 'Plan each new commit of the branch', fields.poll)}
    ${renderConnection(view)} ${renderDriftFields(fields)} ${renderApprovalFields(fields)}
    ${renderTextField({ name: 'after', label: 'After', value: fields.after.join(', '), hint: 'Workspaces whose outputs are variables of this one: it is planned when one of them was applied.', placeholder: 'base' })}
    ${renderTextField({ name: 'accountName', label: 'Shared account', value: fields.account ?? '', hint: 'A name, only where workspaces have different tokens of one account: those with the same name share its budget, quotas and projects.', placeholder: 'production' })}
    ${isNew ? renderNewVariables() : renderVariables(variables)}
    <div class="actions">
      <button class="primary">${isNew ? 'Create workspace' : 'Save'}</button
      ><a class="button" href="${back}">Cancel</a>
    </div>`;
  return html`<p class="trail">
      <a href="/">Workspaces</a>${isNew ? nothing : html` / <a href="${back}">${name}</a>`}
    </p>
    <h1>${isNew ? 'New workspace' : `Edit ${name}`}</h1>
    ${fault === undefined ? nothing : html`<p class="fault" role="alert">${fault}</p>`}
    <div class="form">
      ${renderForm(isNew ? '/workspaces' : `/workspaces/${name}/edit`, formToken, content)}
    </div>`;
}

function renderName(name: string): Html {
  return html`<p>
    <label for="name">Name</label
    ><input
      id="name"
      name="name"
      value="${name}"
      required
      maxlength="63"
      pattern="[a-z0-9]([a-z0-9\\-]*[a-z0-9])?"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="name-hint"
    /><span class="hint" id="name-hint"
      >Lower case letters, digits and hyphens. The state has this name, too.</span
    >
  </p>`;
}

/** Nothing where no host is connected: the page of the git hosts says what that is good for. */
function renderConnection({ connections, fields }: WorkspaceFormView): Html {
  if (connections.length === 0) return nothing;
  const option = (name: string, label: string) =>
    html`<option value="${name}" ${name === (fields.connection ?? '') ? html` selected` : nothing}>
      ${label}
    </option>`;
  return html`<p>
      <label for="connection">Git host</label
      ><select id="connection" name="connection" aria-describedby="connection-hint">
        ${option('', 'None')}${connections.map((name) => option(name, name))}</select
      ><span class="hint" id="connection-hint"
        >Its token reads the repository. Its webhooks plan pushes and pull requests.</span
      >
    </p>
    ${renderCheck('applyOnMerge', 'Apply what a merged pull request plans, if it loses nothing or was planned there', fields.applyOnMerge)}`;
}

const writeOnly = 'The server encrypts variables, and never shows them again.';

function renderNewVariables(): Html {
  return html`<fieldset>
    <legend>Account</legend>
    <p class="hint">${writeOnly}</p>
    <p>
      <label for="baseUrl">Address of the service</label
      ><input
        id="baseUrl"
        name="set:HOSTWRIGHT_BASE_URL"
        inputmode="url"
        placeholder="https://api.example.com/v1"
        autocomplete="off"
        spellcheck="false"
      />
    </p>
    <p>
      <label for="token">Token</label
      ><input id="token" name="set:HOSTWRIGHT_TOKEN" type="password" autocomplete="off" />
    </p>
    ${renderMore()}
  </fieldset>`;
}

function renderVariables({ names, secrets }: VariableNames): Html {
  const rows = names.map(
    (name, index) =>
      html`<tr>
        <th scope="row"><code>${name}</code></th>
        <td>
          <label class="unseen" for="value-${index}">New value of ${name}</label
          ><input
            id="value-${index}"
            name="set:${name}"
            type="password"
            placeholder="unchanged"
            autocomplete="off"
          />
        </td>
        <td>${secrets.includes(name) ? 'Secret' : renderMark(name)}</td>
        <td>
          <label class="check"
            ><input type="checkbox" name="remove" value="${name}" /> Remove<span class="unseen">
              ${name}</span
            ></label
          >
        </td>
      </tr>`,
  );
  return html`<fieldset>
    <legend>Variables</legend>
    <p class="hint">${writeOnly} What you leave empty stays as it is.</p>
    ${
      names.length === 0
        ? html`<p class="dim">There are no variables yet.</p>`
        : html`<table class="variables">
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
    ${renderMore()}
  </fieldset>`;
}

function renderMark(name: string): Html {
  return html`<label class="check"
    ><input type="checkbox" name="secret" value="${name}" /> Make it a secret<span class="unseen">
      ${name}</span
    ></label
  >`;
}

function renderMore(): Html {
  return html`${renderLines({ name: 'more', label: 'More variables', hint: 'One in a line, as NAME=value.', placeholder: 'HOSTWRIGHT_VAR_size=large' })}
  ${renderLines({ name: 'moreSecrets', label: 'More secrets', hint: 'The same. They are masked in plans, logs, comments and outputs.', placeholder: 'HOSTWRIGHT_VAR_password=…' })}`;
}

interface LinesField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
}

function renderLines({ name, label, hint, placeholder }: LinesField): Html {
  return html`<p>
    <label for="${name}">${label}</label
    ><textarea
      id="${name}"
      name="${name}"
      rows="3"
      placeholder="${placeholder}"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${name}-hint"
    ></textarea
    ><span class="hint" id="${name}-hint">${hint}</span>
  </p>`;
}
