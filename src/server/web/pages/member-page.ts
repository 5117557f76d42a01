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

interface KindWords {
  readonly kindName: string;
  /** The command that removes such a member. */
  readonly act: string;
  readonly consequence: string;
}

const words: Readonly<Record<MemberJson['kind'], KindWords>> = {
  person: {
    kindName: 'Person',
    act: 'Remove',
    consequence:
      'The person is signed out everywhere. At the next sign-in, they are new and have the roles of their groups alone.',
  },
  token: {
    kindName: 'Token of a machine',
    act: 'Revoke',
    consequence: 'Whatever uses the token is refused from then on.',
  },
  group: {
    kindName: 'Group of the provider',
    act: 'Remove',
    consequence: 'Whoever is in it loses its roles at once.',
  },
};

/** Renders a person or a token with its roles and the form to remove it. */
export function renderMemberPage({ member, formToken, now, fault }: MemberPageView): SafeHtml {
  const { id, kind, name, issuer, subject, email, expiresAt, createdAt, grants, hostIds, groups } =
    member;
  const { kindName, act, consequence } = words[kind];
  const facts = {
    Kind: kindName,
    'E-mail': email,
    Issuer: issuer,
    Subject: subject,
    Groups: groups.length === 0 ? undefined : groups.join(', '),
    Ends: expiresAt?.slice(0, 10),
    Since: renderTimeAgo(createdAt, now),
  };
  const atHosts = renderTextField({
    name: 'hostIds',
    label: 'At git hosts',
    value: hostIds.join(', '),
    hint: 'For reviews and for comments such as `hostwright approve`. The answer to the first comment says what to write here.',
    placeholder: 'github/583231',
  });
  const fields = html`${renderRoleFields(grants, 'member')} ${kind === 'person' && atHosts}
    <div class="actions"><button class="primary">Save</button><a class="button" href="/people">Cancel</a></div>`;
  return html`<p class="trail"><a href="/people">People</a></p>
    <h1>${name}</h1>
    ${renderFormRefusal(fault)}
    ${renderFactList(facts)}
    <div class="form">${renderForm(`/people/${id}`, formToken, fields)}</div>
    <details class="danger-zone">
      <summary>${act} this ${kind}</summary>
      <p>${consequence}</p>
      ${renderForm(`/people/${id}/remove`, formToken, html`<button class="danger">${act}</button>`)}
    </details>`;
}
