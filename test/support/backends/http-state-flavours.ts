// What servers of Terraform's http protocol answer, as values: one state and its lock in memory. GitLab and Gitea are
// written after what their sources do; `terraform` is the protocol as Terraform's documentation has it.

/** Whose ways a server has. */
export type Flavour = 'terraform' | 'gitlab' | 'gitea';

/** A request, taken apart. */
export interface Asked {
  readonly method: string;
  /** Below the address of the state. */
  readonly isLock: boolean;
  readonly id: string | null;
  readonly body: string;
}

/** What is answered. */
export interface Told {
  readonly status: number;
  readonly text?: string;
}

/** What a server keeps. */
export interface Kept {
  /** Every state that was written and kept, by its serial where the server knows of one. */
  readonly versions: Map<number, string>;
  latest: string | undefined;
  /** The lock info as it was given. */
  lock: Readonly<Record<string, unknown>> | undefined;
}

/** How a server is set up. */
export interface FlavourOptions {
  /** GitLab answers 413 above; bytes. */
  readonly largestBytes?: number;
  /** A generic server that takes any write while nobody has the lock. */
  readonly isLax?: boolean;
  /** A server that does not say who has the lock. */
  readonly isMute?: boolean;
  /** True: only the newest state is kept, for a bench of large ones. */
  readonly isForgetful?: boolean;
}

/** The answers of one server. */
export type Answerer = (kept: Kept, asked: Asked, options: FlavourOptions) => Told;

const done: Told = { status: 200 };

/** Each flavour's answers. */
export const answerers: Readonly<Record<Flavour, Answerer>> = {
  terraform: answerAsGeneric,
  gitlab: answerAsGitlab,
  gitea: answerAsGitea,
};

/** The path of the state, by flavour. */
export const statePaths: Readonly<Record<Flavour, string>> = {
  terraform: '/states/shop',
  gitlab: '/api/v4/projects/group%2Finfra/terraform/state/shop',
  gitea: '/api/packages/acme/terraform/state/shop',
};

function answerAsGeneric(kept: Kept, { method, id, body }: Asked, options: FlavourOptions): Told {
  const name = () => (options.isMute ? 'locked' : JSON.stringify(kept.lock));
  const held = kept.lock?.['ID'];
  switch (method) {
    case 'GET':
      return kept.latest === undefined ? { status: 404 } : { status: 200, text: kept.latest };
    case 'POST': {
      if (options.isForgetful) kept.versions.clear();
      if (held === undefined && options.isLax) return keep(kept, body, serialOf(body) ?? 0);
      if (held !== undefined && id !== held) return { status: 423, text: name() };
      if (held === undefined && id !== null) return { status: 409, text: '' };
      return keep(kept, body, serialOf(body) ?? 0);
    }
    case 'LOCK': {
      const info = parse(body);
      if (typeof info?.['ID'] !== 'string') return { status: 400, text: 'no lock info' };
      if (held !== undefined) return { status: 423, text: name() };
      kept.lock = info;
      return done;
    }
    case 'UNLOCK':
      if (held === undefined || parse(body)?.['ID'] !== held) {
        return { status: 409, text: held === undefined ? '' : name() };
      }
      kept.lock = undefined;
      return done;
    default:
      return { status: 405 };
  }
}

/** What a lock of GitLab's must have. */
const lockKeys = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path'];

function answerAsGitlab(kept: Kept, asked: Asked, options: FlavourOptions): Told {
  const { method, isLock, body } = asked;
  if (isLock) return lockAsGitlab(kept, asked);
  if (method === 'GET') {
    return kept.latest === undefined ? { status: 204 } : { status: 200, text: kept.latest };
  }
  if (method !== 'POST') return { status: 405 };
  if (body === '') return { status: 204 };
  const { largestBytes = Infinity } = options;
  if (Buffer.byteLength(body) > largestBytes) return say(413, '413 File Too Large');
  if (!parse(body)) return say(422, '422 Unprocessable Entity - invalid JSON');
  const serial = serialOf(body);
  if (serial === undefined) return say(422, '422 Unprocessable Entity - No serial in payload');
  // Nothing there catches a lock that does not match.
  if (asked.id !== (kept.lock?.['ID'] ?? null)) return say(500, '500 Internal Server Error');
  if (kept.versions.has(serial)) return say(422, 'PG::UniqueViolation: duplicate key value');
  const told = keep(kept, body, serial);
  kept.latest = kept.versions.get(Math.max(...kept.versions.keys()));
  return told;
}

/** Of the holder it tells the ID, the user and the time; the rest is what the asker has said. */
function lockAsGitlab(kept: Kept, { method, body }: Asked): Told {
  const info = parse(body);
  if (method === 'DELETE') {
    if (info?.['ID'] !== undefined && info['ID'] !== kept.lock?.['ID']) return { status: 409 };
    kept.lock = undefined;
    return done;
  }
  if (method !== 'POST') return { status: 405 };
  const missing = lockKeys.filter((key) => typeof info?.[key] !== 'string');
  if (missing.length > 0) return say(400, `${missing.join(', ')} is missing`);
  const isHeld = kept.lock !== undefined;
  kept.lock ??= { ID: info?.['ID'], Who: 'the-gitlab-user', Created: '2026-11-20T10:00:00.000Z' };
  const { Operation, Info, Version, Path } = info ?? {};
  const text = JSON.stringify({ Operation, Info, Version, Path, ...kept.lock });
  return { status: isHeld ? 409 : 200, text };
}

function answerAsGitea(kept: Kept, asked: Asked): Told {
  const { method, isLock, id, body } = asked;
  if (isLock) return lockAsGitea(kept, asked);
  if (method === 'GET') {
    return kept.latest === undefined
      ? { status: 404, text: 'package does not exist' }
      : { status: 200, text: kept.latest };
  }
  if (method !== 'POST') return { status: 405 };
  if (kept.lock && kept.lock['ID'] !== id) return { status: 423, text: JSON.stringify(kept.lock) };
  const state = parse(body);
  if (!serialOf(body)) return { status: 400, text: 'state serial is missing' };
  if (state?.['version'] !== 4) return { status: 400, text: 'state version is not supported' };
  const lacking = ['terraform_version', 'lineage', 'resources', 'outputs'].find(
    (key) => (state[key] ?? '') === '',
  );
  if (lacking !== undefined) return { status: 400, text: `state ${lacking} is missing` };
  const serial = serialOf(body) ?? 0;
  if (kept.versions.has(serial)) return { status: 409, text: 'package file already exists' };
  return { ...keep(kept, body, serial), status: 201 };
}

function lockAsGitea(kept: Kept, { method, body }: Asked): Told {
  const info = parse(body);
  const { Created = '2026-11-20T10:00:00Z' } = info ?? {};
  const isTimed = typeof Created === 'string' && !isNaN(Date.parse(Created));
  if (typeof info?.['ID'] !== 'string' || info['ID'] === '' || !isTimed) {
    return { status: 400, text: 'terraform lock is missing an ID' };
  }
  if (method === 'POST') {
    if (kept.lock) return { status: 423, text: JSON.stringify(kept.lock) };
    kept.lock = Object.fromEntries(lockKeys.map((key) => [key, info[key] ?? '']));
    return done;
  }
  if (method !== 'DELETE') return { status: 405 };
  if (kept.lock && kept.lock['ID'] !== info['ID']) return { status: 423, text: 'lock ID mismatch' };
  kept.lock = undefined;
  return done;
}

function keep(kept: Kept, body: string, serial: number): Told {
  kept.versions.set(serial, body);
  kept.latest = body;
  return done;
}

function say(status: number, message: string): Told {
  return { status, text: JSON.stringify({ message }) };
}

function serialOf(body: string): number | undefined {
  const serial = parse(body)?.['serial'];
  return typeof serial === 'number' ? serial : undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
