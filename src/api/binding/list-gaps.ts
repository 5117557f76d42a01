// Gaps of a service: operations and members of the contract that it does not have, or does not take.
import type { Binding } from '../../model/account/binding.ts';
import type { RequiredRequestMember } from '../../model/account/contract-lines.ts';
import type { MissingServiceOperation } from '../../model/account/service-gaps.ts';
import { findBoundListLine } from '../contract/find-list-line.ts';
import { operationPurposes } from '../contract/operation-needs.ts';
import { operationIds } from '../contract/operation-ids.ts';
import { operationShapes, recordShapes } from '../contract/shapes.ts';
import { isKeyOf } from '../../model/tables.ts';

/**
 * Lists the operations that a service lacks or whose place is not known, and those that it would refuse for want of a member that
 * the contract file leaves out. `required`: members that the service requires beyond the contract.
 */
export function listBindingGaps(
  binding: Binding,
  required: readonly RequiredRequestMember[],
): readonly MissingServiceOperation[] {
  return [
    ...listLacking(binding),
    ...listOpenLists(binding),
    ...listUnmet(binding, required),
    ...listUnplaced(binding),
  ];
}

/** Members of records that the service lacks, and that no answer has: `vm.imageId`. */
export function listMissingRecordMembers({ fields = {} }: Binding): readonly string[] {
  return Object.entries(fields).flatMap(([record, lines]) =>
    Object.entries(lines).flatMap(([member, line]) =>
      line === 'none' && Object.hasOwn(recordShapes, record) ? [`${record}.${member}`] : [],
    ),
  );
}

/** Lists operations of which the contract file leaves out a member that the service requires. */
function listUnmet(
  { constants = {} }: Binding,
  required: readonly RequiredRequestMember[],
): readonly MissingServiceOperation[] {
  return required.flatMap(({ operation, at, in: place }) => {
    if (!isKeyOf(operationPurposes, operation)) return [];
    if (Object.hasOwn(constants[operation]?.[place] ?? {}, at)) return [];
    const { neededFor } = operationPurposes[operation];
    const line = `constants: { ${operation}: { ${place}: { ${at}: VALUE } } }`;
    return [{ operation, why: 'open', neededFor, without: undefined, line } as const];
  });
}

/** Operations that say nothing without a member that is placed nowhere. */
function listUnplaced({
  fields = {},
  parameters = {},
}: Binding): readonly MissingServiceOperation[] {
  return Object.entries(fields).flatMap(([owner, lines]) => {
    const operation = operationIds.find((name) => name === owner);
    const record = operation && operationShapes[operation].body;
    if (!operation || record === undefined) return [];
    return Object.entries(lines).flatMap(([member, line]) => {
      const isPlaced = parameters[operation]?.[member] !== undefined;
      const isRequired = recordShapes[record]?.[member]?.isOptional !== true;
      const { neededFor, essential } = operationPurposes[operation];
      const isEssential = member === essential && line === 'none';
      const isAsked = line === 'open' && (isRequired || member === essential);
      if (isPlaced || !(isEssential || isAsked)) return [];
      const missing = `fields: { ${operation}: { ${member}: /POINTER } }`;
      return [{ operation, why: 'open', neededFor, without: undefined, line: missing } as const];
    });
  });
}

/** Lists whose place in their answer is open. */
function listOpenLists(binding: Binding): readonly MissingServiceOperation[] {
  const { lists, operations = {} } = binding;
  if (lists === undefined) return [];
  return operationIds.flatMap((operation) => {
    const { isList = false } = operationShapes[operation];
    const isOpen = isList && findBoundListLine(binding, operation) === 'open';
    if (!isOpen || operations[operation] === 'none' || operations[operation] === 'open') return [];
    const { neededFor, without } = operationPurposes[operation];
    // `by: none` is for an answer that is the whole list: whoever pastes it would miss all pages but the first.
    const line = `lists: { ${operation}: { items: /POINTER, page: { by: page | offset | cursor | none } } }`;
    return [{ operation, why: 'open', neededFor, without, line } as const];
  });
}

function listLacking({ operations = {} }: Binding): readonly MissingServiceOperation[] {
  return Object.entries(operations).flatMap(([operation, why]) => {
    if ((why !== 'none' && why !== 'open') || !isKeyOf(operationPurposes, operation)) return [];
    const { neededFor, without } = operationPurposes[operation];
    return [{ operation, why, neededFor, without }];
  });
}
