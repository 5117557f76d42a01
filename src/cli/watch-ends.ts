// Ends of the process before its command's: at an interrupt, with its terminal, by a bug. Lines that are drawn over again on
// the terminal are taken away first, and the last words come after the earlier output.
import type { Runtime, TextSink } from '../model/runtime.ts';
import { describeProgramBug } from './describe-bug.ts';

/** Members of Node's `process` that `watchProcessEnd` uses. */
export interface WatchedProcess {
  on(event: NodeJS.Signals | 'uncaughtException', listener: (reason: unknown) => void): unknown;
  off(event: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
  readonly pid: number;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

/**
 * Handles the signals that end the process. An interrupt ends it with the usual exit code of shells, unless a command holds
 * interrupts to finish its work; then the second interrupt ends it. Ending is safe at any moment: the journal is on disk, and the
 * lock of the state is released at exit.
 */
export function watchProcessEnd(
  process: WatchedProcess,
  stderr: TextSink,
): Pick<Runtime, 'interrupted' | 'holdInterrupts' | 'beforeAbruptEnd' | 'aroundSuspension'> {
  const interrupted = new AbortController();
  const holds = new Set<() => void>();
  const works = new Set<() => void>();
  const end = (code: number, words: string) => {
    for (const work of [...works]) work();
    stderr.write(words);
    process.exit(code);
  };
  const onSignal = () => {
    if (interrupted.signal.aborted) end(130, 'Interrupted again: stopped at once.\n');
    // The terminal has echoed ^C, so that a message has to start on a new line.
    else if (holds.size === 0) end(130, stderr.isTTY ? '\n' : '');
    else {
      for (const hold of holds) hold();
      interrupted.abort(new Error('interrupted'));
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // The terminal is gone: like a first interrupt, but never a second one, since nobody asked for haste.
  process.on('SIGHUP', () => {
    if (holds.size === 0) end(129, '');
    else if (!interrupted.signal.aborted) onSignal();
  });
  // A promise that was rejected and that nobody looks at comes here too.
  process.on('uncaughtException', (error) => end(1, describeProgramBug(error)));
  const keepIn = (set: Set<() => void>) => (work: () => void) => {
    set.add(work);
    return () => void set.delete(work);
  };
  return {
    interrupted: interrupted.signal,
    holdInterrupts: keepIn(holds),
    beforeAbruptEnd: keepIn(works),
    aroundSuspension: (work) => watchSuspension(process, work),
  };
}

/** Does something before Ctrl-Z stops the process, and after it goes on. */
function watchSuspension(
  process: WatchedProcess,
  { before, after }: { readonly before: () => void; readonly after: () => void },
): () => void {
  const onStop = () => {
    before();
    // A process that handles SIGTSTP has to stop itself by SIGSTOP, which cannot be handled.
    process.kill(process.pid, 'SIGSTOP');
  };
  process.on('SIGTSTP', onStop);
  process.on('SIGCONT', after);
  return () => {
    process.off('SIGTSTP', onStop);
    process.off('SIGCONT', after);
  };
}
