// Checks of `doctor` on the service: each request is sent once, and its answer is used for all checks.
import { existsSync } from 'node:fs';
import { contractOperationCount } from '../../api/wire/published-contract.ts';
import { resolveToken } from '../../api/transport/token.ts';
import type { DoctorCheckUp, DoctorCheckUpName } from '../../model/account/check-up.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { ConnectingRuntime, SessionRuntime } from '../../model/runtime.ts';
import type { ServiceSection } from '../../model/account/service.ts';
import { locateSandboxDataFile } from '../../sandbox/data-file.ts';
import { connectToService } from '../session/connect.ts';
import { locateService, type SandboxServiceLocation } from '../session/locate-service.ts';
import { formatRelativePath } from '../session/session.ts';
import { attemptCheckUp } from './attempt.ts';
import { examineRemote, reportUnreachableService } from './examine-remote.ts';
import { makeFailedCheckUp, makeSkippedCheckUp } from './make-check-up.ts';
import { readConfiguredState, type StateWithTrust } from '../session/state/open-backend.ts';

/** Input of the check of a service: its location and settings, and the resources that the configuration wants there. */
export interface ServiceToExamine extends Pick<
  ServiceSection,
  'service' | 'maxConnections' | 'contract'
> {
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
  /** Resources of the configuration; undefined where it could not be read. */
  readonly resources: readonly DesiredResource[] | undefined;
}

/** Checks address, token, scopes, clock and contract of the configured service. */
export async function examineService(
  runtime: SessionRuntime,
  subject: ServiceToExamine,
): Promise<readonly DoctorCheckUp[]> {
  const located = await attemptCheckUp(async () => {
    const { state } = await readConfiguredState(runtime, subject.directory);
    return { ...(await locateService(runtime, subject, state)), state };
  });
  if ('fault' in located) {
    return [
      makeFailedCheckUp('address', 'failure', located.fault),
      ...reportUnreachableService(
        await attemptCheckUp(() => resolveToken(runtime)),
        'There is no address that could be asked',
      ),
    ];
  }
  const { place, warnings, state } = located.value;
  return [
    ...warnings.map((one) => makeFailedCheckUp('address', 'warning', one)),
    ...(place.kind === 'sandbox'
      ? await examineSandbox(runtime, subject, state, place)
      : await examineRemote(runtime, place, subject)),
  ];
}

/** Checks the embedded sandbox, without creating one that was never used. */
async function examineSandbox(
  runtime: ConnectingRuntime,
  { service, directory }: ServiceToExamine,
  state: StateWithTrust,
  { dataDirectory }: SandboxServiceLocation,
): Promise<DoctorCheckUp[]> {
  const isThere = existsSync(locateSandboxDataFile(dataDirectory));
  const data = isThere
    ? `its data is in ${formatRelativePath(runtime, dataDirectory)}`
    : 'nothing was done there so far';
  const settings = { service, directory };
  const opened = isThere
    ? await attemptCheckUp(async () => {
        const connection = await connectToService(runtime, settings, state, {
          showDiagnostics: () => undefined,
        });
        connection.close();
      })
    : undefined;
  const fine = (name: DoctorCheckUpName, summary: string): DoctorCheckUp => ({
    name,
    outcome: 'ok',
    summary,
  });
  if (opened && 'fault' in opened) {
    const why = 'The embedded sandbox cannot be opened';
    const names = ['scopes', 'clock', 'contract'] as const;
    return [
      makeFailedCheckUp('address', 'failure', opened.fault),
      fine('token', 'The embedded sandbox needs none'),
      ...names.map((name) => makeSkippedCheckUp(name, why)),
    ];
  }
  return [
    fine('address', `The embedded sandbox; ${data}`),
    fine('token', 'The embedded sandbox needs none'),
    fine('scopes', 'Everything is allowed there'),
    fine('clock', 'It goes by the clock of this machine'),
    fine('contract', `It serves all ${contractOperationCount} operations`),
  ];
}
