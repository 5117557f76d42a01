// People, tokens and groups, and their roles: for administrators.
import type { Hono } from 'hono';
import type { ServerMember } from '../people/members.ts';
import type { RoleGrant } from '../people/roles.ts';
import { isRowId } from '../database/row-id.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import type { ReadValidatedBody } from './validate-body.ts';
import type { Schemas } from '../contract.ts';

/** A person or an API token, as JSON. */
export type MemberJson = Schemas['Member'];

/** Adds the API routes of people, tokens and their roles. */
export function addMemberRoutes(
  app: Hono<ApiRequestContext>,
  { store }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const { members } = store;
  const find = async (id: string): Promise<ServerMember> => {
    const found = isRowId(id) ? await members.find(id) : undefined;
    if (!found) throw new ApiProblemError(404, 'There is no such person, token or group');
    return found;
  };
  const grant = async (id: string, grants: readonly RoleGrant[]) => {
    const unknown = await members.grant(id, grants);
    if (unknown.length > 0)
      throw new ApiProblemError(
        422,
        'The body is not valid',
        `There is no workspace ${unknown.join(', ')}.`,
      );
  };
  app.get('/api/v1/me', (context) => {
    const { id, kind, person: name, roles } = context.get('caller');
    return context.json({ id, kind, name, roles });
  });
  app.get('/api/v1/members', async (context) =>
    context.json({ members: (await members.list()).map(showMember) }),
  );
  app.get('/api/v1/members/:member', async (context) =>
    context.json(showMember(await find(context.req.param('member')))),
  );
  app.post('/api/v1/members', async (context) => {
    const given = await readBody(context.req.raw, 'NewMember');
    const made = await context.get('acting').record(
      async () => {
        const { member, token } = await add(given);
        await grant(member.id, given.grants);
        return { ...showMember(await find(member.id)), ...(token !== undefined && { token }) };
      },
      (member) => describe('member.create', member, { grants: member.grants }),
    );
    return context.json(made, 201);
  });
  app.patch('/api/v1/members/:member', async (context) => {
    const before = await find(context.req.param('member'));
    const { grants, hostIds } = await readBody(context.req.raw, 'MemberEdit');
    await context.get('acting').record(
      async () => {
        if (grants) await grant(before.id, grants);
        const taken = hostIds && (await members.setHostIds(before.id, hostIds));
        if (taken !== undefined)
          throw new ApiProblemError(
            409,
            'Somebody else has this identity',
            `${taken} is another person's.`,
          );
      },
      () =>
        describe('member.edit', before, {
          ...(grants && { before: before.grants, grants }),
          ...(hostIds && { hostIds }),
        }),
    );
    return context.json(showMember(await find(before.id)));
  });
  app.delete('/api/v1/members/:member', async (context) => {
    const member = await find(context.req.param('member'));
    await context.get('acting').record(
      () => members.remove(member.id),
      () => describe('member.remove', member, {}),
    );
    return context.body(null, 204);
  });

  function add(given: Schemas['NewMember']) {
    if (given.kind === 'token') return addToken(given);
    return given.kind === 'group' ? addGroup(given) : addPerson(given);
  }

  async function addGroup({ name }: Extract<Schemas['NewMember'], { kind: 'group' }>) {
    const member = await members.addGroup(name);
    if (!member) throw new ApiProblemError(409, 'A group with this name exists already');
    return { member, token: undefined };
  }

  async function addToken({
    name,
    expiresInDays,
  }: Extract<Schemas['NewMember'], { kind: 'token' }>) {
    const added = await members.addToken(name, expiresInDays);
    if (!added) throw new ApiProblemError(409, 'A token with this name exists already');
    return added;
  }

  async function addPerson(given: Extract<Schemas['NewMember'], { kind: 'person' }>) {
    const member = await members.addPerson(given);
    if (!member) throw new ApiProblemError(409, 'A person with this identity exists already');
    return { member, token: undefined };
  }
}

/** Audit entry of an act on a member. It names the member, too, since the member may be gone when it is read. */
function describe(act: string, { id, kind, name }: MemberJson | ServerMember, more: object) {
  return { act, target: `${kind}/${name}`, detail: { id, ...more } };
}

function showMember(member: ServerMember): MemberJson {
  const { id, kind, name, issuer, subject, email, expiresAt, createdAt, grants, hostIds, groups } =
    member;
  return {
    id,
    kind,
    name,
    grants,
    hostIds,
    groups,
    ...(issuer !== undefined && { issuer }),
    ...(subject !== undefined && { subject }),
    ...(email !== undefined && { email }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    createdAt: createdAt.toISOString(),
  };
}
