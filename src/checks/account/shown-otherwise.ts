import { isServiceSpelling } from '../../kinds/spelling.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { addToGroup, elementAt } from '../../model/group-by.ts';
import type { Action, Change } from '../../model/plan/plan.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import { readAttributeText, type Value } from '../../model/value.ts';
import type { PlanCheck, PlanCheckInput } from '../check.ts';

/** The most fields that the warning shows. */
const maxShown = 10;

const staying: ReadonlySet<Action> = new Set(['no-op', 'due', 'update', 'rebuild']);

/** A field that is as it was asked for, and that the account shows otherwise. */
interface ShownField {
  readonly address: ResourceAddress;
  readonly name: string;
  readonly asked: Value;
  readonly shown: Value;
}

/** Reports fields for which the account shows another value than was requested. No plan changes them, so the difference stays. */
export const noteUnexpectedLiveFields: PlanCheck = (input) => {
  const names: ShownField[] = [];
  const others = new Map<string, ShownField[]>();
  for (const change of input.plan.changes) {
    for (const one of listShown(change)) {
      const { kind } = change;
      if (isServiceSpelling(kind, one.name, one.asked, one.shown, input.live.catalog)) {
        if (one.name === 'name') names.push(one);
      } else if (!isAccepted(one, input)) addToGroup(others, `${kind} ${one.name}`, one);
    }
  }
  return [...[...others.values()].map(warnOfOthers), ...noteNames(names)];
};

/**
 * Fields that the configuration asks for as before; secret ones are left out, since the other spelling would tell the
 * value.
 */
function listShown(change: Change): readonly ShownField[] {
  const { address, action, before, after, shown, sensitive, configured } = change;
  if (shown === undefined || !staying.has(action)) return [];
  const changing = new Set(change.fields.map(({ name }) => name));
  return Object.entries(shown).flatMap(([name, value]) => {
    const asked = after?.[name];
    if (asked === undefined || before?.[name] === undefined || !configured.includes(name))
      return [];
    if (changing.has(name) || sensitive.includes(name)) return [];
    return [{ address, name, asked, shown: value }];
  });
}

function isAccepted({ address, name }: ShownField, { state }: PlanCheckInput): boolean {
  return state.resources.get(address)?.accepted?.includes(name) === true;
}

function warnOfOthers(fields: readonly ShownField[]): Finding {
  const first = elementAt(fields, 0);
  const isOne = fields.length === 1;
  const whose = isOne ? escapeLineEnds(first.address) : `${fields.length} resources`;
  return {
    severity: 'warning',
    code: 'shown-otherwise',
    summary: `The account shows another \`${first.name}\` of ${whose} than it was set to`,
    detail: describeFields(
      fields,
      ({ asked, shown }) => `asked for ${spell(asked)}, shown as ${spell(shown)}`,
    ),
    hint: `Look at it in the account. To accept it as it is: hostwright state accept '${first.address}.${first.name}'.`,
    ...(isOne && { address: first.address }),
  };
}

function noteNames(fields: readonly ShownField[]): readonly Finding[] {
  const [first] = fields;
  if (!first) return [];
  const isOne = fields.length === 1;
  const { asked, shown } = read(first);
  return [
    {
      severity: 'note',
      code: 'name-normalised',
      summary: isOne
        ? `The service keeps the name \`${asked}\` as \`${shown}\``
        : `The service keeps ${fields.length} names in another form`,
      detail: isOne
        ? 'The two count as one name, so nothing is renamed.'
        : describeFields(fields, (one) => `\`${read(one).asked}\` as \`${read(one).shown}\``),
      hint: `Use the ${isOne ? 'name' : 'names'} that the service keeps, to see the same in the configuration and in the account.`,
      ...(isOne && { address: first.address }),
    },
  ];
}

const read = ({ asked, shown }: ShownField) => ({
  asked: readAttributeText({ asked }, 'asked'),
  shown: readAttributeText({ shown }, 'shown'),
});

const spell = (value: Value) => JSON.stringify(value);

function describeFields(
  fields: readonly ShownField[],
  describe: (field: ShownField) => string,
): string {
  const lines = fields.map((one) => escapeLineEnds(`${one.address}: ${describe(one)}`));
  const rest = lines.length > maxShown ? [`and ${lines.length - maxShown} more`] : [];
  return [...lines.slice(0, maxShown), ...rest].join('\n');
}
