import type { Runtime, TextSink } from '../../model/runtime.ts';

/** Output of a command line, and its exit code. */
export interface CapturedRun {
  readonly code: number;
  /** Standard output, and behind it standard error. */
  readonly text: string;
}

/** Longest text that a tool answers with: more than a model reads at once. */
const longestText = 200_000;

/** Leave that a person gives for their own runs, and that an agent who may edit the YAML must not have. */
const withheld = ['COMMANDS', 'ENV', 'OUTSIDE_FILES', 'PLAIN_STATE', 'PROBES'].map(
  (name) => `HOSTWRIGHT_ALLOW_${name}`,
);

/** A runtime in which nobody can be asked, and nothing that a configuration names is read or run beyond its directory. */
export function restrictRuntime(runtime: Runtime): Runtime {
  const env = Object.fromEntries(
    Object.entries(runtime.env).filter(([name]) => !withheld.includes(name)),
  );
  return {
    ...runtime,
    env,
    isAttended: false,
    askLeave: undefined,
    ask: () => Promise.resolve(undefined),
    // Standard input carries the protocol.
    readInput: () => Promise.resolve(''),
    openLines: () =>
      Promise.resolve({
        isTerminal: false,
        next: () => Promise.resolve({ kind: 'end' } as const),
        close: () => undefined,
      }),
  };
}

/** A sink that keeps what is written, up to a limit. */
function openCapture(limit: number): TextSink & { read(): string } {
  let kept = '';
  let dropped = 0;
  return {
    write: (text) => {
      const room = Math.max(0, limit - kept.length);
      kept += text.slice(0, room);
      dropped += Math.max(0, text.length - room);
    },
    ready: () => Promise.resolve(true),
    isTTY: false,
    columns: undefined,
    rows: undefined,
    read: () => (dropped === 0 ? kept : `${kept}\n\n(${dropped} characters more)`),
  };
}

/** Runs a command line, and keeps what it writes. */
export async function runCaptured(
  words: readonly string[],
  runtime: Runtime,
  runCommandLine: (words: readonly string[], runtime: Runtime) => Promise<number>,
): Promise<CapturedRun> {
  const [stdout, stderr] = [openCapture(longestText), openCapture(longestText / 10)];
  const code = await runCommandLine(words, { ...runtime, stdout, stderr });
  const text = [stdout, stderr].map((sink) => sink.read().trim()).filter((part) => part !== '');
  return { code, text: text.join('\n\n') };
}
