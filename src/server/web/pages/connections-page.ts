import { html, type SafeHtml } from '../../../model/text/html.ts';
import type { ConnectionJson } from '../../api/connection-routes.ts';
import { gitHostNames } from '../../hosts/connection.ts';
import {
  renderEmptyList,
  renderFactList,
  renderForm,
  renderSelectOptions,
  renderFormRefusal,
  renderTextField,
} from '../parts/elements.ts';
import { renderTimeAgo } from '../parts/words.ts';

/** Values of a refused form, to be shown again; secrets are left out. */
export interface ConnectionFormFields {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
  readonly appId: string;
  readonly installationId: string;
}

/** Content of the page of connections. */
export interface ConnectionsPageView {
  readonly connections: readonly ConnectionJson[];
  /** Connection whose webhook secret was just made, and is shown once. */
  readonly made: ConnectionJson | undefined;
  readonly fields: ConnectionFormFields;
  readonly fault: string | undefined;
  /** Public address of the server, for the URLs of webhooks. */
  readonly origin: string;
  readonly formToken: string;
  readonly now: number;
}

/** Renders the connections to git hosts, and the form for a new one. */
export function renderConnectionsPage(view: ConnectionsPageView): SafeHtml {
  const { connections, made, fault, origin } = view;
  const none = renderEmptyList(
    html`<p>No git host is connected yet. With a connection, pull requests are planned, and pushes are planned at once.</p>`,
  );
  return html`<h1>Git hosts</h1>
    ${renderFormRefusal(fault)}
    ${made && renderMade(made, origin)}
    ${connections.length === 0 ? none : connections.map((one) => renderConnection(one, view))}
    ${renderNew(view)}`;
}

function renderMade(
  { name, webhookPath, webhookSecret }: ConnectionJson,
  origin: string,
): SafeHtml {
  return html`<div class="callout warn" role="status">
    <p>
      <b>Copy the webhook secret of ${name} now.</b> It is shown this once. Add a webhook with JSON
      as its content to the repository or its group:
    </p>
    ${renderFactList({ Address: html`<code>${origin}${webhookPath}</code>`, Secret: html`<code>${webhookSecret}</code>` })}
  </div>`;
}

function renderConnection(
  connection: ConnectionJson,
  { formToken, now }: ConnectionsPageView,
): SafeHtml {
  const { name, kind, address, appId, createdAt, webhookPath } = connection;
  const act = (action: string, content: SafeHtml) =>
    renderForm(`/connections/${name}/${action}`, formToken, content);
  const secret = appId === undefined ? 'token' : 'privateKey';
  const label = appId === undefined ? 'New token' : 'New private key';
  const secretField = html`<p><label for="secret-${name}">${label}</label>${renderSecret(secret, `secret-${name}`)}</p>
    <div class="actions"><button>Replace it</button></div>`;
  const facts = {
    Host: gitHostNames[kind],
    Address: html`<code>${address}</code>`,
    'Signs in': appId === undefined ? 'with a token' : `as the App ${appId}`,
    Webhooks: html`<code>${webhookPath}</code>`,
    Created: renderTimeAgo(createdAt, now),
  };
  return html`<section aria-labelledby="of-${name}">
    <h2 id="of-${name}">${name}</h2>
    ${renderFactList(facts)}
    <details>
      <summary>Change ${name}</summary>
      <div class="form">${act('secrets', secretField)}</div>
      <div class="actions">
        ${act('webhook-secret', html`<button>Make a new webhook secret</button>`)}${act('remove', html`<button class="danger">Remove the connection</button>`)}
      </div>
    </details>
  </section>`;
}

function renderSecret(name: 'token' | 'privateKey', id: string): SafeHtml {
  return name === 'token'
    ? html`<input id="${id}" name="token" type="password" autocomplete="off">`
    : html`<textarea id="${id}" name="privateKey" rows="3" autocomplete="off" spellcheck="false" placeholder="-----BEGIN RSA PRIVATE KEY-----"></textarea>`;
}

function renderNew({ fields, formToken }: ConnectionsPageView): SafeHtml {
  const text = (
    name: keyof ConnectionFormFields,
    label: string,
    hint: string,
    isRequired = false,
  ) => renderTextField({ name, label, value: fields[name], hint, isRequired });
  const hosts = [
    ['github', gitHostNames.github],
    ['gitlab', gitHostNames.gitlab],
  ] as const;
  const content = html`<p>
      <label for="kind">Host</label><select id="kind" name="kind">${renderSelectOptions(hosts, fields.kind)}</select>
    </p>
    ${text('name', 'Name', 'Lower case letters, digits and hyphens. Workspaces name it.', true)}
    ${text('address', 'Address', 'Empty for github.com and gitlab.com. GitHub Enterprise: https://HOST/api/v3. GitLab: https://HOST')}
    <p><label for="token">Token</label>${renderSecret('token', 'token')}</p>
    <fieldset>
      <legend>A GitHub App in place of a token</legend>
      <div class="pair">
        ${text('appId', 'App ID', 'Or the client ID.')}${text('installationId', 'Installation ID', 'The number at the end of its address.')}
      </div>
      <p><label for="privateKey">Private key</label>${renderSecret('privateKey', 'privateKey')}</p>
    </fieldset>
    <div class="actions"><button class="primary">Connect</button></div>`;
  return html`<section aria-labelledby="new">
    <h2 id="new">Connect a git host</h2>
    <p class="hint">The server encrypts tokens and keys, and never shows them again.</p>
    <div class="form">${renderForm('/connections', formToken, content)}</div>
  </section>`;
}
