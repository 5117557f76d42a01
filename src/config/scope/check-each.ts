import { formatReference, type Reference } from '../../expressions/parse/references.ts';
import { isRepeatable } from '../../kinds/configuration-part.ts';
import { kinds } from '../../kinds/registry.ts';
import { kindNames, type KindName } from '../../model/kind-places.ts';
import type { EachKind } from './each.ts';
import type { NameFault } from './name-fault.ts';

/** Where an expression is: what its body is repeated by, and the kind that it belongs to. */
interface Repetition {
  readonly each: EachKind;
  readonly kind: KindName | undefined;
}

const eachNames: Record<EachKind, readonly string[]> = {
  none: [],
  count: ['index'],
  forEach: ['key', 'value'],
};

const repeatable = kindNames.filter((kind) => isRepeatable(kinds[kind].configuration));

/** What can be repeated here: the kind at hand, or the first that may be repeated where this one may not. */
function nameRepeatable(kind: KindName | undefined): string {
  const named = repeatable.find((one) => one === kind) ?? repeatable[0];
  return named === undefined ? 'resource' : kinds[named].label;
}

/** What is wrong with a name below `each`, by what the body around it is repeated by. */
export function checkEach(reference: Reference, { each, kind }: Repetition): NameFault | undefined {
  const name = reference.steps[0]?.key;
  if (each !== 'none' && (name === undefined || eachNames[each].includes(String(name))))
    return undefined;
  const hints: Record<EachKind, string> = {
    none: `Give the ${nameRepeatable(kind)} a \`count\` or a \`forEach\`, or write the value out.`,
    count: 'With `count` there is `each.index`.',
    forEach: 'With `forEach` there are `each.key` and `each.value`.',
  };
  return {
    code: 'each-outside-count',
    summary: `\`${formatReference({ ...reference, steps: reference.steps.slice(0, 1) })}\` has no meaning here`,
    hint: hints[each],
    start: reference.start,
    end: reference.end,
  };
}
