// What keeps a state away from the disk of a run, in memory and on virtual time: a bucket, a server of Terraform's protocol,
// a database, and a branch. The backends are the program's own.
import type { HttpAnswer, HttpRequest } from '../../../../src/model/http.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import { openHttpBackend } from '../../../../src/state/backends/http/open-http-backend.ts';
import { encodeStateDocument } from '../../../../src/state/backends/http/state-document.ts';
import { openPostgresBackend } from '../../../../src/state/backends/postgres/postgres.ts';
import { openGitBackend } from '../../../../src/state/backends/git/open-git-backend.ts';
import { encodeBucketLockRecord } from '../../../../src/state/backends/s3/lock-record.ts';
import { encodeBucketLogEntry } from '../../../../src/state/backends/s3/log-entry.ts';
import { formatLogSlotName } from '../../../../src/state/backends/s3/object-names.ts';
import { openS3Backend } from '../../../../src/state/backends/s3/open-s3-backend.ts';
import type { StateFileName } from '../../../../src/state/files/files.ts';
import type { LockInfo } from '../../../../src/state/lock/lock-info.ts';
import {
  listRefs,
  openMemoryGit,
  openMemoryRemote,
  openMemoryRepository,
} from '../../../support/backends/git-double.ts';
import { findBlob } from '../../../support/backends/git-objects.ts';
import {
  answerers,
  statePaths,
  type Flavour,
  type Kept,
} from '../../../support/backends/http-state-flavours.ts';
import {
  answerAsPostgres,
  makeRow,
  openTables,
  schema,
} from '../../../support/backends/postgres-double.ts';
import { answerAsS3, type S3Objects } from '../../../support/backends/s3-objects.ts';
import type { ProcessClock, VirtualTime } from '../../virtual-time.ts';
import type { Mischief } from '../mischief.ts';
import { nextEpochOf } from '../engine-seams.ts';
import { openStateCarry, openStateExchange, openStatePool } from './state-network.ts';

/** What keeps one state. */
export interface StatePlace {
  /** The backend of a process; without mischief, nothing goes wrong on the way. */
  open(process: ProcessClock, mischief?: Mischief): StateBackend | Promise<StateBackend>;
  /** The ID of the lock that is held; undefined when nobody holds it. */
  readonly heldBy: () => string | undefined;
}

/** How a place is set up. */
export interface PlaceOptions {
  readonly time: VirtualTime;
  /** What is there at first. */
  readonly disk: ReadonlyMap<StateFileName, string>;
  /** Of each request, there and back. */
  readonly latencyMs: number;
}

const setter: LockInfo = {
  ...{ ID: 'setup', Operation: 'setup', Info: '', Who: 'setup', Version: '0', Path: 'setup' },
  ...{ Created: '2026-01-01T00:00:00.000Z', Pid: 1, Host: 'setup' },
};

/** A bucket. */
export function openBucketPlace(options: PlaceOptions): StatePlace {
  const { time, disk } = options;
  const objects: S3Objects = new Map();
  const serve = ({ method, url, headers, body = '' }: HttpRequest) => {
    const { pathname, searchParams: query } = new URL(url);
    const key = decodeURIComponent(pathname).slice('/bucket/'.length);
    const told = answerAsS3(
      objects,
      { method, key, query, headers, body },
      { now: () => time.now() },
    );
    return toAnswer(told);
  };
  const record = () => JSON.parse(objects.get('state/lock.json')?.text ?? '{}') as object;
  const place: StatePlace = {
    open: (process, mischief) =>
      openS3Backend({
        ...{ endpoint: 'http://127.0.0.1', bucket: 'bucket', key: 'state', region: 'here' },
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        ...{ isPathStyle: true, clock: process },
        sign: ({ url, headers }) => Promise.resolve({ url, headers }),
        exchange: openStateExchange(process, { ...options, mischief }, serve),
      }),
    heldBy: () => {
      const { isHeld, info } = record() as { isHeld?: boolean; info?: LockInfo };
      return isHeld ? info?.ID : undefined;
    },
  };
  // Epochs go on where those of the disk ended.
  const epoch = nextEpochOf(disk) - 1;
  const text = encodeBucketLockRecord({
    ...{ format: 1, epoch, beat: 0, isHeld: false, info: setter },
    ...{ fencedEpoch: epoch, start: null, probed: '' },
  });
  const put = (name: string, of: string) =>
    objects.set(`state/${name}`, { text: of, etag: '"setup"', at: new Date(time.now()) });
  put('lock.json', text);
  // Whose log was closed by then.
  const fence = { kind: 'fence', by: setter.ID, write: 'setup' } as const;
  put(formatLogSlotName({ epoch, generation: 0, number: 0 }), encodeBucketLogEntry(fence));
  return place;
}

/** A server of Terraform's protocol. */
export function openServerPlace(options: PlaceOptions, flavour: Flavour): StatePlace {
  const { disk } = options;
  const kept: Kept = { versions: new Map(), latest: undefined, lock: undefined };
  const path = statePaths[flavour];
  const serve = ({ method, url, body = '' }: HttpRequest) => {
    const { pathname, searchParams } = new URL(url);
    const isLock = pathname.endsWith('/lock');
    return toAnswer(
      answerers[flavour](kept, { method, isLock, id: searchParams.get('ID'), body }, {}),
    );
  };
  kept.latest = encodeStateDocument({
    ...{ serial: 1, lineage: 'simulation', epoch: nextEpochOf(disk), writer: setter },
    files: disk,
  });
  kept.versions.set(1, kept.latest);
  return {
    open: (process, mischief) =>
      openHttpBackend({
        address: `http://127.0.0.1${path}`,
        ...{ clock: process, warn: () => undefined },
        exchange: openStateExchange(process, { ...options, mischief }, serve),
      }),
    heldBy: () => kept.lock?.['ID'] as string | undefined,
  };
}

/** A database. */
export function openDatabasePlace(options: PlaceOptions): StatePlace {
  const { time, disk } = options;
  const tables = openTables();
  const [database, name] = ['database', 'shop'];
  const serve = (statement: string, values: readonly (string | number | null)[]) =>
    answerAsPostgres(tables, statement, values, time.now());
  tables.isMade = true;
  // Epochs go on where those of the disk ended.
  tables.states.set(name, makeRow(nextEpochOf(disk) - 1, time.now()));
  return {
    open: (process, mischief) =>
      openPostgresBackend({
        ...{ schema, name, database, clock: process },
        openPool: () => Promise.resolve(openStatePool(process, { ...options, mischief }, serve)),
      }),
    heldBy: () => tables.states.get(name)?.lock_id ?? undefined,
  };
}

/** A branch of a remote whose refs may be read from a copy that lags behind. */
export function openBranchPlace(options: PlaceOptions): StatePlace {
  const { time } = options;
  const remote = openMemoryRemote();
  const branch = 'hostwright-state';
  const past: { readonly at: number; readonly refs: ReadonlyMap<string, string> }[] = [];
  const note = () => past.push({ at: time.now(), refs: new Map(remote.refs) });
  const listPast = (args: readonly string[], agoMs: number) => {
    const then = past.findLast(({ at }) => at <= time.now() - agoMs) ?? past[0];
    return listRefs(then?.refs ?? remote.refs, args.slice(1));
  };
  return {
    open(process, mischief) {
      // What it was set up with is as old as anything.
      if (mischief && past.length === 0) note();
      const carry = openStateCarry(process, { ...options, mischief }, listPast);
      const git = openMemoryGit(remote, (args, work, timeoutMs) => {
        const noted = () => {
          const answer = work();
          if (past.length > 0) note();
          return answer;
        };
        return carry(args, args[0] === 'push' ? noted : work, timeoutMs);
      });
      const repository = openMemoryRepository(git);
      return openGitBackend({ directory: '/', env: {}, branch, clock: process, repository });
    },
    heldBy() {
      const lock = remote.refs.get(`refs/hostwright/lock/${branch}`);
      if (lock === undefined) return undefined;
      const text = findBlob(remote.objects, `${lock}:lock.json`).toString('utf8');
      const { ID, End } = JSON.parse(text) as { readonly ID: string; readonly End?: string };
      return End === undefined ? ID : undefined;
    },
  };
}

const toAnswer = ({
  status,
  text = '',
  headers = {},
}: {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}): HttpAnswer => ({ status, text, headers: { get: (name) => headers[name] ?? null } });
