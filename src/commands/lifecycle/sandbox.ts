import { dirname, resolve } from 'node:path';
import { readBinding } from '../../config/contract/read-binding.ts';
import { parseCatalog } from '../../config/read-catalog.ts';
import type { Binding } from '../../model/account/binding.ts';
import { DiagnosticError, readErrorCode } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { locateSandboxDataFile } from '../../sandbox/data-file.ts';
import { readFileNamedByFlag } from '../session/read-given-file.ts';
import { readNamedContractFile } from '../session/resolve-contract.ts';
import { readFaultScript } from '../../sandbox/faults/read-script.ts';
import { readNameLengthSettings, readQuotaSettings } from '../../sandbox/server/read-settings.ts';
import { defaultSandboxCatalog } from '../../sandbox/store/catalog.ts';
import { makeTokenValue } from '../../sandbox/store/ids.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { serveSandbox } from '../../sandbox/server/serve.ts';
import { claimSandboxServingLock } from '../../sandbox/server/serving-lock.ts';
import { SandboxDataFileError } from '../../sandbox/store/storage-errors.ts';
import { makeDirectories } from '../../state/files/make-directories.ts';

/** Options of `sandbox`. */
export interface ServeSandboxOptions {
  readonly host: string;
  readonly port: number;
  /** Directory that keeps the sandbox's data; it is kept in memory when absent. */
  readonly data?: string;
  readonly speed: number;
  readonly seed: number;
  readonly variant: 'strict' | 'loose';
  /** Quotas of the account as `networks=2,vmRam=64`, or the path of a JSON file with them. */
  readonly quotas?: string;
  /** Longest names by kind as `vm=20`, or the path of a JSON file with them. */
  readonly nameLengths?: string;
  readonly quotaLagMs?: number;
  /** Path of a contract file, in whose spelling the sandbox answers. */
  readonly contract?: string;
  /** The path of a catalog. */
  readonly catalog?: string;
  /** The path of a fault script. */
  readonly faults?: string;
  /** Port of the sandbox's admin interface; there is none when absent. */
  readonly adminPort?: number;
  readonly onRequest?: SandboxOptions['onRequest'];
  readonly onFault?: SandboxOptions['onFault'];
}

/** A sandbox that is being served. */
export interface ListeningSandbox {
  readonly baseUrl: string;
  readonly token: string;
  readonly adminUrl?: string;
  /** Resolves once the sandbox was interrupted and has stopped. */
  readonly stopped: Promise<void>;
}

/** Serves the sandbox until the run is interrupted. Throws `DiagnosticError` when it cannot. */
export async function runSandboxCommand(
  runtime: Pick<Runtime, 'clock' | 'cwd' | 'holdInterrupts' | 'interrupted' | 'process' | 'stderr'>,
  options: ServeSandboxOptions,
): Promise<ListeningSandbox> {
  const settings = await readSettings(runtime, options);
  const { data, speed, seed, variant, onRequest, onFault } = options;
  const dataFile =
    data === undefined ? ':memory:' : locateSandboxDataFile(resolve(runtime.cwd, data));
  const closing: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  try {
    if (data !== undefined) {
      makeFolder(dataFile);
      const lock = claimSandboxServingLock(dataFile, runtime.process.pid);
      closing.push(() => lock.release());
    }
    const sandbox = await openSandbox({
      dataFile,
      now: () => runtime.clock.now(),
      sleep: (ms, signal) => runtime.clock.sleep(ms, signal),
      onError: (error) => runtime.stderr.write(`${describe(error)}\n`),
      speed,
      seed,
      variant,
      // A new token each time, since people paste it into other terminals, which outlive this process.
      token: makeTokenValue(),
      ...settings,
      ...(onRequest && { onRequest }),
      ...(onFault && { onFault }),
    });
    closing.push(() => sandbox.close());
    const addresses = await listen(sandbox, options, closing);
    return { ...addresses, token: sandbox.token, stopped: untilInterrupted(runtime, close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Creates the folder of the data file. The sandbox could, but could block on a special file. @throws
 * SandboxDataFileError
 */
function makeFolder(dataFile: string): void {
  try {
    makeDirectories(dirname(dataFile), 0o700);
  } catch (cause) {
    const what = `The sandbox cannot make the folder of its data file ${dataFile}`;
    throw SandboxDataFileError.because(what, cause);
  }
}

async function listen(
  sandbox: Sandbox,
  { host, port, adminPort }: ServeSandboxOptions,
  closing: (() => void | Promise<void>)[],
): Promise<{ baseUrl: string; adminUrl?: string }> {
  const server = await orRefuse(serveSandbox(sandbox, { host, port }), '--port', host, port);
  closing.push(() => server.close());
  const { baseUrl } = server;
  if (adminPort === undefined) return { baseUrl };
  const { serveSandboxAdmin } = await import('../../sandbox/server/admin.ts');
  const opening = serveSandboxAdmin(sandbox.faults, adminPort);
  const admin = await orRefuse(opening, '--admin-port', '127.0.0.1', adminPort);
  closing.push(() => admin.close());
  return { baseUrl, adminUrl: admin.adminUrl };
}

/** Reads the flags' texts, or the files that they name, as options of the sandbox. */
async function readSettings(
  { cwd }: Pick<Runtime, 'cwd'>,
  { quotas, nameLengths, quotaLagMs, catalog: file, faults, contract }: ServeSandboxOptions,
): Promise<Partial<SandboxOptions>> {
  const inlineOrFile = async (text: string, flag: string) =>
    text.includes('=') ? text : readFileNamedByFlag(cwd, text, flag);
  const catalog =
    file === undefined
      ? undefined
      : parseCatalog(await readFileNamedByFlag(cwd, file, '--catalog'), file);
  const sizes = (catalog ?? defaultSandboxCatalog).configurations;
  return {
    catalog,
    ...(quotas !== undefined && {
      quotas: readQuotaSettings(await inlineOrFile(quotas, '--quotas')),
    }),
    ...(nameLengths !== undefined && {
      nameLengths: readNameLengthSettings(await inlineOrFile(nameLengths, '--name-lengths')),
    }),
    ...(quotaLagMs !== undefined && { quotaLagMs }),
    ...(contract !== undefined && { binding: await readContract(cwd, contract) }),
    ...(faults !== undefined && {
      faults: await readFaultScript(
        await readFileNamedByFlag(cwd, faults, '--faults'),
        faults,
        sizes,
      ),
    }),
  };
}

/** @throws DiagnosticError with every fault of the file */
async function readContract(cwd: string, file: string): Promise<Binding> {
  const bytes = await readNamedContractFile(cwd, file, '--contract');
  const { binding, diagnostics } = readBinding(Buffer.from(bytes).toString(), file);
  if (!binding) throw new DiagnosticError(diagnostics);
  return binding;
}

/** Runs a server's start and explains failures that a user can fix, such as a used port. */
async function orRefuse<Server>(
  opening: Promise<Server>,
  flag: string,
  host: string,
  port: number,
): Promise<Server> {
  try {
    return await opening;
  } catch (cause) {
    const code = readErrorCode(cause) ?? '';
    const why: Readonly<Record<string, string>> = {
      EADDRINUSE: `Another process listens there already. Give another ${flag}, or 0 for a free one.`,
      EACCES: `This user may not listen there. Give a ${flag} above 1023.`,
      EADDRNOTAVAIL: 'This machine has no such address. Give another --host.',
      ENOTFOUND: 'There is no such host. Give an address of this machine as --host.',
    };
    if (why[code] === undefined) throw cause;
    throw refusal('cannot-listen', `Cannot listen on ${host}, port ${port}`, why[code], cause);
  }
}

const refusal = (code: string, summary: string, detail: string, cause: unknown) =>
  new DiagnosticError([{ severity: 'error', code, summary, detail }], { cause });

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function untilInterrupted(
  runtime: Pick<Runtime, 'holdInterrupts' | 'interrupted'>,
  close: () => Promise<void>,
): Promise<void> {
  const { interrupted } = runtime;
  const letGo = runtime.holdInterrupts(() => undefined);
  return new Promise<void>((done, fail) => {
    const finish = () => void close().finally(letGo).then(done, fail);
    if (interrupted.aborted) finish();
    else interrupted.addEventListener('abort', finish, { once: true });
  });
}
