// Two saved plans side by side, as people read them: drawn like a plan, losses first and equal instances as one.
import { groupBy } from '../../model/group-by.ts';
import {
  addressedPartKinds,
  namePart,
  type ApprovalDifference,
  type PartKind,
} from '../../model/plan/approval.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { assignedAttributes } from '../view/fold-changes.ts';
import {
  foldInstances,
  joinText,
  listKeys,
  type InstanceGroup,
  type InstanceShape,
} from '../view/fold-instances.ts';
import { joinInstances } from '../view/instance-texts.ts';
import { escapeText } from '../format/escape.ts';
import type { Layout } from '../format/style.ts';

/** The differences from the older plan, by its name; ends with a line end. */
export function renderDifferences(
  differences: readonly ApprovalDifference[],
  older: string,
  { style, isVerbose }: Layout,
): string {
  if (differences.length === 0) return 'Both plans do the same.\n';
  const ordered = putLossesFirst(differences);
  const shown = isVerbose ? ordered : foldInstances(ordered, takeShape, join);
  const lines = shown.map(({ line, loses }) => {
    const text = escapeText(line);
    return loses ? style.red(`! ${text}`) : `  ${text}`;
  });
  return `${style.bold(escapeText(drawHeadline(differences, older)))}\n\n${lines.join('\n')}\n`;
}

/** The lines of the differences: losses first, equal differences of many instances as one. */
export function foldDifferences(differences: readonly ApprovalDifference[]): readonly string[] {
  return foldInstances(putLossesFirst(differences), takeShape, join).map(({ line }) => line);
}

function putLossesFirst(differences: readonly ApprovalDifference[]): readonly ApprovalDifference[] {
  return [
    ...differences.filter(({ loses }) => loses),
    ...differences.filter(({ loses }) => !loses),
  ];
}

/** Nouns for the kinds of parts that are counted; any other difference is one of the whole plan. */
const nouns: Partial<Record<PartKind, string>> = {
  output: 'output',
  cost: 'cost',
  check: 'check',
  finding: 'finding',
};

function drawHeadline(differences: readonly ApprovalDifference[], older: string): string {
  const changes = differences.filter(({ kind }) => addressedPartKinds.has(kind) && kind !== 'cost');
  const countOwners = (some: readonly ApprovalDifference[]) =>
    new Set(some.map(({ address }) => address)).size;
  const lost = countOwners(changes.filter(({ loses }) => loses));
  const losing = lost === 0 ? '' : ` (${lost} of them would lose or destroy what it keeps)`;
  const own = groupBy(
    differences.filter(({ kind }) => !addressedPartKinds.has(kind) || kind === 'cost'),
    ({ kind }) => kind,
  );
  const counts = [...own].map(([kind, some]) => {
    const noun = nouns[kind];
    return noun === undefined
      ? `the ${namePart({ kind, name: '' })}`
      : countNoun(noun, some.length);
  });
  const all = [
    ...(changes.length > 0 ? [`${countNoun('change', countOwners(changes))}${losing}`] : []),
    ...counts,
  ];
  return `Differs from ${older} in ${all.join(', ')}.`;
}

/** The text of a line before and behind the address of its resource. */
function splitLine({ line, address = '' }: ApprovalDifference): readonly [string, string] {
  const at = line.indexOf(address);
  return [line.slice(0, at), line.slice(at + address.length)];
}

function takeShape(difference: ApprovalDifference): InstanceShape {
  const { kind, field, finding, binds, loses } = difference;
  const [start, words] = splitLine(difference);
  return {
    same: [kind, field, finding?.code, binds, loses, start],
    texts: isAssigned(difference) ? [] : [words],
  };
}

function join(group: InstanceGroup<ApprovalDifference>): ApprovalDifference {
  const { instance, members } = group;
  const [{ item }] = members;
  const [start] = splitLine(item);
  const words = isAssigned(item) ? `: another ${nameField(item)} each` : joinText(group, 0);
  return { ...item, line: `${start}${joinInstances(instance, listKeys(group))}${words}` };
}

/** Tells whether a difference is in a value that the service assigns: these differ from instance to instance. */
function isAssigned(difference: ApprovalDifference): boolean {
  return assignedAttributes.has(nameField(difference));
}

const nameField = ({ field = '' }: ApprovalDifference) => field.replace(/^(?:before|after)\./, '');
