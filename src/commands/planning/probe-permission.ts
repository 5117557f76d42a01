// Permission to ask probes: from the person who runs the program, or, on a server, from the owner of the workspace.
import { isIP } from 'node:net';
import type { RunProbeOnce } from '../../model/plan/readiness.ts';
import type { Runtime } from '../../model/runtime.ts';

/**
 * Makes the prober for the probes of a configuration, which refuses commands and address ranges that the user has not allowed.
 */
export function openPermittedProber(
  runtime: Pick<Runtime, 'openProber' | 'probePermission' | 'process'>,
  directory: string,
): RunProbeOnce {
  const { probePermission, process } = runtime;
  const isOnServer = process.run !== undefined;
  return runtime.openProber({ ranges: probePermission?.ranges ?? [], directory, isOnServer });
}

/** Tells whether a text is a list of IP address ranges, separated by commas: `10.0.0.0/8,fd00::/8`. */
export function isAddressRangeList(text: string): boolean {
  const ranges = text.split(',');
  return ranges.every((range) => {
    const [address = '', length = '', ...rest] = range.split('/');
    const bits = isIP(address) === 6 ? 128 : 32;
    return (
      isIP(address) > 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits && rest.length === 0
    );
  });
}
