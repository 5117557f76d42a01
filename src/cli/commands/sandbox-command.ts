import { Option, type Command } from 'commander';
import type { ListeningSandbox, ServeSandboxOptions } from '../../commands/lifecycle/sandbox.ts';
import { formatPrintableJson } from '../../render/format/escape.ts';
import type { CommandLineContext } from '../command-context.ts';
import { parseDurationFlag, parsePositiveNumber, parseWholeNumberFlag } from '../flags/options.ts';
import type { TextSink } from '../../model/runtime.ts';

interface SandboxFlags {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
  readonly speed: number;
  readonly seed: number;
  readonly variant: 'strict' | 'loose';
  readonly quotas?: string;
  readonly nameLengths?: string;
  readonly quotaLag?: number;
  readonly contract?: string;
  readonly catalog?: string;
  readonly faults?: string;
  readonly adminPort?: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const parsePort = parseWholeNumberFlag(0, 65_535);

/** `sandbox`: serves the embedded service over HTTP until it is interrupted. */
export function addSandboxCommand(program: Command, { runtime, exit }: CommandLineContext): void {
  program
    .command('sandbox')
    .summary('run the hosting service locally, to try things out')
    .description(
      'Runs the whole hosting service in this process, with a live page of the account at / and an API reference at /docs.',
    )
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 takes a free one')
        .argParser(parsePort)
        .default(8080),
    )
    .option('--host <address>', 'loopback address to listen on', '127.0.0.1')
    .option('--data <dir>', 'directory to keep the data in; in memory when absent')
    .addOption(
      new Option('--speed <n>', 'speed multiplier of operations')
        .argParser(parsePositiveNumber)
        .default(1),
    )
    .addOption(
      new Option('--seed <n>', 'seed of ids, durations and random numbers')
        .argParser(parseWholeNumberFlag(0))
        .default(1),
    )
    .addOption(
      new Option(
        '--variant <name>',
        'how closely it follows the contract; loose differs where a service may',
      )
        .choices(['strict', 'loose'])
        .default('strict'),
    )
    .option('--quotas <list|file>', 'such as networks=2,vmRam=64, or a JSON file')
    .option('--name-lengths <list|file>', 'such as vm=20,project=30, or a JSON file')
    .addOption(
      new Option('--quota-lag <duration>', 'how long the use of quotas lags behind').argParser(
        parseDurationFlag,
      ),
    )
    .option('--contract <file>', 'a contract file: speak as the service that it describes')
    .option('--catalog <file>', 'what can be ordered, as `hostwright catalog --json` writes it')
    .option('--faults <file>', 'a fault script in YAML or JSON; see examples/faults')
    .addOption(
      new Option('--admin-port <n>', 'port to change faults at; 0 takes a free one').argParser(
        parsePort,
      ),
    )
    .option('--quiet', 'no log of requests')
    .option('--json', 'print the ready line as JSON')
    .action(async (flags: SandboxFlags) => {
      await serveUntilStopped(runtime, flags);
      exit(0);
    });
}

async function serveUntilStopped(
  runtime: CommandLineContext['runtime'],
  { json, quiet, quotaLag, ...flags }: SandboxFlags,
): Promise<void> {
  const { runSandboxCommand: serve } = await import('../../commands/lifecycle/sandbox.ts');
  const options: ServeSandboxOptions = {
    ...flags,
    ...(quotaLag !== undefined && { quotaLagMs: quotaLag }),
    ...(quiet !== true && createRequestLog(runtime.stderr)),
  };
  const served = await serve(runtime, options);
  const { stopped, ...ready } = served;
  runtime.stdout.write(json ? `${formatPrintableJson(ready)}\n` : describeReady(served, options));
  await stopped;
  if (!json) runtime.stderr.write('Sandbox stopped.\n');
}

function describeReady(
  { baseUrl, adminUrl, token }: ListeningSandbox,
  options: ServeSandboxOptions,
): string {
  const { origin } = new URL(baseUrl);
  const { data = 'in memory', speed, seed, variant, faults } = options;
  return [
    `Sandbox ready at ${baseUrl}`,
    `  ${origin}/ shows the account, ${origin}/docs the API`,
    ...(adminUrl === undefined ? [] : [`  ${adminUrl} is the admin port`]),
    `  data: ${data}, speed: ${speed}, seed: ${seed}, variant: ${variant}, faults: ${faults ?? 'none'}`,
    '  To point Hostwright at it, in another terminal:',
    `    export HOSTWRIGHT_BASE_URL=${baseUrl}`,
    `    export HOSTWRIGHT_TOKEN=${token}`,
    '  Ctrl-C stops it.',
    '',
  ].join('\n');
}

type Log = Required<Pick<ServeSandboxOptions, 'onRequest' | 'onFault'>>;

/** A line for every request, and one for everything that a person in the console has done. */
function createRequestLog(stderr: TextSink): Log {
  return {
    onRequest: ({ method, path, status, ms, faults }) => {
      const note = faults.length === 0 ? '' : `  (${faults.join(', ')})`;
      stderr.write(`${method} ${path} ${status ?? 'cut'} ${Math.round(ms)} ms${note}\n`);
    },
    onFault: (event) => {
      if (event.kind !== 'edit') return;
      const detail = event.detail === undefined ? '' : `: ${event.detail}`;
      stderr.write(`console: ${event.edit} ${event.status}${detail}\n`);
    },
  };
}
