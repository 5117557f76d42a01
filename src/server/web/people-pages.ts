// People, tokens and their roles: pages and forms for administrators.
import type { MemberJson } from '../api/member-routes.ts';
import { roles, type RoleGrant, type Role } from '../people/roles.ts';
import { answerFormPost, answerViewerWithPage, redirectToPage } from './answer-page.ts';
import { ApiRefusal } from './page-api.ts';
import { WebPageRequestFault, readFormNames, type WebPageRequest } from './page-request.ts';
import { renderMemberPage } from './pages/member-page.ts';
import { renderPeoplePage, type NewTokenDisplay } from './pages/people-page.ts';

/** Shows the page `/people`: with a new token, whose value is shown once, or with the reason why the last form was refused. */
export async function showPeoplePage(
  request: WebPageRequest,
  news: { readonly made?: NewTokenDisplay; readonly fault?: string } = {},
): Promise<Response> {
  const { api, formToken, now } = request;
  const { members } = await api.get<{ members: readonly MemberJson[] }>('/api/v1/members');
  const content = renderPeoplePage({ members, formToken, now, ...news });
  return answerViewerWithPage(request, { title: 'People', place: '/people', content }, news.fault);
}

/** Shows the page `/people/:member`. */
export async function showMemberPage(request: WebPageRequest, fault?: string): Promise<Response> {
  const { formToken, now } = request;
  const member = await findMember(request);
  const content = renderMemberPage({ member, formToken, now, fault });
  return answerViewerWithPage(request, { title: member.name, place: '/people', content }, fault);
}

/** Handles the form that creates an API token. The token is in the answer itself, since no page can show it again. */
export async function handleCreateTokenForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  return answerFormPost(
    async () => {
      const { name, token = '' } = await api.send<MemberJson>('POST', '/api/v1/members', {
        kind: 'token',
        name: (form.get('name') ?? '').trim(),
        expiresInDays: Number(form.get('days') ?? ''),
        grants: readGrants(form),
      });
      return showPeoplePage(request, { made: { name, token } });
    },
    (fault) => showPeoplePage(request, { fault }),
  );
}

/** Handles the form that gives roles to a group of the provider. */
export async function handleCreateGroupForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  return answerFormPost(
    async () => {
      const name = (form.get('name') ?? '').trim();
      await api.send('POST', '/api/v1/members', { kind: 'group', name, grants: readGrants(form) });
      return '/people';
    },
    (fault) => showPeoplePage(request, { fault }),
  );
}

/** Handles the form that adds a person before their first sign-in. */
export async function handleCreatePersonForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const read = (name: string) => (form.get(name) ?? '').trim();
  const [name, issuer, subject, email] = ['name', 'issuer', 'subject', 'email'].map(read);
  return answerFormPost(
    async () => {
      const grants = readGrants(form);
      const person = {
        kind: 'person',
        name,
        issuer,
        subject,
        ...(email !== '' && { email }),
        grants,
      };
      await api.send('POST', '/api/v1/members', person);
      return '/people';
    },
    (fault) => showPeoplePage(request, { fault }),
  );
}

/** Handles the form that sets the roles of a person or a token. */
export async function handleEditMemberForm(request: WebPageRequest): Promise<Response> {
  const { api, form } = request;
  const { id } = await findMember(request);
  return answerFormPost(
    async () => {
      const hostIds = readFormNames(form, 'hostIds');
      const edit = { grants: readGrants(form), ...(form.has('hostIds') && { hostIds }) };
      await api.send('PATCH', `/api/v1/members/${id}`, edit);
      return '/people';
    },
    (fault) => showMemberPage(request, fault),
  );
}

/** Handles the form that removes a person or revokes a token. */
export async function handleRemoveMemberForm(request: WebPageRequest): Promise<Response> {
  const { id } = await findMember(request);
  await request.api.send('DELETE', `/api/v1/members/${id}`);
  return redirectToPage('/people');
}

async function findMember({ api, param }: WebPageRequest): Promise<MemberJson> {
  const path = `/api/v1/members/${encodeURIComponent(param('member'))}`;
  const found = await api.find<MemberJson>(path);
  if (!found)
    throw new WebPageRequestFault(404, 'No such person or token', 'It may have been removed.');
  return found;
}

/** The roles of a form: boxes for all workspaces, and lines as `shop: plan, apply`. @throws ApiRefusal */
function readGrants(form: URLSearchParams): readonly RoleGrant[] {
  const all = form.getAll('role').filter(isRole);
  const lines = (form.get('places') ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const some = lines.flatMap((line, index) => {
    const [, workspace, list = ''] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    const given = list.split(/[\s,]+/).filter((one) => one !== '');
    const known = given.filter(isRole);
    if (workspace === undefined || known.length === 0 || known.length < given.length)
      throw new ApiRefusal(
        422,
        `Line ${index + 1} of the workspaces is not a name and roles`,
        'Write it as shop: plan, apply.',
      );
    return known.map((role) => ({ workspace, role }));
  });
  return [...all.map((role) => ({ role })), ...some];
}

function isRole(text: string): text is Role {
  return roles.includes(text);
}
