import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Runtime } from '../../model/runtime.ts';
import { isVariableAllowed } from '../../model/workspaces/workspace-variables.ts';
import { stateDatabaseSchemaName } from '../states/open-states.ts';
import type { OtherWorkspaceProject } from '../../model/account/owned-project.ts';
import type { ReservedQuota } from '../../model/account/reserved-quota.ts';
import type { StoredRun } from '../store/run.ts';
import type { WorkspaceVariables } from '../variables/variables.ts';
import type { Workspace } from '../store/workspaces.ts';

/** Variables that the process of a run inherits from its worker: enough to start and to reach the network, and nothing else. */
const kept = [
  ...['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'],
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'],
];

/**
 * Finds the directory of this machine in which a run saves the state that the database did not take; the next apply of the
 * workspace on this machine uploads it. Undefined where the worker has no home directory.
 */
export function findStateRescueDirectory(
  { XDG_STATE_HOME: given = '', HOME: home = '' }: Runtime['env'],
  { id, stateName }: Pick<Workspace, 'id' | 'stateName'>,
): string | undefined {
  const base = isAbsolute(given) ? given : join(home, '.local', 'state');
  return isAbsolute(base) ? join(base, 'hostwright', 'rescue', `${stateName}-${id}`) : undefined;
}

/** Values that the environment of a run's process is built from. */
export interface ChildEnvironment {
  readonly env: Runtime['env'];
  readonly variables: WorkspaceVariables;
  /** Names of variables whose values must be shown nowhere. */
  readonly secrets: readonly string[];
  readonly workspace: string;
  /** The name of its state, which it reaches through its worker unless the workspace names another place. */
  readonly stateName: string;
  /** Key that encrypts the saved plans of the workspace. */
  readonly planKey: string;
  /** Directory of the run that stands for the home directory, so that no user's files are read. */
  readonly home: string;
  /** Directory of a state that the database does not take. */
  readonly rescue?: string | undefined;
  /** Ranges of addresses that probes may reach, beside public IPs of the account. */
  readonly allowProbes: readonly string[];
  /** Directory with the policies that the server keeps for the workspace. */
  readonly policies?: string | undefined;
  /** Reservations of other workspaces in the quotas of the account. */
  readonly reserved: readonly ReservedQuota[];
  /** Projects of the account that other workspaces own. */
  readonly owned: readonly OtherWorkspaceProject[];
  readonly run: Pick<StoredRun, 'id' | 'attempt' | 'commit' | 'pull'>;
}

/** Builds the complete environment of a run's process. */
export function buildChildEnvironment(given: ChildEnvironment): Record<string, string> {
  const { env, variables, secrets, workspace, stateName, planKey, home, run, reserved, owned } =
    given;
  const { rescue, allowProbes } = given;
  const own = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const set = Object.entries(variables).filter(([name]) => isVariableAllowed(name));
  const policies = (env.HOSTWRIGHT_POLICIES ?? '').split(delimiter).filter((one) => one !== '');
  if (given.policies !== undefined) policies.push(given.policies);
  return {
    ...Object.fromEntries(own),
    // Whatever the configuration of a commit says, the state of a workspace is where the server has it.
    HOSTWRIGHT_STATE: JSON.stringify({
      postgres: { schema: stateDatabaseSchemaName, name: stateName },
    }),
    ...Object.fromEntries(set),
    HOSTWRIGHT_PLAN_KEY: planKey,
    HOME: home,
    HOSTWRIGHT_ALLOW_PROBES: allowProbes.length > 0 ? allowProbes.join(',') : '1',
    CI: '1',
    // By what the worker has, and not the workspace: relative to its directory, which is not that of the run.
    ...(policies.length > 0 && {
      HOSTWRIGHT_POLICIES: policies.map((one) => resolve(one)).join(delimiter),
    }),
    ...(secrets.length > 0 && { HOSTWRIGHT_SERVER_SECRETS: secrets.join(',') }),
    HOSTWRIGHT_SERVER_RUN: `${run.id}/${run.attempt}`,
    ...(rescue !== undefined && { HOSTWRIGHT_SERVER_RESCUE: rescue }),
    ...(reserved.length > 0 && { HOSTWRIGHT_SERVER_RESERVED: JSON.stringify(reserved) }),
    ...(owned.length > 0 && { HOSTWRIGHT_SERVER_PROJECTS: JSON.stringify(owned) }),
    // Name and commit that plans show: a checkout has neither of its own.
    HOSTWRIGHT_SERVER_WORKSPACE: workspace,
    CI_COMMIT_SHA: run.pull?.head ?? run.commit,
  };
}
