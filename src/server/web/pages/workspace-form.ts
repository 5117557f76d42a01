import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import {
  renderCheckbox,
  renderForm,
  renderFieldHint,
  renderMultilineField,
  renderSelectOptions,
  renderFormRefusal,
  renderTextField,
} from '../parts/elements.ts';
import {
  formatApplyFreezeLines,
  formatApplyWindowLines,
  type ApplyFreezeInput,
  type ApplyWindowInput,
} from '../../windows/window-lines.ts';
import type { ApprovalRule } from '../../store/workspaces.ts';
import { renderDriftFormFields, type DriftFormFields } from './drift-part.ts';
import {
  renderMoreVariables,
  renderVariableFields,
  writeOnlyHint,
  type StoredVariableNames,
} from './variable-fields.ts';

/** Values of the workspace form, to be shown again where it was refused; variables are left out. */
export interface WorkspaceFormFields extends DriftFormFields {
  readonly name: string;
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly reads: readonly string[];
  readonly poll: boolean;
  readonly connection?: string | null | undefined;
  readonly applyOnMerge: boolean;
  readonly account?: string | null | undefined;
  readonly after: readonly string[];
  readonly variableSets: readonly string[];
  readonly allowProbes: readonly string[];
  readonly windows: readonly ApplyWindowInput[];
  readonly freezes: readonly ApplyFreezeInput[];
  readonly approvals: ApprovalRule;
  readonly applyWhenApproved: boolean;
}

/** Content of the form that creates or edits a workspace. */
export interface WorkspaceFormView {
  readonly fields: WorkspaceFormFields;
  /** Present name of the workspace, which `fields` may change; undefined for a new one. */
  readonly name?: string;
  /** Variables that the workspace has; undefined for a new one. */
  readonly variables: StoredVariableNames | undefined;
  /** Names of the connections to git hosts, of which the workspace may have one. */
  readonly connections: readonly string[];
  readonly fault: string | undefined;
  readonly formToken: string;
}

/** Renders the form that creates or edits a workspace. */
export function renderWorkspaceForm(view: WorkspaceFormView): SafeHtml {
  const { fields, variables, fault, formToken } = view;
  const { name: typedName } = fields;
  const { name = typedName } = view;
  const isNew = variables === undefined;
  const back = isNew ? '/' : `/workspaces/${name}`;
  const content = html`${renderName(typedName, isNew)}
    ${renderTextField({ name: 'repository', label: 'Repository', value: fields.repository, hint: 'The address of a git repository: https://… or file://…', placeholder: 'https://git.example.com/acme/infra.git', isRequired: true })}
    <div class="pair">
      ${renderTextField({ name: 'branch', label: 'Branch', value: fields.branch, placeholder: 'main', isRequired: true })}${renderTextField({ name: 'directory', label: 'Directory', value: fields.directory, hint: 'Where the YAML files are within the repository.', placeholder: '.', isRequired: true })}
    </div>
    ${renderTextField({ name: 'reads', label: 'Further directories', value: fields.reads.join(', '), hint: 'Directories of the repository that the YAML files use, such as shared modules. Their changes are planned, too.', placeholder: 'modules' })}
    ${renderCheckbox('poll', 'Plan each new commit of the branch', fields.poll)}
    ${renderConnection(view)} ${renderDriftFormFields(fields)} ${renderApprovalFields(fields)}
    ${renderTextField({ name: 'after', label: 'After', value: fields.after.join(', '), hint: 'Workspaces whose outputs are variables of this one: it is planned when one of them was applied.', placeholder: 'base' })}
    ${renderTextField({ name: 'accountName', label: 'Shared account', value: fields.account ?? '', hint: 'A name, only where workspaces have different tokens of one account: those with the same name share its budget, quotas and projects.', placeholder: 'production' })}
    ${renderTextField({ name: 'allowProbes', label: 'Probes reach', value: fields.allowProbes.join(', '), hint: 'Ranges of addresses that probes of rollouts may reach, beside public IPs of the account.', placeholder: '10.0.0.0/8' })}
    ${renderApplyTimes(fields)}
    ${renderTextField({ name: 'variableSets', label: 'Variable sets', value: fields.variableSets.join(', '), hint: 'Sets of variables that workspaces share. The variables of this workspace win, then those of the set that is named last.', placeholder: 'production' })}
    ${isNew ? renderNewVariables() : renderVariableFields(variables)}
    <div class="actions"><button class="primary">${isNew ? 'Create workspace' : 'Save'}</button><a class="button" href="${back}">Cancel</a></div>`;
  return html`<p class="trail">
      <a href="/">Workspaces</a>${!isNew && html` / <a href="${back}">${name}</a>`}
    </p>
    <h1>${isNew ? 'New workspace' : `Edit ${name}`}</h1>
    ${renderFormRefusal(fault)}
    <div class="form">
      ${renderForm(isNew ? '/workspaces' : `/workspaces/${name}/edit`, formToken, content)}
    </div>`;
}

function renderName(value: string, isNew: boolean): SafeHtml {
  return renderTextField({
    name: 'name',
    label: 'Name',
    value,
    hint: isNew
      ? 'Lower case letters, digits and hyphens. The state has this name, too.'
      : 'Another name keeps its runs, roles and state. Links with the old name lead nowhere.',
    isRequired: true,
    maxLength: 63,
    pattern: String.raw`[a-z0-9]([a-z0-9\-]*[a-z0-9])?`,
  });
}

/** The choice of a connection; nothing where no git host is connected, since the page of the git hosts explains connections. */
function renderConnection({ connections, fields }: WorkspaceFormView): SafeHtml {
  if (connections.length === 0) return emptyHtml;
  const options = [['', 'None'] as const, ...connections.map((name) => [name, name] as const)];
  const hint = 'Its token reads the repository. Its webhooks plan pushes and pull requests.';
  return html`<p>
      <label for="connection">Git host</label><select id="connection" name="connection" aria-describedby="connection-hint">${renderSelectOptions(options, fields.connection ?? '')}</select>${renderFieldHint('connection', hint)}
    </p>
    ${renderCheckbox('applyOnMerge', 'Apply what a merged pull request plans, if it removes and replaces nothing or was planned there', fields.applyOnMerge)}`;
}

/** The rule of a workspace: who has to say yes before a plan is applied. */
function renderApprovalFields({ approvals, applyWhenApproved }: WorkspaceFormFields): SafeHtml {
  return html`<fieldset>
    <legend>Approvals</legend>
    <p>
      <label for="approvals">How many people have to approve a plan</label><input id="approvals" name="approvals" type="number" min="0" max="10" value="${approvals.count}" required>
    </p>
    ${renderCheckbox('byAuthor', 'Whoever started the plan counts, too', approvals.byAuthor)}${renderCheckbox('hostReviews', 'An approval of a pull request at the git host counts for the plan of its merge', approvals.hostReviews)}${renderCheckbox('applyWhenApproved', 'Apply a plan as soon as it has its approvals', applyWhenApproved)}
  </fieldset>`;
}

/** The times at which applies may run, one on a line. */
function renderApplyTimes({ windows, freezes }: WorkspaceFormFields): SafeHtml {
  const window = {
    name: 'windows',
    label: 'Windows',
    hint: 'When applies and destroys may run, one in a line: days, times and time zone. At any time if empty.',
    placeholder: 'Sat,Sun 02:00-05:00 Europe/Berlin',
  };
  const freeze = {
    name: 'freezes',
    label: 'Freezes',
    hint: 'When none may run, one in a line: begin, end and reason.',
    placeholder: '2026-12-20T00:00:00Z 2027-01-07T00:00:00Z Christmas',
  };
  return html`${renderMultilineField(window, 2, html`${formatApplyWindowLines(windows)}`)}
    ${renderMultilineField(freeze, 2, html`${formatApplyFreezeLines(freezes)}`)}`;
}

function renderNewVariables(): SafeHtml {
  return html`<fieldset>
    <legend>Account</legend>
    <p class="hint">${writeOnlyHint}</p>
    <p>
      <label for="baseUrl">Address of the service</label><input id="baseUrl" name="set:HOSTWRIGHT_BASE_URL" inputmode="url" placeholder="https://api.example.com/v1" autocomplete="off" spellcheck="false">
    </p>
    <p>
      <label for="token">Token</label><input id="token" name="set:HOSTWRIGHT_TOKEN" type="password" autocomplete="off">
    </p>
    ${renderMoreVariables()}
  </fieldset>`;
}
