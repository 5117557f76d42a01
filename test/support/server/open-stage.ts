// A server with a workspace for each status, as a team sees it after some days: for pictures and for tests in a browser.
import type { ApiClient } from './api-client.ts';
import { asProcesses } from './as-processes.ts';
import { openServerRig, type Running, type ServerRig } from './server-rig.ts';

/** What a browser is led through. */
export interface Stage {
  readonly rig: ServerRig;
  readonly api: ApiClient;
  readonly worker: Running;
  /** Runs to look at, by what they are. */
  readonly runs: Readonly<Record<'waiting' | 'failed' | 'applied' | 'drift', string>>;
  readonly close: () => Promise<void>;
}

const network = (name: string) => `version: 1
projects:
  ${name}:
    networks: { main: {} }
`;

const web = (count: number, project = 'web') => `version: 1
projects:
  ${project}:
    networks: { main: {} }
    vms:
      web: { count: ${count}, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [main] }
`;

/** Opens it. `root` is that of the project. */
export async function openStage(root: string, speed = 200): Promise<Stage> {
  const rig = await openServerRig(asProcesses(root), speed);
  try {
    const files = { 'network/main.yaml': network('network'), 'web/main.yaml': web(3) };
    await rig.repository.commit({ ...files, 'blog/main.yaml': 'version: 1\nprojects: 3\n' });
    const api = await rig.startServer();
    const worker = await rig.start(['worker']);
    const runs = await play(rig, api);
    return { rig, api, worker, runs, close: () => rig.close() };
  } catch (error) {
    await rig.close();
    throw error;
  }
}

async function play(rig: ServerRig, api: ApiClient): Promise<Stage['runs']> {
  for (const name of ['network', 'web', 'blog', 'archive']) await makeWorkspace(rig, api, name);
  const done = async (request: object) => {
    const { id } = await api.run(request);
    await api.ended(id);
    return id;
  };
  const network = await done({ operation: 'plan', workspace: 'network' });
  const applied = await done({ operation: 'apply', plan: network });
  const failed = await done({ operation: 'plan', workspace: 'blog' });
  const drift = await done({ operation: 'drift', workspace: 'network' });
  await done({ operation: 'plan', workspace: 'web' });
  await rig.repository.commit({
    'network/main.yaml': 'version: 1\n',
    'web/main.yaml': web(5),
    // For a workspace that a test makes.
    'second/main.yaml': web(5, 'second'),
    'blog/main.yaml': 'version: 1\nprojects: 3\n',
  });
  const waiting = await done({ operation: 'plan', workspace: 'web' });
  return { waiting, failed, applied, drift };
}

/** Makes a workspace of a directory of the repository. */
async function makeWorkspace(
  { repositoryUrl, account: { baseUrl, token } }: ServerRig,
  api: ApiClient,
  name: string,
): Promise<void> {
  const variables = { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token };
  const body = { name, repository: repositoryUrl, directory: name, variables };
  const { status } = await api.call('POST', '/api/v1/workspaces', body);
  if (status !== 201) throw new Error(`The workspace ${name} was refused.`);
}
