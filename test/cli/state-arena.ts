// Where a state may be, as the program is told: each on this machine, and behind whatever is put in between.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startGitDaemon } from '../support/backends/git-daemon.ts';
import { makeGitRemote } from '../support/backends/git-remote.ts';
import { openHttpStateDouble } from '../support/backends/http-state-double.ts';
import { makeDatabase } from '../support/backends/make-database.ts';
import { openS3Double } from '../support/backends/s3-double.ts';

export const passphrase = 'correct horse battery';
export const password = 'glpat-0123456789';

/** Where a state is kept. */
export interface Place {
  /** The block of `state`. */
  readonly settings: string;
  readonly env: Record<string, string>;
  readonly keepsNoHistory?: boolean;
  /** True where the lock of a silent run is removed by people alone. */
  readonly keepsLocks?: boolean;
  close(): Promise<void>;
}

/** What a place is opened with. */
export interface PlaceMeans {
  /** The directories of those who share it. */
  readonly folders: readonly string[];
  /** Puts something in front of a port, and resolves with its own; nothing unless given. */
  readonly via?: (port: number) => Promise<number>;
}

/** Opens a place. */
export type OpenPlace = (means: PlaceMeans) => Promise<Place>;

/** The environment of a run with its state there. */
export const describeRun = ({ settings, env }: Place): Record<string, string> => ({
  ...{ ...env, HOSTWRIGHT_STATE_PASSPHRASE: passphrase },
  HOSTWRIGHT_STATE: `{ ${settings}, lease: 20s, encryption: { key: passphrase } }`,
});

const straight = (port: number) => Promise.resolve(port);

async function redirect(address: string, via: PlaceMeans['via'] = straight): Promise<string> {
  const url = new URL(address);
  url.port = String(await via(Number(url.port)));
  return url.href.replace(/\/$/, '');
}

/** A database. */
export async function openDatabase({ via }: PlaceMeans): Promise<Place> {
  const server = await makeDatabase();
  return {
    settings: 'postgres: { name: shop }',
    env: { HOSTWRIGHT_STATE_POSTGRES_URL: await redirect(server.url, via) },
    close: () => server.close(),
  };
}

/** A bucket. */
export async function openBucket({ via }: PlaceMeans, options = {}): Promise<Place> {
  const double = await openS3Double(options);
  const { bucket, region, keys } = double;
  const endpoint = await redirect(double.endpoint, via);
  return {
    settings: `s3: { bucket: ${bucket}, key: shop, region: ${region}, endpoint: "${endpoint}", pathStyle: true }`,
    env: { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey },
    close: () => double.close(),
  };
}

/** GitLab. */
export async function openGitlab({ via }: PlaceMeans): Promise<Place> {
  const credentials = { username: 'anna', password };
  const double = await openHttpStateDouble({ flavour: 'gitlab', credentials });
  return {
    settings: `http: { address: "${await redirect(double.address, via)}" }`,
    env: { HOSTWRIGHT_STATE_HTTP_USERNAME: 'anna', HOSTWRIGHT_STATE_HTTP_PASSWORD: password },
    ...{ keepsNoHistory: true, keepsLocks: true },
    close: () => double.close(),
  };
}

/** A branch of a repository; on a server of its own where something lies in between. */
export async function openBranch({ folders, via }: PlaceMeans): Promise<Place> {
  const remote = await makeGitRemote();
  const daemon = via && (await startGitDaemon(remote.folder));
  const port = daemon && (await via(daemon.port));
  const url = port === undefined ? remote.path : `git://127.0.0.1:${port}/remote.git`;
  const git = (cwd: string, ...args: readonly string[]) =>
    promisify(execFile)('git', [...args], { cwd });
  for (const folder of folders) {
    await git(folder, 'init', '--quiet');
    await git(folder, 'remote', 'add', 'origin', url);
  }
  return {
    ...{ settings: 'git: {}', env: {} },
    close: async () => {
      await daemon?.close();
      await remote.remove();
    },
  };
}
