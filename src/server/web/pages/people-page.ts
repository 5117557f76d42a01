import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import type { MemberJson } from '../../api/member-routes.ts';
import {
  renderEmptyList,
  renderForm,
  renderFormRefusal,
  renderPageTable,
  renderTextField,
} from '../parts/elements.ts';
import { renderTimeAgo } from '../parts/words.ts';
import { renderRoleFields, sumUpRoleGrants } from './role-fields.ts';

/** An API token that was just created; its value is shown on the page once. */
export interface NewTokenDisplay {
  readonly name: string;
  readonly token: string;
}

/** Content of the page of people and tokens. */
export interface PeoplePageView {
  readonly members: readonly MemberJson[];
  readonly formToken: string;
  readonly now: number;
  readonly made?: NewTokenDisplay;
  readonly fault?: string;
}

/** Renders people, API tokens and groups with their roles, and the forms to add more. */
export function renderPeoplePage({
  members,
  formToken,
  now,
  made,
  fault,
}: PeoplePageView): SafeHtml {
  const rowsOf = (kind: MemberJson['kind']) =>
    members.filter((one) => one.kind === kind).map((one) => renderRow(one, now));
  const [people, tokens, groups] = [rowsOf('person'), rowsOf('token'), rowsOf('group')];
  const nobody = renderEmptyList(html`<h2 id="persons">No person yet</h2>
    <p>People appear here when they sign in by OpenID Connect, without roles at first.</p>`);
  const persons = html`<h2 id="persons" class="unseen">People who may sign in</h2>
    ${renderPageTable('rows people', ['Person', 'E-mail', 'Roles', 'Since'], people)}`;
  return html`<h1>People</h1>
    ${renderFormRefusal(fault)}
    ${made ? renderMade(made) : emptyHtml}
    <section aria-labelledby="persons">${people.length === 0 ? nobody : persons}</section>
    <details class="more">
      <summary>Add a person before they sign in</summary>
      <div class="form">${renderForm('/people', formToken, renderPersonFields())}</div>
    </details>
    <section aria-labelledby="groups">
      <h2 id="groups">Groups of the provider</h2>
      ${groups.length === 0 ? html`<p class="dim">No group of the OpenID provider gives roles.</p>` : renderPageTable('rows people', ['Group', 'Roles', 'Since'], groups)}
    </section>
    <details class="more">
      <summary>Give roles to a group</summary>
      <div class="form">${renderForm('/groups', formToken, renderGroupFields())}</div>
    </details>
    <section aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      ${tokens.length === 0 ? html`<p class="dim">There are no tokens yet.</p>` : renderPageTable('rows people', ['Token', 'Ends', 'Roles', 'Since'], tokens)}
    </section>
    <details class="more">
      <summary>New token</summary>
      <div class="form">${renderForm('/tokens', formToken, renderTokenFields())}</div>
    </details>`;
}

function renderMade({ name, token }: NewTokenDisplay): SafeHtml {
  return html`<div class="callout warn" role="status">
    <p><b>Token ${name}</b>, shown only once: <code id="new-token">${token}</code></p>
  </div>`;
}

function renderRow(
  { id, kind, name, email, expiresAt, grants, createdAt }: MemberJson,
  now: number,
): SafeHtml {
  const end =
    expiresAt === undefined
      ? html`${email}`
      : Date.parse(expiresAt) <= now
        ? html`<b>ended</b>`
        : html`<time datetime="${expiresAt}">${expiresAt.slice(0, 10)}</time>`;
  return html`<tr>
    <th scope="row"><a href="/people/${id}">${name}</a></th>
    ${kind !== 'group' && html`<td>${end}</td>`}
    <td>${grants.length === 0 ? html`<span class="dim">no role</span>` : sumUpRoleGrants(grants)}</td>
    <td>${renderTimeAgo(createdAt, now)}</td>
  </tr>`;
}

function renderPersonFields(): SafeHtml {
  const field = (name: string, label: string, hint: string, isRequired = true) =>
    renderTextField({ name, id: `person-${name}`, label, hint, isRequired, maxLength: 500 });
  return html`${field('name', 'Name', 'As others see it.')}${field('issuer', 'Issuer', 'The address of the provider, as in its tokens.')}${field('subject', 'Subject', 'The id of the person at the provider: the claim sub.')}${field('email', 'E-mail', 'For others to read.', false)}
    ${renderRoleFields([], 'person')} <button class="primary">Add person</button>`;
}

function renderGroupFields(): SafeHtml {
  const hint = 'As the provider writes it into its tokens. Who is in it has its roles.';
  const name = { name: 'name', id: 'group-name', label: 'Name', hint };
  return html`${renderTextField({ ...name, isRequired: true, maxLength: 500 })}
    ${renderRoleFields([], 'group')} <button class="primary">Add group</button>`;
}

function renderTokenFields(): SafeHtml {
  const hint = 'What uses it, such as ci-of-shop.';
  const name = { name: 'name', id: 'token-name', label: 'Name', hint };
  return html`${renderTextField({ ...name, isRequired: true, maxLength: 100 })}
    <p>
      <label for="token-days">Ends after so many days</label><input id="token-days" name="days" type="number" min="1" max="366" value="90" required>
    </p>
    ${renderRoleFields([], 'token')}
    <button class="primary">Make token</button>`;
}
