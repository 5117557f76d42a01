import {
  contractOperationCount,
  type PublishedContract,
} from '../../api/wire/published-contract.ts';
import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import { makeFailedCheckUp } from './make-check-up.ts';

const listedAtMost = 5;

/** Compares the OpenAPI file that the service publishes with the operations that Hostwright uses. */
export function examineContract(published: PublishedContract | undefined): DoctorCheckUp {
  const name = 'contract';
  if (!published) {
    const summary = 'The service publishes no OpenAPI file where one is looked for';
    return { name, outcome: 'skipped', summary };
  }
  const { difference } = published;
  const { pathname } = new URL(published.url);
  const { missing, unknown } = difference;
  const more = unknown.length > 0 ? `It has ${unknown.length} that are not used here.` : '';
  if (missing.length === 0) {
    const summary = `All ${contractOperationCount} operations are in its ${pathname}`;
    return { name, outcome: 'ok', summary, ...(more !== '' && { detail: more }) };
  }
  const listed = missing.slice(0, listedAtMost).join(', ');
  const rest = missing.length - listedAtMost;
  return makeFailedCheckUp(name, 'warning', {
    code: 'contract-differs',
    summary: `${missing.length} of ${contractOperationCount} operations are not in its ${pathname}`,
    detail: `${listed}${rest > 0 ? ` and ${rest} more` : ''}. ${more}`.trim(),
    hint: 'Bind the service to a contract file: save its document, and run "hostwright contract bind FILE". Requests that use these will fail.',
  });
}
