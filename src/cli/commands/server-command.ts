import { InvalidArgumentError, Option, type Command } from 'commander';
import { createCommandRefusal } from '../../commands/session/refuse.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import { formatPrintableJson } from '../../render/format/escape.ts';
import type {
  RunningServer,
  ServerOptions,
  ServerExternalDependencies,
} from '../../server/server.ts';
import type { CommandLineContext } from '../command-context.ts';
import { addWorkspacesCommands } from './workspaces-commands.ts';
import {
  parseDurationFlag,
  parseServerOriginFlag,
  parseWholeNumberFlag,
} from '../flags/options.ts';

interface ServerFlags {
  readonly database?: string;
  readonly host: string;
  /** Undefined for a worker that has no port. */
  readonly port?: number;
  readonly runs?: boolean;
  readonly runMemory: number;
  readonly runTimeout: number;
  readonly hold?: boolean;
  readonly publicUrl?: string;
  readonly statusName?: string;
  readonly signInLink?: boolean;
  readonly verifyAudit?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

const leastRunMs = 1_000;
const databaseVariable = 'HOSTWRIGHT_SERVER_DATABASE';
const stateVariable = 'HOSTWRIGHT_SERVER_STATE_DATABASE';

/** Adds `server` and `worker`: the long-running processes that carry out the runs of a team. */
export function addServerCommands(program: Command, context: CommandLineContext): void {
  const server = program
    .command('server')
    .summary('run plans and applies for a team')
    .description(
      'Carries out plans and applies of git repositories, with pages and an API. Keeps everything in one PostgreSQL database.',
    )
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 takes a free one')
        .argParser(parseWholeNumberFlag(0, 65_535))
        .default(8090),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option(
        '--public-url <url>',
        'where people reach the server, as https://hostwright.example.com',
      ).argParser(parseServerOriginFlag),
    )
    .addOption(
      new Option(
        '--status-name <name>',
        'name of the summary status beside commits, for two servers of one repository',
      ).argParser(parseStatusName),
    )
    .option('--no-runs', 'queue runs only, for workers to carry out')
    .option('--sign-in-link', 'print a link that signs an administrator in once, and end')
    .option('--verify-audit', 'check that nobody changed the audit log, and end');
  const worker = program
    .command('worker')
    .summary('carry out the runs of a server')
    .description('Carries out runs, as the server does, without its pages and API.')
    .addOption(
      new Option(
        '--port <n>',
        'port that answers /healthz and /readyz; 0 takes a free one; none unless given',
      ).argParser(parseWholeNumberFlag(0, 65_535)),
    )
    .option('--host <address>', 'address of that port', '127.0.0.1');
  addWorkspacesCommands(server, context);
  for (const command of [server, worker]) {
    addSharedOptions(command).action((flags: ServerFlags) =>
      flags.check === true
        ? printProblems(context, flags, command === server)
        : flags.signInLink === true
          ? printSignInLink(context, flags)
          : flags.verifyAudit === true
            ? printAuditEnd(context, flags)
            : serveUntilStopped(context, flags, command === server),
    );
  }
}

function addSharedOptions(command: Command): Command {
  return command
    .option('--database <url>', `PostgreSQL, as postgres://…; default: ${databaseVariable}`)
    .addOption(
      new Option('--run-memory <mb>', 'how many MB of memory a run may use')
        .argParser(parseWholeNumberFlag(64, 1_048_576))
        .default(1_024),
    )
    .addOption(
      new Option('--run-timeout <duration>', 'how long a run may take')
        .argParser(parseRunTime)
        .default(7_200_000, '2h'),
    )
    .option('--hold', 'plan, and apply nothing until an administrator releases the server')
    .option('--check', 'report every problem that a start would have, and end')
    .option('--json', 'print the ready line as JSON');
}

/** Parses the time limit of a run; zero is refused, as every run would then fail. */
function parseRunTime(text: string): number {
  const ms = parseDurationFlag(text);
  if (ms < leastRunMs) throw new InvalidArgumentError('Give a duration of one second or more.');
  return ms;
}

/** Parses the name of a commit status, which is a context at GitHub and a name at GitLab. */
function parseStatusName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,38}$/.test(text)) return text;
  throw new InvalidArgumentError('Give 1 to 39 small letters, digits and hyphens.');
}

async function serveUntilStopped(
  { runtime, exit, serverPorts }: CommandLineContext,
  flags: ServerFlags,
  isServer: boolean,
): Promise<void> {
  const options = readOptions(runtime.env, flags, isServer);
  const { startServer } = await import('../../server/server.ts');
  const stopped = new Promise<'stopped'>((resolve) => {
    runtime.interrupted.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const { stderr } = runtime;
  const release = runtime.holdInterrupts(() =>
    stderr.write(stderr.isTTY ? `${words.stopping} ${words.again}\n` : `${words.stopping}\n`),
  );
  try {
    const ports = await openPorts(flags, serverPorts);
    const running = await withDatabase(options, () => startServer(runtime, options, ports));
    runtime.stdout.write(
      flags.json ? `${formatPrintableJson(summarize(running))}\n` : describe(running),
    );
    const lost = new Promise<'lost'>((resolve) => {
      running.lost.addEventListener('abort', () => resolve('lost'), { once: true });
    });
    const end = await Promise.race([stopped.then(() => running.close()), lost]);
    if (end === 'lost') {
      // Calls that still wait for the database must not keep the process alive: others go on with its runs.
      setTimeout(() => process.exit(), 1_000).unref();
      throw explainLost();
    }
    exit(0);
  } finally {
    release();
  }
}

/** Runs are processes of this program, and DBOS keeps them in order. */
async function openPorts(
  { runMemory: maxMemoryMb, runTimeout: maxMs }: ServerFlags,
  given: Partial<ServerExternalDependencies> = {},
): Promise<ServerExternalDependencies> {
  const [{ openChildProgram: openProgram }, { openDbosEngine }] = await Promise.all([
    import('../../server/runs/run-child.ts'),
    import('../../server/engine/open-dbos-engine.ts'),
  ]);
  return {
    startProgram: openProgram({ file: process.argv[1] ?? '', maxMemoryMb, maxMs }),
    openEngine: openDbosEngine,
    ...given,
  };
}

/** A link for whoever has lost the first one. It needs the database and the key, and no running server. */
async function printSignInLink({ runtime }: CommandLineContext, flags: ServerFlags): Promise<void> {
  const { issueSignInLink } = await import('../../server/issue-sign-in-link.ts');
  const options = readOptions(runtime.env, flags, true);
  const { host, port = 0, publicUrl = `http://${host}:${port}` } = flags;
  const signInUrl = await withDatabase(options, () =>
    issueSignInLink(runtime, options.databaseUrl, publicUrl),
  );
  runtime.stdout.write(
    flags.json
      ? `${formatPrintableJson({ signInUrl })}\n`
      : `Sign in, once and within 15 minutes:\n  ${signInUrl}\n`,
  );
}

/** Prints all problems of a server's configuration at once, without starting it or changing anything. */
async function printProblems(
  { runtime }: CommandLineContext,
  flags: ServerFlags,
  isServer: boolean,
): Promise<void> {
  const { checkServerStart: checkStart } = await import('../../server/check-start.ts');
  const options = readFlags(runtime.env, flags, isServer);
  const problems = [
    ...(options.databaseUrl === '' ? explainNoDatabase().diagnostics : []),
    ...(await checkStart(runtime, options)),
  ];
  if (problems.length > 0) throw new DiagnosticError(problems);
  runtime.stdout.write(
    flags.json
      ? `${formatPrintableJson({ problems })}\n`
      : `No problem was found: the ${isServer ? 'server' : 'worker'} can start.\n`,
  );
}

/** Verifies the audit log. That needs the database and the key, and no running server. */
async function printAuditEnd({ runtime }: CommandLineContext, flags: ServerFlags): Promise<void> {
  const { verifyAuditLog: verifyAudit } = await import('../../server/audit/verify-audit.ts');
  const options = readOptions(runtime.env, flags, true);
  const end = await withDatabase(options, () => verifyAudit(runtime, options.databaseUrl));
  const { count, hash, unkeyed } = end;
  const older =
    unkeyed === 0
      ? ''
      : `  Of these, the first ${unkeyed} ${unkeyed === 1 ? 'has' : 'have'} no key: whoever could change the database could have changed them.\n`;
  runtime.stdout.write(
    flags.json
      ? `${formatPrintableJson(end)}\n`
      : `The audit log is intact: ${count} ${count === 1 ? 'entry' : 'entries'}.\n${older}  Hash of the last entry: ${hash}\n`,
  );
}

/** Runs work with the database, whose failures become diagnostics: a database that cannot be used is no bug. */
async function withDatabase<T>({ databaseUrl }: ServerOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { explainStartDatabaseError: explainDatabase } =
      await import('../../server/explain-database.ts');
    throw explainDatabase(error, databaseUrl);
  }
}

const words = {
  stopping: 'Stopping: no new runs start; waiting for running ones.',
  /** Shown only at a terminal: a process manager cannot interrupt again. */
  again: 'Interrupt again to stop at once.',
};

/** @throws DiagnosticError without a database */
function readOptions(...given: Parameters<typeof readFlags>): ServerOptions {
  const options = readFlags(...given);
  if (options.databaseUrl === '') throw explainNoDatabase();
  return options;
}

function readFlags(
  env: CommandLineContext['runtime']['env'],
  {
    database,
    host,
    port,
    runs = true,
    publicUrl,
    hold,
    statusName,
    runTimeout: runTimeoutMs,
  }: ServerFlags,
  isServer: boolean,
): ServerOptions {
  const databaseUrl = database ?? env[databaseVariable] ?? '';
  return {
    databaseUrl,
    stateDatabaseUrl: env[stateVariable] || databaseUrl,
    ...(port !== undefined && { [isServer ? 'listen' : 'healthAt']: { host, port } }),
    carriesOut: !isServer || runs,
    runTimeoutMs,
    version: publishedHostwrightVersion,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(hold !== undefined && { hold }),
    ...(statusName !== undefined && { statusName }),
  };
}

function summarize({
  origin,
  healthOrigin,
  workerId,
  adminToken,
  signInUrl,
}: RunningServer): object {
  return {
    ...(origin !== undefined && { origin }),
    ...(healthOrigin !== undefined && { healthOrigin }),
    workerId,
    ...(adminToken !== undefined && { adminToken }),
    ...(signInUrl !== undefined && { signInUrl }),
  };
}

function describe(running: RunningServer): string {
  const { origin, healthOrigin, workerId, adminToken, signInUrl, rotated } = running;
  return [
    origin === undefined ? `Worker ${workerId} is ready.` : `Server ready at ${origin}`,
    ...(healthOrigin === undefined ? [] : [`  How it is: ${healthOrigin}/readyz`]),
    ...(signInUrl === undefined ? [] : [`  Sign in, once and within 15 minutes: ${signInUrl}`]),
    ...(adminToken === undefined
      ? []
      : [
          '  Administrator token, shown only once:',
          `    export HOSTWRIGHT_SERVER_TOKEN=${adminToken}`,
        ]),
    ...(rotated === 0
      ? []
      : [`  Encrypted with the new key: ${rotated} ${rotated === 1 ? 'text' : 'texts'}.`]),
    '  Ctrl-C stops it.',
    '',
  ].join('\n');
}

function explainNoDatabase() {
  return createCommandRefusal(
    'server-database-missing',
    'The address of the database is not given',
    {
      detail: 'The server keeps everything in PostgreSQL.',
      hint: `Give --database, or set ${databaseVariable}: postgres://user:password@db.example.com/hostwright.`,
    },
  );
}

function explainLost() {
  return createCommandRefusal(
    'server-session-lost',
    'PostgreSQL has ended the session of this process',
    {
      detail: 'Another process continues its runs.',
      hint: 'Start it again, or let a supervisor such as systemd restart it.',
    },
  );
}
