// Two saved plans side by side, as people read them: drawn like a plan, losses first and equal instances as one.
import { groupBy } from '../../model/group-by.ts';
import {
  approvedPartKindsWithAddress,
  nameApprovedPart,
  type ApprovalDifference,
  type ApprovedPartKind,
} from '../../model/plan/approval.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { serviceAssignedAttributes } from '../view/fold-changes.ts';
import {
  foldInstances,
  joinMemberTexts,
  listGroupInstanceKeys,
  type InstanceGroup,
  type ComparableInstanceParts,
} from '../view/fold-instances.ts';
import { joinInstanceAddresses } from '../view/instance-texts.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import type { TextLayout } from '../format/style.ts';

/** Renders the differences of a plan from the older one, whose name is given; ends with a line end. */
export function renderPlanDifferences(
  differences: readonly ApprovalDifference[],
  older: string,
  { style, isVerbose }: TextLayout,
): string {
  if (differences.length === 0) return 'Both plans do the same.\n';
  const ordered = putLossesFirst(differences);
  const shown = isVerbose ? ordered : foldInstances(ordered, takeShape, join);
  const lines = shown.map(({ line, loses }) => {
    const text = escapeUntrustedText(line);
    return loses ? style.red(`! ${text}`) : `  ${text}`;
  });
  return `${style.bold(escapeUntrustedText(drawHeadline(differences, older)))}\n\n${lines.join('\n')}\n`;
}

/** The lines of the differences: losses first, equal differences of many instances as one. */
export function foldPlanDifferences(differences: readonly ApprovalDifference[]): readonly string[] {
  return foldInstances(putLossesFirst(differences), takeShape, join).map(({ line }) => line);
}

function putLossesFirst(differences: readonly ApprovalDifference[]): readonly ApprovalDifference[] {
  return [
    ...differences.filter(({ loses }) => loses),
    ...differences.filter(({ loses }) => !loses),
  ];
}

/** Nouns for the kinds of parts that are counted; any other difference is one of the whole plan. */
const nouns: Partial<Record<ApprovedPartKind, string>> = {
  output: 'output',
  cost: 'cost',
  check: 'check',
  finding: 'finding',
};

function drawHeadline(differences: readonly ApprovalDifference[], older: string): string {
  const changes = differences.filter(
    ({ kind }) => approvedPartKindsWithAddress.has(kind) && kind !== 'cost',
  );
  const countOwners = (some: readonly ApprovalDifference[]) =>
    new Set(some.map(({ address }) => address)).size;
  const lost = countOwners(changes.filter(({ loses }) => loses));
  const losing = lost === 0 ? '' : ` (${lost} of them would lose or destroy what it keeps)`;
  const own = groupBy(
    differences.filter(({ kind }) => !approvedPartKindsWithAddress.has(kind) || kind === 'cost'),
    ({ kind }) => kind,
  );
  const counts = [...own].map(([kind, some]) => {
    const noun = nouns[kind];
    return noun === undefined
      ? `the ${nameApprovedPart({ kind, name: '' })}`
      : formatCountWithNoun(noun, some.length);
  });
  const all = [
    ...(changes.length > 0
      ? [`${formatCountWithNoun('change', countOwners(changes))}${losing}`]
      : []),
    ...counts,
  ];
  return `Differs from ${older} in ${all.join(', ')}.`;
}

/** The text of a line before and behind the address of its resource. */
function splitLine({ line, address = '' }: ApprovalDifference): readonly [string, string] {
  const at = line.indexOf(address);
  return [line.slice(0, at), line.slice(at + address.length)];
}

function takeShape(difference: ApprovalDifference): ComparableInstanceParts {
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
  const words = isAssigned(item) ? `: another ${nameField(item)} each` : joinMemberTexts(group, 0);
  return {
    ...item,
    line: `${start}${joinInstanceAddresses(instance, listGroupInstanceKeys(group))}${words}`,
  };
}

/** Tells whether a difference is in a value that the service assigns: these differ from instance to instance. */
function isAssigned(difference: ApprovalDifference): boolean {
  return serviceAssignedAttributes.has(nameField(difference));
}

const nameField = ({ field = '' }: ApprovalDifference) => field.replace(/^(?:before|after)\./, '');
