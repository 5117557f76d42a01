// Reports that the backend does not answer: a run that waits for it looks like one that hangs.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Clock } from '../../model/runtime.ts';
import type { StateFiles } from '../files/files.ts';
import type { StateBackend } from './backend.ts';

/** Milliseconds without output after which a line says what is being waited for. */
const silenceMs = 5_000;

/** Wraps a backend so that it reports once when a write takes long, and once when writes succeed again. */
export function reportBackendSilence(
  backend: StateBackend,
  clock: Clock,
  tell: (diagnostic: Diagnostic) => void,
): StateBackend {
  const silence = new Silence(backend.place, clock, tell);
  return {
    ...backend,
    openFiles: (fence) => {
      const files = backend.openFiles(fence);
      const watched: StateFiles = {
        pathOf: (name) => files.pathOf(name),
        list: () => files.list(),
        read: (name) => files.read(name),
        replace: (name, text) => silence.watch(() => files.replace(name, text)),
        append: (name, text) => silence.watch(() => files.append(name, text)),
        remove: (name) => silence.watch(() => files.remove(name)),
        close: () => files.close(),
      };
      return watched;
    },
  };
}

class Silence {
  readonly #place: string;
  readonly #clock: Clock;
  readonly #tell: (diagnostic: Diagnostic) => void;
  #isTold = false;

  constructor(place: string, clock: Clock, tell: (diagnostic: Diagnostic) => void) {
    this.#place = place;
    this.#clock = clock;
    this.#tell = tell;
  }

  async watch(write: () => Promise<void>): Promise<void> {
    const done = new AbortController();
    this.#clock.sleep(silenceMs, done.signal).then(
      () => this.#begin(),
      () => undefined,
    );
    try {
      await write();
    } finally {
      done.abort();
    }
    this.#end();
  }

  #begin(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#tell({
      severity: 'warning',
      code: 'state-slow',
      summary: `The state is not written yet after ${silenceMs / 1_000} s: ${this.#place}`,
      detail:
        'Hostwright keeps trying. It sends no new change to the service before the state is written.',
      hint: 'Check the network and the backend. If the backend stays unreachable, the run ends and saves the state on this machine.',
    });
  }

  #end(): void {
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#tell({
      severity: 'note',
      code: 'state-written',
      summary: `The state is written again: ${this.#place}`,
    });
  }
}
