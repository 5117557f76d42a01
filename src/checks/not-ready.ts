import type { Check } from './check.ts';

/** Notes what an earlier run has changed and did not see ready: an apply probes it, also where nothing else changes. */
export const noteNotReady: Check = ({ plan: { tasks }, state, desired }) =>
  tasks.flatMap(({ address, phase }) => {
    if (phase !== 'ready' || state.resources.get(address)?.isNotReady !== true) return [];
    const source = desired.get(address)?.source;
    return [
      {
        severity: 'note',
        code: 'not-ready-yet',
        summary: 'It was changed by an earlier run, which did not see it ready',
        detail: 'An apply probes it before anything else of its block goes out of service.',
        ...{ address, ...(source && { source }) },
      },
    ];
  });
