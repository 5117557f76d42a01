// Routes of the sets of variables. Values go in, and never come out.
import type { Context, Hono } from 'hono';
import type { Schemas } from '../contract.ts';
import { ApiProblemError } from '../errors/problem.ts';
import {
  applyVariableEdits,
  replaceVariables,
  type StoredVariables,
} from '../variables/variables.ts';
import type { VariableSetSummary } from '../store/variable-sets.ts';
import type { ApiDependencies, ApiRequestContext } from './api-means.ts';
import { requireShortName } from './require-short-name.ts';
import type { ReadValidatedBody } from './validate-body.ts';
import { requireAllowedVariables, requireVariableValues } from './workspace-routes.ts';

/** A set of variables, as JSON. */
export type VariableSetJson = Schemas['VariableSet'];

/** Adds the API routes of sets of variables. */
export function addVariableSetRoutes(
  app: Hono<ApiRequestContext>,
  { store: { variableSets, workspaces } }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const show = async (name: string): Promise<VariableSetJson> => {
    const [kept] = await variableSets.list(name);
    if (!kept) throw createMissingSetProblem();
    return showVariableSet(kept);
  };
  app.get('/api/v1/variable-sets', async (context) =>
    context.json({ variableSets: (await variableSets.list()).map(showVariableSet) }),
  );
  /** Edits a set under its lock; `change` gets what is kept, and says what is to be. True where there was one. */
  const edit = async (
    context: Context<ApiRequestContext, '/api/v1/variable-sets/:name'>,
    change: (before: StoredVariables | undefined, given: VariableEdits) => StoredVariables,
  ): Promise<boolean> => {
    const name = context.req.param('name');
    const { variables } = await readBody(context.req.raw, 'VariableSetEdit');
    requireAllowedVariables(variables);
    const { before } = await context.get('acting').record(
      async () => {
        await variableSets.lock();
        const kept = await variableSets.hold(name);
        const after = change(kept, variables);
        requireVariableValues(variables, kept);
        await variableSets.keep(name, after);
        return { before: kept, after };
      },
      (changed) => ({
        act: changed.before ? 'variableSet.edit' : 'variableSet.create',
        target: `variable-sets/${name}`,
        detail: describeVariableChanges(changed.before, changed.after),
      }),
    );
    return before !== undefined;
  };
  app.put('/api/v1/variable-sets/:name', async (context) => {
    const name = context.req.param('name');
    requireShortName(name);
    const wasThere = await edit(context, (before, variables) =>
      replaceVariables(before ?? { values: {}, secrets: [] }, variables),
    );
    return context.json(await show(name), wasThere ? 200 : 201);
  });
  app.patch('/api/v1/variable-sets/:name', async (context) => {
    await edit(context, (before, variables) => {
      if (!before) throw createMissingSetProblem();
      return applyVariableEdits(before, variables);
    });
    return context.json(await show(context.req.param('name')));
  });
  app.delete('/api/v1/variable-sets/:name', async (context) => {
    const name = context.req.param('name');
    await context.get('acting').record(
      async () => {
        await variableSets.lock();
        const former = await variableSets.hold(name);
        if (!former) throw createMissingSetProblem();
        const users = await variableSets.listUsers(name);
        if (users.length > 0)
          throw new ApiProblemError(
            409,
            'Workspaces use this set',
            `Take it from ${users.join(', ')} first.`,
          );
        await variableSets.remove(name);
        return former;
      },
      (former) => ({
        act: 'variableSet.remove',
        target: `variable-sets/${name}`,
        detail: { before: Object.keys(former.values) },
      }),
    );
    return context.body(null, 204);
  });
  app.post('/api/v1/variable-comparisons', async (context) => {
    const asked = await readBody(context.req.raw, 'NewVariableComparison');
    // Each is read for itself: who holds many rows in the order of a file waits for others in a circle.
    const compared = {
      workspaces: await compareEach(asked.workspaces, async (name) => {
        const found = await workspaces.find(name);
        return found && workspaces.readVariables(found.id);
      }),
      variableSets: await compareEach(asked.variableSets, (name) => variableSets.find(name)),
    };
    await context.get('acting').record(
      () => Promise.resolve(),
      () => ({
        act: 'variables.compare',
        target: 'variables',
        detail: {
          workspaces: describeAskedVariables(asked.workspaces),
          variableSets: describeAskedVariables(asked.variableSets),
        },
      }),
    );
    return context.json(compared);
  });
}

type VariableEdits = Schemas['VariableSetEdit']['variables'];

type AskedVariables = Schemas['NewVariableComparison']['workspaces'];

/** Compares given values with the stored ones by name; names without a stored value are left out. */
async function compareEach(
  asked: AskedVariables,
  read: (name: string) => Promise<StoredVariables | undefined>,
): Promise<Schemas['VariableComparison']['workspaces']> {
  const compared: [string, Schemas['ComparedVariables']][] = [];
  for (const [name, given] of Object.entries(asked)) {
    const kept = await read(name);
    if (!kept) continue;
    const { values, secrets } = kept;
    const differing = Object.entries(given)
      .filter(([one, value]) => !Object.hasOwn(values, one) || values[one] !== value)
      .map(([one]) => one);
    compared.push([name, { names: Object.keys(values).sort(), secrets, differing }]);
  }
  return Object.fromEntries(compared);
}

/** The names of what was compared, without a value. */
function describeAskedVariables(asked: AskedVariables): object {
  return Object.fromEntries(
    Object.entries(asked).map(([name, given]) => [name, Object.keys(given)]),
  );
}

/** The names of the variables of a set before and after a change, and what changed of them, without a value. */
function describeVariableChanges(
  before: StoredVariables | undefined,
  after: StoredVariables,
): object {
  const names = Object.keys(after.values);
  const former = Object.keys(before?.values ?? {});
  return {
    variables: names,
    ...(before && {
      before: former,
      changed: names.filter((name) => isVariableChanged(name, before, after)),
      removed: former.filter((name) => !Object.hasOwn(after.values, name)),
    }),
  };
}

function isVariableChanged(name: string, before: StoredVariables, after: StoredVariables): boolean {
  return (
    !Object.hasOwn(before.values, name) ||
    before.values[name] !== after.values[name] ||
    before.secrets.includes(name) !== after.secrets.includes(name)
  );
}

const createMissingSetProblem = () =>
  new ApiProblemError(404, 'There is no set of variables with this name');

function showVariableSet({
  names,
  secrets,
  workspaces,
  changedAt,
  name,
}: VariableSetSummary): VariableSetJson {
  return { name, names, secrets, workspaces, changedAt: changedAt.toISOString() };
}
