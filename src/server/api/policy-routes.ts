// Routes of the policies that the server keeps.
import type { Hono } from 'hono';
import { listPolicyFileErrors } from '../../commands/session/check-policies.ts';
import { formatSourcePlace } from '../../model/source.ts';
import type { Schemas } from '../contract.ts';
import { ApiProblemError } from '../errors/problem.ts';
import type { StoredPolicyFile } from '../policies/policy-files.ts';
import type { ApiDependencies, ApiRequestContext } from './api-means.ts';
import { findWorkspaceIds } from './find-workspace-ids.ts';
import { requireShortName } from './require-short-name.ts';
import type { ReadValidatedBody } from './validate-body.ts';

/** A policy file that the server stores, as JSON. */
export type PolicyFileJson = Schemas['PolicyFile'];

/** Adds the API routes of policies. */
export function addPolicyRoutes(
  app: Hono<ApiRequestContext>,
  { store }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const { policies } = store;
  app.get('/api/v1/policies', async (context) =>
    context.json({ policies: (await policies.list()).map(showPolicyFile) }),
  );
  app.put('/api/v1/policies/:name', async (context) => {
    const name = context.req.param('name');
    const { content, workspaces, changedAt } = await readBody(context.req.raw, 'PolicyFileEdit');
    // The name of the policy becomes that of a file, too.
    requireShortName(name);
    const ids = workspaces && (await findWorkspaceIds(store, workspaces));
    const own = { name, content };
    // By itself first: the others could hide that it has no policies.
    await requireSoundPolicies([own]);
    const [before, kept] = await context.get('acting').record(
      async () => {
        await policies.lock();
        const all = await policies.list();
        const former = all.find((one) => one.name === name);
        if (changedAt !== undefined) requireUnchanged(former, changedAt);
        const meeting = all.filter(
          (one) => one !== former && haveCommonWorkspace(one, { workspaces }),
        );
        if (meeting.length > 0) await requireSoundPolicies([...meeting, own]);
        return [former, await policies.keep(name, content, ids)] as const;
      },
      ([former]) => ({
        act: former ? 'policies.edit' : 'policies.create',
        target: `policies/${name}`,
        // Who weakens a policy is seen by what it was, and what it became.
        detail: { content, workspaces, ...(former && { before: describeForAudit(former) }) },
      }),
    );
    return context.json(showPolicyFile(kept), before ? 200 : 201);
  });
  app.delete('/api/v1/policies/:name', async (context) => {
    const name = context.req.param('name');
    await context.get('acting').record(
      async () => {
        const former = await policies.find(name);
        if (!former || !(await policies.remove(name))) throw explainMissing();
        return former;
      },
      (former) => ({
        act: 'policies.remove',
        target: `policies/${name}`,
        detail: { before: describeForAudit(former) },
      }),
    );
    return context.body(null, 204);
  });
}

const describeForAudit = ({ content, workspaces }: StoredPolicyFile) => ({ content, workspaces });

function explainMissing(): ApiProblemError {
  return new ApiProblemError(404, 'There are no policies with this name');
}

/** @throws ApiProblemError where the policies are no longer those that were read, so that nobody's change is lost unseen */
function requireUnchanged(kept: StoredPolicyFile | undefined, readAt: string): void {
  if (kept?.changedAt.getTime() === Date.parse(readAt)) return;
  throw new ApiProblemError(
    409,
    kept ? 'Somebody has changed these policies meanwhile' : 'Somebody has removed these policies',
    'Nothing was changed. Read them again, and send the edit anew.',
  );
}

/** True where a plan may be judged by both: what one of them has, the other cannot have. */
function haveCommonWorkspace(
  { workspaces: some }: Pick<StoredPolicyFile, 'workspaces'>,
  { workspaces: others }: Pick<StoredPolicyFile, 'workspaces'>,
): boolean {
  return !some || !others || some.some((one) => others.includes(one));
}

/** @throws ApiProblemError with all errors */
async function requireSoundPolicies(
  files: readonly Pick<StoredPolicyFile, 'name' | 'content'>[],
): Promise<void> {
  const errors = await listPolicyFileErrors(
    new Map(files.map(({ name, content }) => [name, content])),
  );
  if (errors.length === 0) return;
  const lines = errors.map(({ summary, detail, hint, source }) =>
    [
      source ? `${formatSourcePlace(source)}: ${summary}.` : `${summary}.`,
      ...[detail, hint].filter((one) => one !== undefined),
    ].join(' '),
  );
  throw new ApiProblemError(422, 'The policies are not valid', lines.join('\n'));
}

function showPolicyFile({
  name,
  content,
  workspaces,
  changedAt,
}: StoredPolicyFile): PolicyFileJson {
  return {
    name,
    content,
    ...(workspaces && { workspaces: [...workspaces] }),
    changedAt: changedAt.toISOString(),
  };
}
