import type { ServeSandboxOptions } from '../../commands/lifecycle/sandbox.ts';
import type { TextSink } from '../../model/runtime.ts';

type Log = Required<Pick<ServeSandboxOptions, 'onRequest' | 'onFault'>>;

/** A line for every request, and one for everything that a person in the console has done. */
export function createRequestLog(stderr: TextSink): Log {
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
