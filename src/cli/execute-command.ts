// Runs programs: the shell commands of --token-command and of a configuration, which are trusted with one secret alone, and
// the probes of a rollout, which get none and no shell.
import type { Runtime } from '../model/runtime.ts';

/**
 * Runs a command that prints a value, as `Runtime.execute`. A command that prints a token shares our standard error, so that it
 * can ask for a passphrase there.
 */
export const executeCommand: Runtime['execute'] = async (command, secretly) => {
  const { spawn } = await import('node:child_process');
  const child = secretly
    ? spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'ignore'], env: { ...secretly.env } })
    : spawn(command, { shell: true, stdio: ['inherit', 'pipe', 'inherit'] });
  // A command may end without reading its input: its exit code, and not this broken pipe, tells how it went.
  child.stdin?.on('error', () => undefined).end(secretly?.input);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => {
      reject(new Error(`It could not be started (${cause.message})`, { cause }));
    });
    child.once('close', resolve);
  });
  if (code === 0) return printed;
  throw new Error(`It ended with exit code ${String(code)}`);
};

/** Runs a program without a shell, input or output. @returns its exit code; null where a signal ended it. Rejects where it cannot start */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Runtime['env'];
    /** Signal that kills the called program when it is aborted. */
    readonly signal: AbortSignal;
  },
): Promise<number | null> {
  const { spawn } = await import('node:child_process');
  const child = spawn(program, args, { ...options, killSignal: 'SIGKILL', stdio: 'ignore' });
  return await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
}

/** Makes `Runtime.runInTerminal`: programs such as `ssh` that use the standard streams of this process. */
export function openTerminalRunner(env: Runtime['env']): Runtime['runInTerminal'] {
  return async (program, args) => {
    const { spawn } = await import('node:child_process');
    const own = Object.entries(env).filter(([name]) => !name.startsWith('HOSTWRIGHT_'));
    const child = spawn(program, args, { env: Object.fromEntries(own), stdio: 'inherit' });
    return await new Promise((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
  };
}
