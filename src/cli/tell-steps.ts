// What the process of a run says to its worker of an apply: people watch it on a page. Loaded for such a run alone.
import type { Writable } from 'node:stream';
import type { Runtime } from '../model/runtime.ts';

/** Says on the pipe how many steps an apply has, and when each begins and ends. One JSON object a line. */
export function tellSteps(pipe: Writable): NonNullable<Runtime['followApply']> {
  // A worker that is gone breaks the pipe, and this process ends.
  const say = (message: object) => {
    if (pipe.writable) pipe.write(`${JSON.stringify(message)}\n`);
  };
  return (steps) => {
    say({ steps });
    return {
      note({ kind, address, step, at }) {
        if (kind !== 'progress') say({ step: { kind, address, step, at } });
      },
    };
  };
}
