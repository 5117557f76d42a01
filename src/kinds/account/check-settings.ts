import type { Finding } from '../../model/diagnostic.ts';
import type { LiveAccount } from './model.ts';
import { listNames, suggest } from '../../model/text/suggest.ts';
import { placeOf } from '../../model/place-of.ts';
import type { KindCheck } from '../kind-check.ts';

/** Finds notification preferences that the service does not have: setting them would be refused, or do nothing. */
export const checkSettings: KindCheck = ({ desired, live }) => {
  const account = live.resources.find((one): one is LiveAccount => one.kind === 'account');
  if (!account) return [];
  const known = Object.keys(account.notifications);
  const findings: Finding[] = [];
  for (const resource of desired.values()) {
    if (resource.kind !== 'account') continue;
    for (const name of Object.keys(resource.attributes.notifications ?? {})) {
      if (known.includes(name)) continue;
      const meant = suggest(name, known);
      findings.push({
        severity: 'error',
        code: 'unknown-preference',
        summary: `The service has no notification preference "${name}"`,
        detail: `It has ${listNames(known)}.`,
        hint: meant === undefined ? 'Remove it.' : `Did you mean ${meant}?`,
        ...placeOf(resource, `notifications.${name}`),
      });
    }
  }
  return findings;
};
