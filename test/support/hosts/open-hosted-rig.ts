// A server, its workers, and a git host that it is connected to.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../server/api-client.ts';
import {
  openServerRig,
  type RigMeans,
  type Running,
  type ServerRig,
} from '../server/server-rig.ts';
import { openGithubDouble } from './github-double.ts';
import { openGitlabDouble } from './gitlab-double.ts';
import { repositoryPath } from './host-double.ts';
import type { HostDouble } from './hosted-rig.ts';

/** All of it. */
export interface HostedRig {
  readonly rig: ServerRig;
  readonly double: HostDouble;
  readonly api: ApiClient;
  /** The program that serves. */
  server: Running;
  /** Starts the server again, at the same address. */
  readonly restartServer: () => Promise<void>;
  /** Makes a workspace of a directory. */
  readonly makeWorkspace: (name: string, more?: object) => Promise<void>;
  readonly startWorker: () => Promise<Running>;
  readonly close: () => Promise<void>;
}

/** A network in a project: a configuration that is planned and applied at once. */
export const network = (...names: readonly string[]) =>
  `version: 1\nprojects:\n  shop:\n    networks: { ${names.map((name) => `${name}: {}`).join(', ')} }\n`;

/**
 * Opens it. The server carries out no runs itself. It believes that people reach it at another
 * address, where it is public. Its programs have `env` in their environment, too.
 */
export async function openHostedRig(
  means: RigMeans,
  kind: HostDouble['kind'],
  {
    speed = 200,
    isPublic = true,
    env: more = {},
  }: {
    readonly speed?: number;
    readonly isPublic?: boolean;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<HostedRig> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-hosted-'));
  const rig = await openServerRig(means, speed);
  const double = await (kind === 'github' ? openGithubDouble(folder) : openGitlabDouble(folder));
  const { ground } = double;
  const close = async () => {
    await rig.close();
    await ground.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { certificate } = ground;
    const env = { ...more, NODE_EXTRA_CA_CERTS: certificate, GIT_SSL_CAINFO: certificate };
    const reached = isPublic ? ['--public-url', 'https://hw.example.com'] : [];
    const args = ['server', '--port', '0', '--no-runs', ...reached];
    const server = await rig.start(args, { env });
    const { origin = '', adminToken = '', signInUrl = '' } = server.ready;
    const api = new ApiClient(origin, adminToken, signInUrl);
    const made = await api.call('POST', '/api/v1/connections', {
      ...{ name: 'forge', ...double.connection },
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    double.webhook = {
      url: `${api.origin}${String(made.body.webhookPath)}`,
      secret: String(made.body.webhookSecret),
    };
    const { baseUrl, token } = rig.account;
    const makeWorkspace = async (name: string, more: object = {}) => {
      const { status, body } = await api.call('POST', '/api/v1/workspaces', {
        ...{ name, repository: `${ground.site}/${repositoryPath}.git`, connection: 'forge' },
        variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
        ...more,
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
    };
    const startWorker = () => rig.start(['worker'], { env });
    const hosted: HostedRig = {
      ...{ rig, double, api, server, makeWorkspace, startWorker, close },
      restartServer: async () => {
        const { port } = new URL(api.origin);
        hosted.server = await rig.start(args.with(args.indexOf('--port') + 1, port), { env });
      },
    };
    return hosted;
  } catch (error) {
    await close();
    throw error;
  }
}
