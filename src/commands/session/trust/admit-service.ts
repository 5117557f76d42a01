// Trust in a service that only the configuration names, before the access token is sent there. The service in the state
// only ever refuses: it may lie in the work tree, or in a place that the configuration chose.
import type { ServiceTls } from '../../../model/account/service.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { DiagnosticError } from '../../../model/errors.ts';
import type { Runtime } from '../../../model/runtime.ts';
import type { SourceRange } from '../../../model/source.ts';
import { createCommandRefusal } from '../refuse.ts';
import { requirePersonalPermission, warnOfUnrememberedPermission } from './require-permission.ts';
import type { RememberedConfirmations, TrustSubject, TrustMemory } from './trust-memory.ts';

/** A service address that a configuration names. */
export interface ConfiguredServiceAddress {
  readonly baseUrl: string;
  readonly tls?: ServiceTls;
  readonly source?: SourceRange;
}

/** Checks and questions that come before the service of a state gets the token. */
export interface ServiceTrust {
  /**
   * Allows the token to go to an address that only a configuration names, if the user confirms it or did so before. Returns
   * warnings of harmless failures.
   * @throws DiagnosticError `other-service`, `other-authority`
   */
  admitService(service: ConfiguredServiceAddress): Promise<readonly Diagnostic[]>;
}

/**
 * Allows the token to go to a service if the user confirms it, or has confirmed it before for one of the subjects; then remembers
 * the service for all of them. Returns warnings of harmless failures.
 * @throws DiagnosticError `other-service`, `other-authority`
 */
export async function admitTokenToService(
  runtime: Pick<Runtime, 'askPermission' | 'allowsOtherService' | 'process'>,
  memory: TrustMemory,
  subjects: readonly TrustSubject[],
  place: ConfiguredServiceAddress,
): Promise<readonly Diagnostic[]> {
  const known = await Promise.all(subjects.map((subject) => memory.recall(subject)));
  const isVouchedFor = known.some((facts) => vouches(facts, place));
  if (!isVouchedFor) {
    const former = known.find(({ service }) => service !== undefined);
    const isAllowed = runtime.allowsOtherService === true;
    // A service other than the one confirmed before is refused, rather than asked about as a first use.
    if (former && !isAllowed) throw explainOther(former, place);
    await requirePersonalPermission(runtime, isAllowed, explainFirst(runtime, place));
  }
  const facts = {
    service: [place.baseUrl],
    authorities: place.tls?.authorities?.fingerprints ?? [],
  };
  const faults: string[] = [];
  for (const [index, subject] of subjects.entries()) {
    if (vouches(known[index] ?? {}, place)) continue;
    const fault = await memory.remember(subject, facts);
    if (fault !== undefined && !isVouchedFor) faults.push(fault);
  }
  return faults.slice(0, 1).map(warnOfUnrememberedPermission);
}

function vouches(
  { service = [], authorities = [] }: RememberedConfirmations,
  { baseUrl, tls }: ConfiguredServiceAddress,
): boolean {
  const all = tls?.authorities?.fingerprints ?? [];
  return service.includes(baseUrl) && all.every((one) => authorities.includes(one));
}

function explainFirst(
  { process: { run } }: Pick<Runtime, 'process'>,
  place: ConfiguredServiceAddress,
): DiagnosticError {
  const { baseUrl, tls, source } = place;
  const { file, fingerprints = [] } = tls?.authorities ?? {};
  const authority =
    file === undefined
      ? ''
      : ` Whoever holds a certificate authority of ${file} could pose as it (SHA-256): ${fingerprints.slice(0, 3).join(', ')}.`;
  return createCommandRefusal(
    'other-service',
    `Only the configuration sends the access token to ${baseUrl}`,
    {
      detail: `Nobody has confirmed this address for this state, and whoever writes the configuration could collect the token.${authority}`,
      hint: run
        ? 'Set HOSTWRIGHT_BASE_URL in the variables of the workspace.'
        : 'Set HOSTWRIGHT_BASE_URL to the address of your service. Or confirm this one: run the command on a terminal, or once with --allow-other-service.',
      ...(source && { source }),
    },
  );
}

function explainOther(
  { service = [] }: RememberedConfirmations,
  { baseUrl, source }: ConfiguredServiceAddress,
): DiagnosticError {
  const where = source && { source };
  if (!service.includes(baseUrl)) {
    return createCommandRefusal('other-service', 'You use this state with another service', {
      detail: `Until now the access token went to ${service.join(', ')}; service.baseUrl names ${baseUrl}.`,
      hint: 'Correct the address. If your account has moved there, add --allow-other-service.',
      ...where,
    });
  }
  return createCommandRefusal(
    'other-authority',
    '`service.tls.caFile` names a certificate authority that you did not confirm',
    {
      detail:
        'Whoever holds the key of a certificate authority can pose as the service and receive the access token.',
      hint: 'Compare the fingerprints with those of your service. If they match, add --allow-other-service.',
      ...where,
    },
  );
}
