import { nameOf } from '../../model/account/live.ts';
import type { Action } from '../../model/plan/plan.ts';
import { textOf } from '../../model/value.ts';
import { toOneLine } from '../../model/text/unsafe-text.ts';
import type { Check } from '../check.ts';

/** At most so many names are shown. */
const maxShown = 10;

const staying: ReadonlySet<Action> = new Set(['no-op', 'update', 'rebuild']);

/** Says which names the service has made others of: they are not renamed for ever. */
export const noteKeptNames: Check = ({ plan, live, state }) => {
  const changed = [...state.resources.values()].filter(({ keptName }) => keptName !== undefined);
  if (changed.length === 0) return [];
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const names = new Map([...live.projects, ...live.resources].map((one) => [one.id, nameOf(one)]));
  const kept = changed.flatMap(({ address, id, attributes, keptName = '' }) => {
    const change = changes.get(address);
    if (!change || !staying.has(change.action) || names.get(id) !== keptName) return [];
    const asked = textOf(attributes, 'name');
    const isAskedFor = change.before?.name === asked && change.after?.name === asked;
    // Its other spelling would tell a secret name.
    if (!isAskedFor || change.sensitive.includes('name')) return [];
    return [{ address, asked, keptName }];
  });
  const [first, ...others] = kept;
  if (!first) return [];
  const lines = kept.map((one) =>
    toOneLine(`${one.address}: \`${one.asked}\` as \`${one.keptName}\``),
  );
  const rest = lines.length > maxShown ? [`and ${lines.length - maxShown} more`] : [];
  const isOne = others.length === 0;
  return [
    {
      severity: 'note',
      code: 'name-normalised',
      summary: isOne
        ? `The service keeps the name \`${first.asked}\` as \`${first.keptName}\``
        : `The service keeps ${kept.length} names in another form`,
      detail: isOne
        ? 'The two count as one name, so nothing is renamed.'
        : [...lines.slice(0, maxShown), ...rest].join('\n'),
      hint: `Use the ${isOne ? 'name' : 'names'} that the service keeps, to see the same in the configuration and in the account.`,
      ...(isOne && { address: first.address }),
    },
  ];
};
