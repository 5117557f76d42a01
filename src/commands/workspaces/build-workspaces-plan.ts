// Changes that a file of workspaces would make on a server.
import { isDeepStrictEqual } from 'node:util';
import type {
  DeclaredWorkspaceVariable,
  DeclaredWorkspaceVariableSet,
  DeclaredWorkspace,
  WorkspacesFile,
} from '../../config/workspaces/read-workspaces-file.ts';
import type { ConfigurationFault, ConfigurationFaultList } from '../../config/source/fault-list.ts';
import type { LocatedYamlNode } from '../../config/source/located-node.ts';
import { readNodeText } from '../../config/source/read-fields.ts';
import { toSourceRange } from '../../config/source/source-file.ts';
import type {
  WorkspacesChange,
  WorkspaceFieldChange,
  WorkspacesPlan,
  WorkspaceVariableChange,
} from '../../model/workspaces/workspaces-plan.ts';
import { explainRefusedVariable } from '../../model/workspaces/workspace-variables.ts';
import { isJsonObject, type JsonObject } from '../../model/json-object.ts';
import type { Runtime } from '../../model/runtime.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { Value } from '../../model/value.ts';
import { splitOwnedVariablesByRequest } from './split-variables.ts';
import type { TeamServerClient } from './team-server.ts';

/** A variable as the API takes it. */
export type ApiVariableEdit =
  string | null | { readonly value?: string; readonly secret?: boolean };

/** A change to the team server, with the request body for it, which holds values of variables. */
export interface PreparedWorkspacesChange {
  readonly change: WorkspacesChange;
  /** Body of the request, without the variables. */
  readonly fields: Readonly<Record<string, Value>>;
  readonly variables: Readonly<Record<string, ApiVariableEdit>>;
}

/** Plan of a workspaces file, with the request bodies of its changes. */
export interface PreparedWorkspacesPlan extends WorkspacesPlan {
  readonly prepared: readonly PreparedWorkspacesChange[];
}

interface ComparedVariables {
  readonly names: readonly string[];
  readonly secrets: readonly string[];
  readonly differing: readonly string[];
}

type ComparisonAnswer = Readonly<
  Record<'workspaces' | 'variableSets', Readonly<Record<string, ComparedVariables>>>
>;

type Compared = ReadonlyMap<string, ComparedVariables>;

interface ServerContent {
  readonly workspaces: ReadonlyMap<string, JsonObject>;
  readonly setNames: readonly string[];
  readonly connections: readonly string[];
  readonly compared: { readonly workspaces: Compared; readonly variableSets: Compared };
}

/**
 * Compares a workspaces file with a team server, and plans the changes of its workspaces and variable sets. Where the file has
 * faults, they are reported, and nothing is planned.
 */
export async function buildWorkspacesPlan(
  file: WorkspacesFile,
  server: TeamServerClient,
  env: Runtime['env'],
  faults: ConfigurationFaultList,
): Promise<PreparedWorkspacesPlan | undefined> {
  const unfit = listUnfitValues(file, env);
  for (const fault of unfit) faults.add(fault);
  if (unfit.length > 0) return undefined;
  const content = await readServer(file, server, env);
  const { compared, setNames } = content;
  requireKnownNames(file, content, faults);
  const sets = file.variableSets.flatMap((set) => {
    const kept = compared.variableSets.get(set.name);
    const variables = planVariables(set, kept, env, faults);
    return prepare('variable set', set, kept !== undefined, [], variables);
  });
  const workspaces = file.workspaces.flatMap((workspace) => {
    const before = content.workspaces.get(workspace.name);
    const kept = compared.workspaces.get(workspace.name);
    const variables = planVariables(workspace, kept, env, faults);
    const fields = listFieldChanges(workspace, before);
    return prepare('workspace', workspace, before !== undefined, fields, variables);
  });
  if (!faults.isEmpty) return undefined;
  const prepared = [...sets, ...workspaces];
  const without = (names: Iterable<string>, listed: readonly { readonly name: string }[]) => {
    const known = new Set(listed.map(({ name }) => name));
    return [...names].filter((name) => !known.has(name)).sort();
  };
  return {
    prepared,
    changes: prepared.map(({ change }) => change),
    unlisted: {
      workspace: without(content.workspaces.keys(), file.workspaces),
      'variable set': without(setNames, file.variableSets),
    },
  };
}

/** Faults of values of the environment that no workspace can have. Those of the file were checked when it was read. */
function listUnfitValues(file: WorkspacesFile, env: Runtime['env']): readonly ConfigurationFault[] {
  return [...file.variableSets, ...file.workspaces].flatMap(({ name: owner, variables }) =>
    variables.flatMap(({ name, env: from, place }): readonly ConfigurationFault[] => {
      const value = from === undefined ? undefined : env[from];
      const unfit = value === undefined ? undefined : explainRefusedVariable(name, value);
      if (unfit === undefined) return [];
      return [
        {
          code: 'workspace-variable-unfit',
          summary: `${name} of ${owner} cannot be set: ${unfit}`,
          hint: 'Correct the variable of the environment that `env` names.',
          place,
        },
      ];
    }),
  );
}

async function readServer(
  file: WorkspacesFile,
  server: TeamServerClient,
  env: Runtime['env'],
): Promise<ServerContent> {
  const [{ workspaces }, { variableSets }, { connections }] = await Promise.all([
    server.read<{ workspaces: readonly (JsonObject & { name: string })[] }>('/workspaces'),
    server.read<{ variableSets: readonly { name: string }[] }>('/variable-sets'),
    server.read<{ connections: readonly { name: string }[] }>('/connections'),
  ]);
  const compare = async (kind: 'workspaces' | 'variableSets') => {
    const all = new Map<string, ComparedVariables>();
    const asked = file[kind].map(
      ({ name, variables }) => [name, listValues(variables, env)] as const,
    );
    for (const part of splitOwnedVariablesByRequest(asked)) {
      const answer = await server.read<ComparisonAnswer>('/variable-comparisons', { [kind]: part });
      for (const [name, one] of Object.entries(answer[kind])) {
        // The variables of one owner may be compared in several requests: their differing names are joined.
        const { differing = [] } = all.get(name) ?? {};
        all.set(name, { ...one, differing: [...differing, ...one.differing] });
      }
    }
    return all;
  };
  return {
    workspaces: new Map(workspaces.map((one) => [one.name, one])),
    setNames: variableSets.map(({ name }) => name),
    connections: connections.map(({ name }) => name),
    compared: {
      workspaces: await compare('workspaces'),
      variableSets: await compare('variableSets'),
    },
  };
}

/**
 * The value that a variable is to have; undefined where it keeps its own. A pipeline whose secret is missing has an empty
 * variable in its place.
 */
function findValue(
  { text, env: name }: DeclaredWorkspaceVariable,
  env: Runtime['env'],
): string | undefined {
  const given = name === undefined ? undefined : env[name];
  return text ?? (given === '' ? undefined : given);
}

function listValues(
  variables: readonly DeclaredWorkspaceVariable[],
  env: Runtime['env'],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    variables.flatMap((one) => {
      const value = findValue(one, env);
      return value === undefined ? [] : [[one.name, value]];
    }),
  );
}

/** Reports names of sets, workspaces and connections that neither the file nor the server has. */
function requireKnownNames(
  file: WorkspacesFile,
  { workspaces, setNames, connections }: ServerContent,
  faults: ConfigurationFaultList,
): void {
  const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  const known = {
    variableSets: ['variable set', new Set([...namesOf(file.variableSets), ...setNames])],
    after: ['workspace', new Set([...namesOf(file.workspaces), ...workspaces.keys()])],
    connection: ['connection', new Set(connections)],
  } as const;
  for (const { fields, nodes, place } of file.workspaces)
    for (const [field, [noun, names]] of Object.entries(known))
      for (const name of [fields[field] ?? []].flat()) {
        if (typeof name !== 'string' || names.has(name)) continue;
        const meant = suggestNearestName(name, [...names]);
        faults.add({
          code: 'unknown-server-name',
          summary: `There is no ${noun} ${name}`,
          hint:
            meant === undefined
              ? 'Add it, or write a name that the file or the server has.'
              : `Did you mean \`${meant}\`?`,
          place: findNamed(nodes[field], name) ?? place,
        });
      }
}

/** Place of a text in a field, for a message: the item of a list that has the text, or the field's value. */
function findNamed(node: LocatedYamlNode | undefined, text: string): LocatedYamlNode | undefined {
  if (node?.kind !== 'list') return node;
  return node.items.find((item) => readNodeText(item) === text);
}

interface PlannedVariables {
  readonly changes: readonly WorkspaceVariableChange[];
  readonly sent: Readonly<Record<string, ApiVariableEdit>>;
}

function planVariables(
  { name: owner, variables }: DeclaredWorkspaceVariableSet,
  kept: ComparedVariables = { names: [], secrets: [], differing: [] },
  env: Runtime['env'],
  faults: ConfigurationFaultList,
): PlannedVariables {
  const changes: WorkspaceVariableChange[] = [];
  const sent: Record<string, ApiVariableEdit> = {};
  for (const one of variables) {
    const { name, isRemoved, isSecret: isMarked } = one;
    const isKept = kept.names.includes(name);
    const wasSecret = kept.secrets.includes(name);
    const isSecret = isMarked || wasSecret;
    const value = findValue(one, env);
    if (isRemoved) {
      if (isKept) changes.push({ name, action: 'remove', isSecret: wasSecret });
      if (isKept) sent[name] = null;
    } else if (value === undefined && !isKept) {
      faults.add(explainNoValue(one, owner));
    } else if (!isKept || isSecret !== wasSecret || kept.differing.includes(name)) {
      changes.push({ name, action: isKept ? 'change' : 'add', isSecret });
      sent[name] = { ...(value !== undefined && { value }), secret: isSecret };
    }
  }
  return { changes, sent };
}

function explainNoValue({ name, env, place }: DeclaredWorkspaceVariable, owner: string) {
  const code = 'variable-without-value';
  const summary = `${name} of ${owner} has no value yet`;
  if (env === undefined) {
    const detail =
      'The server does not have it, and the file does not say where its value comes from.';
    return { code, summary, detail, hint: 'Add `env` with the name of a variable.', place };
  }
  const detail = `The server does not have it, and ${env} is not set in the environment.`;
  return { code, summary, detail, hint: `Set ${env}.`, place };
}

/** Fields whose value is another. Of a map, only what the file gives of it is compared. */
function listFieldChanges(
  { fields }: DeclaredWorkspace,
  workspace: JsonObject | undefined,
): readonly WorkspaceFieldChange[] {
  return Object.entries(fields).flatMap(([name, given]) => {
    // Copied by way of JSON, since maps read from YAML have no prototype and equal none of the server's.
    const after = JSON.parse(JSON.stringify(given)) as Value;
    if (!workspace) return [{ name, after }];
    const present = (workspace[name] ?? null) as Value;
    const before =
      isJsonObject(after) && isJsonObject(present)
        ? Object.fromEntries(Object.keys(after).map((key) => [key, present[key] ?? null]))
        : present;
    return isDeepStrictEqual(before, after) ? [] : [{ name, before, after }];
  });
}

/** A change of one workspace or set; none where nothing of it differs. */
function prepare(
  kind: WorkspacesChange['kind'],
  { name, place }: DeclaredWorkspaceVariableSet,
  isKept: boolean,
  fields: readonly WorkspaceFieldChange[],
  { changes: variables, sent }: PlannedVariables,
): readonly PreparedWorkspacesChange[] {
  if (isKept && fields.length === 0 && variables.length === 0) return [];
  const action = isKept ? 'update' : 'create';
  const change = { kind, name, action, fields, variables, source: toSourceRange(place) } as const;
  const given = Object.fromEntries(fields.map((one) => [one.name, one.after]));
  return [{ change, fields: given, variables: sent }];
}
