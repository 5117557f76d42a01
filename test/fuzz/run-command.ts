import { runCommandLine } from '../../src/cli/program.ts';
import type { Clock, Runtime, TextSink } from '../../src/model/runtime.ts';

/** How a command line ended. */
export interface Ended {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

/** Runs a command line as the program does, with everything impure given. */
export async function runCommand(
  args: readonly string[],
  given: Pick<Runtime, 'cwd' | 'env' | 'fetch'> & { readonly clock: Clock },
): Promise<Ended> {
  const pieces: string[] = [];
  const sink: TextSink = {
    write: (text) => void pieces.push(text),
    isTTY: false,
    columns: undefined,
    rows: undefined,
  };
  const code = await runCommandLine(args, {
    ...given,
    random: () => 0.5,
    stdout: sink,
    stderr: sink,
    ask: () => Promise.resolve('yes'),
    readInput: () => Promise.resolve(''),
    execute: () => Promise.reject(new Error('nothing is executed here')),
    interrupted: new AbortController().signal,
    holdInterrupts: () => () => undefined,
    beforeAbruptEnd: () => () => undefined,
    process: { pid: process.pid, host: 'fuzz', user: 'fuzz' },
  });
  return { code, output: pieces.join('') };
}
