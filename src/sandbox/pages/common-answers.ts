import type { ContractOperation } from '../contract/contract-file.ts';

/** Contract's description of an operation's HTTP response with one status. */
export type ContractResponseDescription = ContractOperation['responses'][string];

const referenceOf = (answer: ContractResponseDescription): string | undefined =>
  '$ref' in answer ? answer.$ref : undefined;

/**
 * Lists the HTTP responses that almost every operation has, such as 401, by status: the documentation page describes
 * them only once.
 */
export function listCommonResponses(
  operations: readonly ContractOperation[],
): ReadonlyMap<string, ContractResponseDescription> {
  const found = operations.flatMap(({ responses }) => Object.entries(responses));
  const isCommon = ([, answer]: [string, ContractResponseDescription]) =>
    referenceOf(answer) !== undefined &&
    found.filter(([, other]) => referenceOf(other) === referenceOf(answer)).length >=
      0.9 * operations.length;
  return new Map(found.filter(isCommon));
}

/** Lists an operation's HTTP responses other than the common ones, by status. */
export function listOperationOwnResponses(
  { responses }: ContractOperation,
  common: ReadonlyMap<string, ContractResponseDescription>,
): [string, ContractResponseDescription][] {
  return Object.entries(responses).filter(([status, answer]) => {
    const shared = common.get(status);
    return shared === undefined || referenceOf(shared) !== referenceOf(answer);
  });
}
