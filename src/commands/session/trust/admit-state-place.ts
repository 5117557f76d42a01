// Trust in a state, three times: its place with the credentials for it, the place with this very state, and the state with
// the service that gets the access token. The YAML of a pull request is a stranger's, and so may be what lies beside it. So
// neither vouches for anything: the environment does, or what a person has said before, which the memory of the user keeps.
import { dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { DiagnosticError } from '../../../model/errors.ts';
import type { Runtime } from '../../../model/runtime.ts';
import type { State } from '../../../model/state/state.ts';
import { isLoopback } from '../../../model/text/is-loopback.ts';
import type { StateBackend } from '../../../state/backends/backend.ts';
import { stateDirectoryName } from '../../../state/files/files.ts';
import { resolveRealPath } from '../../../state/files/written-file.ts';
import { createCommandRefusal } from '../refuse.ts';
import { admitTokenToService, type ServiceTrust } from './admit-service.ts';
import { hasUnmigratedState } from './find-state-elsewhere.ts';
import { requirePersonalPermission, warnOfUnrememberedPermission } from './require-permission.ts';
import { requireEncryptedStateHosts, requireUntrackedByGit } from './require-safe-place.ts';
import { openTrustMemory, type TrustSubject } from './trust-memory.ts';

/** Source of a state's location: the configuration, `HOSTWRIGHT_STATE`, or a person on the command line. */
export type StateLocationSource = 'configuration' | 'environment' | 'person';

/** Checks and questions that come before a state is used, since a wrong state would make an apply delete resources. */
export interface StateTrust extends ServiceTrust {
  /**
   * Checks that a state which was just read is the one of earlier runs, and remembers it for later ones. `isWritten`: set for a
   * run that may write, for which an empty state counts as the new one.
   * @throws DiagnosticError `state-of-another-lineage`
   */
  admitState(state: State, isWritten: boolean): Promise<void>;
  /** Remembers the lineage of this state as that of its location, whatever state was there before. */
  rememberState(state: Pick<State, 'lineage'>): Promise<void>;
  /**
   * Remembers that the configuration may keep its state at this location.
   * @returns why that cannot be remembered, as a sentence
   */
  rememberPlace(): Promise<string | undefined>;
}

/** The location of a state whose trust is to be checked, and the purpose of opening it. */
export interface TrustedStateLocation {
  readonly backend: StateBackend;
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
  readonly source: StateLocationSource;
  readonly isSealed: boolean;
  /** True where the user has asked to move the state to this place, which needs no further question. */
  readonly isMoving: boolean;
  readonly warn: (diagnostic: Diagnostic) => void;
}

/**
 * Allows the credentials of a backend to go to the location of the state, after a question for a new host. No request was sent
 * there before.
 * @throws DiagnosticError `state-plain-http`, `other-state-host`, `state-elsewhere`, `state-tracked`
 */
export async function admitCredentialsToStateLocation(
  runtime: Pick<
    Runtime,
    | 'allowsOtherService'
    | 'allowsOtherState'
    | 'allowsPlainHttp'
    | 'askPermission'
    | 'distrustsLoopback'
    | 'env'
    | 'process'
  >,
  given: TrustedStateLocation,
): Promise<StateTrust> {
  const { backend, directory, source, isMoving, warn } = given;
  const { place, hosts = [] } = backend;
  const usual = resolve(directory, stateDirectoryName);
  requireEncryptedStateHosts(runtime, hosts);
  await requireUntrackedByGit(runtime, backend.kind === 'local' ? [usual, place] : [usual]);
  const trust = await recallTrust(runtime, given, usual);
  if (source === 'person') await trust.rememberPlace();
  if (source !== 'configuration') return trust;

  const former = isMoving ? [] : await trust.listFormer();
  const isNew = hosts.length > 0 && !(await trust.isKnown());
  const isNear =
    runtime.distrustsLoopback !== true && hosts.every((one) => isLoopback(new URL(one)));
  if (former.length > 0 || (isNew && !isNear)) {
    const refusal = explainPlace(place, isNew ? hosts : [], former);
    await requirePersonalPermission(runtime, runtime.allowsOtherState === true, refusal);
    const fault = await trust.rememberPlace();
    if (fault !== undefined) warn(warnOfUnrememberedPermission(fault));
  } else if (hosts.length > 0 || isMoving) await trust.rememberPlace();
  return trust;
}

/** Confirmations for a state's place, with those that the user gave before. */
interface RecalledTrust extends StateTrust {
  /** The places where the configuration had its state; none where this is one of them. */
  listFormer(): Promise<readonly string[]>;
  /** Tells whether credentials were sent to the hosts of this place before. */
  isKnown(): Promise<boolean>;
}

async function recallTrust(
  runtime: Pick<
    Runtime,
    'allowsOtherService' | 'allowsOtherState' | 'askPermission' | 'env' | 'process'
  >,
  { backend, directory, source, isSealed }: TrustedStateLocation,
  usual: string,
): Promise<RecalledTrust> {
  const { kind, place, address, hosts = [] } = backend;
  const memory = openTrustMemory(runtime, directory);
  const isUsual = kind === 'local' && place === usual;
  // A local state is identified by its real path, a remote one by its address.
  const here: TrustSubject = [
    'place',
    kind === 'local' ? await findReal(place) : address,
    ...hosts,
  ];
  const configuration: TrustSubject = ['directory', await findReal(directory)];
  const name = here.join(' ');
  let subjects: readonly TrustSubject[] = [];
  const rememberPlace = async () => {
    const fault = await memory.remember(configuration, { [name]: [place] });
    return fault ?? (hosts.length > 0 ? memory.remember(here, { hosts }) : undefined);
  };
  const rememberState = async ({ lineage }: Pick<State, 'lineage'>) => {
    if (isSealed) await memory.remember(here, { lineage: [lineage] });
  };
  return {
    rememberPlace,
    rememberState,
    async listFormer() {
      const known = await memory.recall(configuration);
      if (name in known) return [];
      const isBeside = !isUsual && (await hasUnmigratedState(usual));
      return [...new Set([...Object.values(known).flat(), ...(isBeside ? [usual] : [])])];
    },
    isKnown: async () => 'hosts' in (await memory.recall(here)),
    async admitState(state, isWritten) {
      const { lineage, serial, resources, pending } = state;
      const isEmpty = serial === 0 && resources.size + pending.size === 0;
      const isMeant = !isEmpty || isWritten;
      subjects = [
        ...(isEmpty ? [['service', ...here]] : []),
        ...(isMeant ? [['service', address, lineage]] : []),
      ];
      if (!isMeant) return;
      const known = isSealed && !isEmpty ? (await memory.recall(here)).lineage : undefined;
      if (known && !known.includes(lineage) && runtime.allowsOtherState !== true) {
        throw explainReplacedState(place, known, lineage);
      }
      await rememberState(state);
      if (source === 'configuration' && !isUsual) await rememberPlace();
    },
    admitService: (service) => admitTokenToService(runtime, memory, subjects, service),
  };
}

/** A path with its links followed, as far as it exists; errors show when it is read. */
function findReal(path: string): Promise<string> {
  return resolveRealPath(join(path, 'any')).then(
    ({ real }) => dirname(real),
    () => path,
  );
}

function explainPlace(
  place: string,
  hosts: readonly string[],
  former: readonly string[],
): DiagnosticError {
  const hint =
    'If you want that, run with --allow-other-state once, or set HOSTWRIGHT_STATE. Otherwise, find out who changed `state`.';
  const before = former.length > 0 ? `Until now the state was in ${former.join(', ')}.` : '';
  if (hosts.length > 0) {
    const summary = `The configuration alone sends the state to another host: ${hosts.join(', ')}`;
    const detail = `${before || 'Nobody has confirmed it.'} Whoever writes the configuration could collect the credentials for the state.`;
    return createCommandRefusal('other-state-host', summary, { detail, hint });
  }
  return createCommandRefusal(
    'state-elsewhere',
    `The configuration has its state in another place: ${place}`,
    {
      detail: `${before} What is in the other place may be anybody's.`,
      hint: `To move it, run "hostwright init --migrate-state" or "hostwright state migrate". ${hint}`,
    },
  );
}

/** Error for a location that holds another state than before: its lineage is not the one that this user has seen there. */
export function explainReplacedState(
  place: string,
  known: readonly string[],
  lineage: string,
): DiagnosticError {
  return createCommandRefusal(
    'state-of-another-lineage',
    `Another state has taken the place of yours: ${place}`,
    {
      detail: `Its lineage is ${lineage}; that of the state which was here is ${known.join(', ')}. Somebody may have copied it here.`,
      hint: 'Restore the state that was here. If it was replaced on purpose, add --allow-other-state once.',
    },
  );
}
