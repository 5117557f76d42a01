// Reader of the file that declares workspaces of a server.
import { isTeamServerObjectName } from '../../model/workspaces/short-name.ts';
import {
  explainUnfitVariable,
  isCredentialVariable,
  isVariableAllowed,
  serviceAddressVariable,
} from '../../model/workspaces/workspace-variables.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Value } from '../../model/value.ts';
import { reportSchemaViolations } from '../schema/explain-shape-error.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  toPlainValue,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { isTrueNode, readNodeText, readNodeTexts } from '../source/read-fields.ts';
import { readYamlTree } from '../source/read-tree.ts';
import { SourceFile, type SourceTextRange } from '../source/source-file.ts';
import { checkWorkspaceFields, type IsIpAddressRange } from './check-workspace.ts';
import { hideVariableSecrets } from './hide-variable-secrets.ts';

/** Variable of a workspace or of a variable set, as the file of workspaces declares it. */
export interface DeclaredWorkspaceVariable {
  readonly name: string;
  /** Text of the variable; undefined where it comes from the environment, or stays as the server has it. */
  readonly text?: string | undefined;
  /** Name of the environment variable that has its value. */
  readonly env?: string | undefined;
  readonly isSecret: boolean;
  /** Tells whether the file asks to remove the variable from the server. */
  readonly isRemoved: boolean;
  readonly place: SourceTextRange;
}

/** Set of variables that workspaces share, as the file of workspaces declares it. */
export interface DeclaredWorkspaceVariableSet {
  readonly name: string;
  readonly variables: readonly DeclaredWorkspaceVariable[];
  readonly place: SourceTextRange;
}

/** Workspace of the team server, as the file of workspaces declares it. */
export interface DeclaredWorkspace extends DeclaredWorkspaceVariableSet {
  /** Fields that the file gives, but for the variables. */
  readonly fields: Readonly<Record<string, Value>>;
  readonly after: readonly string[];
  /** YAML of its fields, for messages. */
  readonly nodes: Readonly<Record<string, LocatedYamlNode>>;
}

/** Everything that a file of workspaces declares. */
export interface WorkspacesFile {
  readonly variableSets: readonly DeclaredWorkspaceVariableSet[];
  readonly workspaces: readonly DeclaredWorkspace[];
}

/** Reads a file of workspaces; `path` is its name in messages. Undefined where it has a fault, which is reported. */
export function readWorkspacesFile(
  text: string,
  path: string,
  isAddressRange: IsIpAddressRange,
  faults: ConfigurationFaultList,
): WorkspacesFile | undefined {
  const file = new SourceFile(path, text, { secrets: faults.secrets, isQuotable: true });
  const tree = readYamlTree(file, faults)?.tree;
  if (!tree) {
    const hint = 'Write `version: 1`, and the workspaces below `workspaces`.';
    const place = { file, start: 0, end: 0 };
    if (faults.isEmpty)
      faults.add({ code: 'workspaces-file-empty', summary: `${path} is empty`, hint, place });
    return undefined;
  }
  hideVariableSecrets(tree, faults.secrets);
  reportSchemaViolations('workspaces', tree, faults);
  const variableSets = readNamed(findYamlMapChild(tree, 'variableSets'), faults).map(
    ({ name, place, node }) => ({ name, place, variables: readVariables(node, faults) }),
  );
  const workspaces = readNamed(findYamlMapChild(tree, 'workspaces'), faults).map((named) =>
    readWorkspace(named, isAddressRange, faults),
  );
  if (!faults.isEmpty) return undefined;
  return { variableSets, workspaces: sortByAfter(workspaces, faults) };
}

interface Named {
  readonly name: string;
  readonly place: SourceTextRange;
  readonly node: LocatedYamlNode;
}

function readNamed(
  section: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): readonly Named[] {
  return [...listYamlMapEntries(section)].map(([name, { key, value }]) => {
    if (!isTeamServerObjectName(name))
      faults.add({
        code: 'invalid-key',
        summary: `\`${makePrintable(name)}\` cannot be a name on the server`,
        detail: 'It has 1 to 63 small letters, digits and hyphens, with no hyphen at either end.',
        hint: 'Choose another name.',
        place: key,
      });
    return { name, place: key, node: value };
  });
}

function readWorkspace(
  { name, place, node }: Named,
  isAddressRange: IsIpAddressRange,
  faults: ConfigurationFaultList,
): DeclaredWorkspace {
  checkWorkspaceFields(node, isAddressRange, faults);
  const given = [...listYamlMapEntries(node)].filter(([field]) => field !== 'variables');
  return {
    name,
    place,
    // The shape was checked: what is not of it is a fault, and nobody reads the fields then.
    fields: Object.fromEntries(
      given.map(([field, { value }]) => [field, toPlainValue(value) as Value]),
    ),
    nodes: Object.fromEntries(given.map(([field, { value }]) => [field, value])),
    after: readNodeTexts(findYamlMapChild(node, 'after')),
    variables: readVariables(findYamlMapChild(node, 'variables'), faults),
  };
}

function readVariables(
  section: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): readonly DeclaredWorkspaceVariable[] {
  return [...listYamlMapEntries(section)].map(([name, { key, value }]) => {
    const text = readNodeText(value);
    if (!isVariableAllowed(name))
      faults.add({
        code: 'invalid-key',
        summary: `A workspace cannot set \`${makePrintable(name)}\``,
        detail:
          'It sets HOSTWRIGHT_TOKEN, HOSTWRIGHT_BASE_URL, HOSTWRIGHT_VAR_<name>, and those of the state.',
        hint: 'Remove it. A variable of the configuration is HOSTWRIGHT_VAR_ and its name.',
        place: key,
      });
    else if (isCredentialVariable(name) && isValueWritten(value))
      faults.add({
        code: 'token-in-configuration',
        summary: `${name} must not be written in a file`,
        detail: 'Secrets do not belong in YAML: files are committed, copied and printed.',
        hint: `Write \`${name}: { secret: true, env: NAME }\`, and set NAME in the environment. If the file was ever shared, revoke the value.`,
        place: key,
      });
    const isSecret = isTrueNode(findYamlMapChild(value, 'secret'));
    if (isSecret && name === serviceAddressVariable)
      faults.add({
        code: 'workspace-variable-unfit',
        summary: `${name} is no secret, since the page Accounts shows it`,
        hint: 'Remove `secret`.',
        place: key,
      });
    const unfit = text === undefined ? undefined : explainUnfitVariable(name, text);
    if (unfit !== undefined)
      faults.add({
        code: 'workspace-variable-unfit',
        summary: `${makePrintable(name)} cannot be set: ${unfit}`,
        hint: 'Shorten it.',
        place: key,
      });
    return {
      name,
      text,
      env: readNodeText(findYamlMapChild(value, 'env')),
      isSecret,
      isRemoved: value.kind === 'scalar' && value.value === null,
      place: key,
    };
  });
}

/** Tells whether the value of a variable is written in the file: directly, or under `value` in a map. */
function isValueWritten(node: LocatedYamlNode): boolean {
  if (node.kind === 'map') return node.entries.has('value');
  return node.kind === 'list' || node.value !== null;
}

/** Sorts workspaces so that each stands behind those that its `after` names. Circles are reported. */
function sortByAfter(
  workspaces: readonly DeclaredWorkspace[],
  faults: ConfigurationFaultList,
): readonly DeclaredWorkspace[] {
  const declared = new Set(workspaces.map(({ name }) => name));
  const followers = new Map<string, DeclaredWorkspace[]>();
  const missing = new Map<DeclaredWorkspace, number>();
  for (const one of workspaces) {
    const awaited = one.after.filter((name) => declared.has(name));
    missing.set(one, awaited.length);
    for (const name of awaited) addToGroup(followers, name, one);
  }
  const order = workspaces.filter((one) => missing.get(one) === 0);
  // The order grows while it is walked: each workspace adds those that waited for it alone.
  for (const { name } of order)
    for (const follower of followers.get(name) ?? []) {
      const left = (missing.get(follower) ?? 0) - 1;
      missing.set(follower, left);
      if (left === 0) order.push(follower);
    }
  if (order.length === workspaces.length) return order;
  const sorted = new Set(order);
  for (const one of workspaces)
    if (!sorted.has(one))
      faults.add({
        code: 'reference-cycle',
        summary: `The workspace ${one.name} comes after itself, or after others that do`,
        hint: 'Remove one of the names in `after`.',
        place: one.nodes.after ?? one.place,
      });
  return [];
}
