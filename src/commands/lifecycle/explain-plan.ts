import type { Configuration } from '../../config/load-configuration.ts';
import { isAtOrBelow, type Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { suggest } from '../../model/text/suggest.ts';
import { viewExplanation, type Explanation } from '../../render/explain/view-explanation.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { countNoun } from '../../model/text/count-noun.ts';

/** The most instances that are named where the address means all of them. */
const mostNamed = 5;

/**
 * Explains the planned changes of resources, and their reasons.
 * @throws DiagnosticError where an address is none of one resource of the plan
 */
export function explainPlan(
  plan: Plan,
  addresses: readonly Address[],
  { origins }: Pick<Configuration, 'origins'>,
): readonly Explanation[] {
  return addresses.map((address) => {
    const change = plan.changes.find((one) => one.address === address);
    if (!change) throw refuseAddress(plan, address);
    return viewExplanation(plan, change, origins?.get(address) ?? []);
  });
}

function refuseAddress({ changes }: Plan, address: Address) {
  const known = changes.map((change) => change.address);
  const within = known.filter((one) => isAtOrBelow(one, address));
  if (within.length > 0) {
    const named = within.slice(0, mostNamed).join(', ');
    const more = within.length > mostNamed ? ` and ${within.length - mostNamed} more` : '';
    return createCommandRefusal(
      'several-resources',
      `--explain ${address} means ${countNoun('resource', within.length)}`,
      {
        detail: `Affected: ${named}${more}.`,
        hint: `Name one of them, such as --explain '${within[0] ?? ''}'.`,
      },
    );
  }
  const meant = suggest(address, known);
  return createCommandRefusal(
    'unknown-address',
    `--explain ${address}: there is no such resource`,
    {
      detail: 'Neither the configuration nor the state has it.',
      hint: meant === undefined ? 'Correct the address.' : `Did you mean ${meant}?`,
    },
  );
}
