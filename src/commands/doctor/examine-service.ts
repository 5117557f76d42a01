// Checks of `doctor` on the service: each request is sent once, and its answer is used for all checks.
import { existsSync } from 'node:fs';
import { contractOperationCount } from '../../api/wire/published-contract.ts';
import { resolveToken } from '../../api/transport/token.ts';
import type { CheckUp, CheckUpName } from '../../model/account/check-up.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { ConnectingRuntime, SessionRuntime } from '../../model/runtime.ts';
import type { ServiceSection } from '../../model/account/service.ts';
import { sandboxFile } from '../../sandbox/data-file.ts';
import { connect } from '../session/connect.ts';
import { locateService, type SandboxPlace } from '../session/locate-service.ts';
import { relativeTo } from '../session/session.ts';
import { attemptCheckUp } from './attempt.ts';
import { examineRemote, examineUnreachableService } from './examine-remote.ts';
import { makeCheckUp, skipCheckUp } from './make-check-up.ts';
import { readConfiguredState, type StateWithTrust } from '../session/state/open-backend.ts';

/** The service of a configuration, and the resources that are wanted there. */
export interface ServiceSubject extends Pick<
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
  subject: ServiceSubject,
): Promise<readonly CheckUp[]> {
  const located = await attemptCheckUp(async () => {
    const { state } = await readConfiguredState(runtime, subject.directory);
    return { ...(await locateService(runtime, subject, state)), state };
  });
  if ('fault' in located) {
    return [
      makeCheckUp('address', 'failure', located.fault),
      ...examineUnreachableService(
        await attemptCheckUp(() => resolveToken(runtime)),
        'There is no address that could be asked',
      ),
    ];
  }
  const { place, warnings, state } = located.value;
  return [
    ...warnings.map((one) => makeCheckUp('address', 'warning', one)),
    ...(place.kind === 'sandbox'
      ? await examineSandbox(runtime, subject, state, place)
      : await examineRemote(runtime, place, subject)),
  ];
}

/** Checks the embedded sandbox, without creating one that was never used. */
async function examineSandbox(
  runtime: ConnectingRuntime,
  { service, directory }: ServiceSubject,
  state: StateWithTrust,
  { dataDirectory }: SandboxPlace,
): Promise<CheckUp[]> {
  const isThere = existsSync(sandboxFile(dataDirectory));
  const data = isThere
    ? `its data is in ${relativeTo(runtime, dataDirectory)}`
    : 'nothing was done there so far';
  const settings = { service, directory };
  const opened = isThere
    ? await attemptCheckUp(async () => {
        const connection = await connect(runtime, settings, state, {
          showDiagnostics: () => undefined,
        });
        connection.close();
      })
    : undefined;
  const fine = (name: CheckUpName, summary: string): CheckUp => ({ name, outcome: 'ok', summary });
  if (opened && 'fault' in opened) {
    const why = 'The embedded sandbox cannot be opened';
    const names = ['scopes', 'clock', 'contract'] as const;
    return [
      makeCheckUp('address', 'failure', opened.fault),
      fine('token', 'The embedded sandbox needs none'),
      ...names.map((name) => skipCheckUp(name, why)),
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
