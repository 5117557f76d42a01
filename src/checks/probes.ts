import { listProbes } from '../model/plan/write-probe.ts';
import { commandNotAllowedTexts } from './destinations.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';

/** Probes go out only with leave from the person who runs the apply, and their commands only with that for commands as well. */
export const checkProbePermissions: PlanCheck = ({ plan, desired, allowsProbes, allowsCommands }) =>
  listProbes(plan.tasks).flatMap(({ address, runsCommand }) => {
    const source = desired.get(address)?.source;
    return listForbiddenProbeErrors({ allowsProbes, allowsCommands, runsCommand }).map((fault) => {
      return { ...fault, address, ...(source && { source }) };
    });
  });

/** Reports probes that the user has not allowed, because of their destinations or commands. */
export function listForbiddenProbeErrors({
  allowsProbes,
  allowsCommands,
  runsCommand,
}: Pick<PlanCheckInput, 'allowsProbes' | 'allowsCommands'> & {
  readonly runsCommand: boolean;
}): readonly Finding[] {
  const severity = 'error';
  return [
    ...(allowsProbes === false ? [{ severity, ...notAllowed } as const] : []),
    ...(runsCommand && !allowsCommands ? [{ severity, ...commandNotAllowedTexts } as const] : []),
  ];
}

const notAllowed = {
  code: 'probe-not-allowed',
  summary: 'The rollout makes probes, which is not allowed',
  detail: 'An apply of the plan connects to their addresses from the machine that runs it.',
  hint: 'Read the probes, then add --allow-probes, or set HOSTWRIGHT_ALLOW_PROBES=1.',
};

/** Notes what an earlier run has changed and did not see ready: an apply probes it, also where nothing else changes. */
export const noteUnreadyMembers: PlanCheck = ({ plan: { tasks }, state, desired }) =>
  tasks.flatMap(({ address, phase }) => {
    if (phase !== 'ready' || state.resources.get(address)?.isNotReady !== true) return [];
    const source = desired.get(address)?.source;
    return [
      {
        severity: 'note',
        code: 'not-ready-yet',
        summary: 'It was changed by an earlier run, which did not see it ready',
        detail: 'An apply probes it before anything else of its block goes out of service.',
        address,
        ...(source && { source }),
      },
    ];
  });
