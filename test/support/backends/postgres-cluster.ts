// The files of a new PostgreSQL server: kept with other caches once they are made, since to copy them takes a tenth of the time.
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const homes = '/usr/lib/postgresql';

/** Where `initdb` and `postgres` are: of the newest version that Debian's packages have installed, or on the path. */
export function findPrograms(): string {
  const names = existsSync(homes) ? readdirSync(homes) : [];
  const [newest] = names.map(Number).sort((left, right) => right - left);
  return newest === undefined ? '' : join(homes, String(newest), 'bin');
}

/** Whom it runs as: it refuses to run as root, who runs the tests in a container. */
export const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

const caches = resolve(import.meta.dirname, '../../../node_modules/.cache');

/** Makes the files at `path`, where nothing is yet: user `hostwright`, password `secret`. */
export function copyCluster(path: string): void {
  const programs = findPrograms();
  const owner = nobody?.uid ?? process.getuid?.() ?? 0;
  const kept = join(caches, `postgres${programs.replaceAll('/', '-')}-${owner}`);
  if (!existsSync(kept)) keepCluster(programs, kept);
  copy(kept, path);
}

/** Another process may do the same at this moment, and be the first. */
function keepCluster(programs: string, kept: string): void {
  // Nobody may have no way to where the caches are.
  const folder = mkdtempSync(join(tmpdir(), 'hostwright-cluster-'));
  try {
    if (nobody) chownSync(folder, nobody.uid, nobody.gid);
    const [data, passwords] = [join(folder, 'data'), join(folder, 'password')];
    writeFileSync(passwords, 'secret\n', { mode: 0o644 });
    const access = ['-U', 'hostwright', '-A', 'scram-sha-256', '--pwfile', passwords];
    execFileSync(join(programs, 'initdb'), ['-D', data, ...access, '-N', '-E', 'UTF8'], {
      ...nobody,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    mkdirSync(caches, { recursive: true });
    const own = `${kept}-${process.pid}`;
    copy(data, own);
    try {
      renameSync(own, kept);
    } catch (error) {
      rmSync(own, { recursive: true });
      if (!existsSync(kept)) throw error;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The caches may have been copied by somebody else, with the packages that they lie with. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
  if (nobody) execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, to]);
}
