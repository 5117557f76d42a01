// What whoever sends a wrong body to the API reads: which field, what is expected, and an example.
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  openBodyValidation,
  type RequestBodyName,
  type ReadValidatedBody,
} from '../../../../src/server/api/validate-body.ts';
import { ApiProblemError } from '../../../../src/server/errors/problem.ts';
import { readRows } from '../../../support/read-rows.ts';

let readBody: ReadValidatedBody;
beforeAll(async () => {
  readBody = await openBodyValidation();
});

async function refuse(name: RequestBodyName, body: unknown): Promise<string | undefined> {
  const request = new Request('http://server.invalid/', {
    ...{ method: 'POST', body: JSON.stringify(body) },
  });
  const fault = await readBody(request, name).catch((error: unknown) => error);
  if (!(fault instanceof ApiProblemError)) return undefined;
  expect([fault.status, fault.message]).toEqual([422, 'The body is not valid']);
  return fault.detail;
}

const token = { kind: 'token', name: 'ci', grants: [] };
const workspace = { name: 'shop', repository: 'file:///r' };

/** What a body of each name has that is valid; a field that a row gives as nothing is left out. */
const bases: Readonly<Record<string, object>> = { NewMember: token, NewWorkspace: workspace };
const fieldsOf = (text: string) =>
  Object.fromEntries(
    Object.entries(parse(text) as Record<string, unknown>).map(
      ([name, value]) => [name, value ?? undefined] as const,
    ),
  );
const address =
  'must be an address that begins with https:// or file://, without spaces, credentials, a query or a fragment, for example https://git.example.com/acme/infra.git.';

describe('a body that is not valid says', () => {
  test.each(
    readRows(`
    which field is missing | NewMember | {} | expiresInDays is missing. Give a whole number from 1 to 366, for example 90.
    what a text has to look like | NewWorkspace | { repository: "ssh://h/r" } | repository ${address}
    the same where a field refers to another body | WorkspaceEdit | { repository: "git@h:r" } | repository ${address}
    both ends of a range | NewMember | { expiresInDays: 0 } | expiresInDays must be a whole number from 1 to 366, for example 90.
    what type is expected | NewWorkspace | { poll: "yes" } | poll must be true or false.
    where null is allowed | WorkspaceEdit | { driftEveryMinutes: often } | driftEveryMinutes must be a whole number from 5 to 44640 or null, for example 60.
    the nearest name of an unknown field | NewMember | { expiresInDays: 1, grant: [] } | There is no field grant. Did you mean grants?
    the known fields where none is near | NewDecision | { decision: "yes", because: x } | There is no field because. Valid fields: decision, comment.
    where an unknown field is | NewWorkspace | { approvals: { counts: 1 } } | approvals has no field counts. Did you mean count?
    which values there are | NewConnection | { name: a, kind: gitlub, token: t } | kind must be github or gitlab. Did you mean github?
    what an operation needs, and nothing of others | NewRun | { operation: apply, workspace: shop } | plan is missing. Give the id of the run that planned it. There is no field workspace. Valid fields: operation, plan.
    which operations there are | NewRun | { operation: aply, workspace: shop } | operation must be plan, destroy, drift or apply. Did you mean apply?
    which kinds there are where none is given | NewMember | { kind: } | kind is missing. Give person, token or group.
    that a role is for all workspaces alone | NewMember | { expiresInDays: 1, grants: [{ role: admin, workspace: shop }] } | grants[0]: The role admin is for all workspaces. Leave workspace out.
    which item of a list is wrong | NewWorkspace | { after: [a, 3] } | after[1] must be a text of at most 63 characters.
    which item comes twice | NewWorkspace | { after: [a, b, a] } | after must name nothing twice: items 0 and 2 are the same.
    how long a text may be | NewWorkspace | { directory: ${'x'.repeat(501)} } | directory must have at most 500 characters.
    how many items there may be | NewMessageTarget | { name: a, kind: slack, address: x, events: [] } | events must be a list of 1 or more items.
    which variable is wrong, and never its value | NewWorkspace | { variables: { HOSTWRIGHT_VAR_a/b: 77123 } } | variables.HOSTWRIGHT_VAR_a/b must be a text of at most 65536 characters, { value, secret }, or null.
    that a body is empty | WorkspaceEdit | {} | The body has no field. Give at least one.
  `),
  )('%s', async (_what, name, body, said) => {
    const given = { ...bases[name], ...fieldsOf(body) };
    expect(await refuse(name as RequestBodyName, given)).toBe(said);
  });

  test('that a body is no object', async () =>
    expect(await refuse('NewDecision', ['yes'])).toBe('The body must be an object.'));

  test('as many faults as there are', async () => {
    const said = await refuse('NewWorkspace', { name: 'Shop!', directory: '../x' });
    expect(said?.split(/(?<=\.) (?=[a-z])/)).toEqual([
      'repository is missing. Give an address that begins with https:// or file://, without spaces, credentials, a query or a fragment, for example https://git.example.com/acme/infra.git.',
      'name must be 1 to 63 small letters, digits and hyphens, with no hyphen at either end, for example shop.',
      'directory must be a path within the repository, without / at its beginning and without .., for example network/prod.',
    ]);
  });

  test('no word of a validator, whatever is wrong', async () => {
    const values = [null, 7, 'x y', [], {}, [7], true, '', 1e9, ['a', 'a']];
    const fields: Readonly<Partial<Record<RequestBodyName, object>>> = {
      NewWorkspace: { name: 'shop', repository: 'file:///r' },
      NewMember: { ...token, expiresInDays: 1 },
      NewConnection: { name: 'a', kind: 'github', token: 't', appId: 'a', installationId: '1' },
      NewMessageTarget: { name: 'a', kind: 'slack', address: 'x', events: [], workspaces: [] },
      AccountEdit: { requestsPerSecond: 1, burst: 1 },
      NewRun: { operation: 'plan', workspace: 'shop', commit: 'x' },
    };
    for (const [name, body] of Object.entries(fields)) {
      for (const field of Object.keys(body)) {
        for (const value of values) {
          expect(
            (await refuse(name as RequestBodyName, { ...body, [field]: value })) ?? '',
          ).not.toMatch(/must NOT|must have|must match|pattern|propert|schema|undefined/);
        }
      }
    }
  });
});

test('a body that is valid gets its defaults', async () => {
  const request = new Request('http://server.invalid/', {
    ...{ method: 'POST', body: JSON.stringify(workspace) },
  });
  expect(await readBody(request, 'NewWorkspace')).toMatchObject({ branch: 'main', directory: '.' });
});
