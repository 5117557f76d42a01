import { html, type SafeHtml } from '../../../model/text/html.ts';
import type { MemberJson } from '../../api/member-routes.ts';
import {
  renderFactList,
  renderForm,
  renderFormRefusal,
  renderTextField,
} from '../parts/elements.ts';
import { renderTimeAgo } from '../parts/words.ts';
import { renderRoleFields } from './role-fields.ts';

/** Content of the page of a person or token. */
export interface MemberPageView {
  readonly member: MemberJson;
  readonly formToken: string;
  readonly now: number;
  readonly fault: string | undefined;
}

/** Renders a person or a token with its roles and the form to remove it. */
export function renderMemberPage({ member, formToken, now, fault }: MemberPageView): SafeHtml {
  const { id, kind, name, issuer, subject, email, expiresAt, createdAt, grants, hostIds } = member;
  const isToken = kind === 'token';
  const facts = {
    Kind: isToken ? 'Token of a machine' : 'Person',
    'E-mail': email,
    Issuer: issuer,
    Subject: subject,
    Ends: expiresAt?.slice(0, 10),
    Since: renderTimeAgo(createdAt, now),
  };
  const atHosts = renderTextField({
    name: 'hostIds',
    label: 'At git hosts',
    value: hostIds.join(', '),
    hint: 'For comments such as `hostwright approve`. The answer to the first one says what to write here.',
    placeholder: 'github/583231',
  });
  const fields = html`${renderRoleFields(grants, 'member')} ${!isToken && atHosts}
    <div class="actions"><button class="primary">Save</button><a class="button" href="/people">Cancel</a></div>`;
  const consequence = isToken
    ? 'Whatever uses the token is refused from then on.'
    : 'The person is signed out everywhere. At the next sign-in, they are new and have no role.';
  return html`<p class="trail"><a href="/people">People</a></p>
    <h1>${name}</h1>
    ${renderFormRefusal(fault)}
    ${renderFactList(facts)}
    <div class="form">${renderForm(`/people/${id}`, formToken, fields)}</div>
    <details class="danger-zone">
      <summary>${isToken ? 'Revoke this token' : 'Remove this person'}</summary>
      <p>${consequence}</p>
      ${renderForm(`/people/${id}/remove`, formToken, html`<button class="danger">${isToken ? 'Revoke' : 'Remove'}</button>`)}
    </details>`;
}
