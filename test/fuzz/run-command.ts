import type { FetchHandler } from '../../src/api/transport/exchange-by-fetch.ts';
import { networkOf } from '../support/network.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import type { Clock, LineReader, Runtime } from '../../src/model/runtime.ts';
import { createRecordingSink } from '../support/recording-sink.ts';
import { silentRuntime } from '../support/silent-runtime.ts';

/** How a command line ended. */
export interface Ended {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

const noLines: LineReader = {
  isTerminal: false,
  next: () => Promise.resolve({ kind: 'end' }),
  close: () => undefined,
};

/** Runs a command line as the program does, with everything impure given. */
export async function runCommand(
  args: readonly string[],
  given: Pick<Runtime, 'cwd' | 'env'> & { readonly clock: Clock; readonly fetch: FetchHandler },
): Promise<Ended> {
  const sink = createRecordingSink();
  const code = await runCommandLine(args, {
    ...silentRuntime,
    ...given,
    ...networkOf(given.fetch, given.clock),
    stdout: sink,
    stderr: sink,
    ask: () => Promise.resolve('yes'),
    readInput: () => Promise.resolve(''),
    openLines: () => Promise.resolve(noLines),
  });
  return { code, output: sink.text };
}
