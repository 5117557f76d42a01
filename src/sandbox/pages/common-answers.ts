import type { ContractOperation } from '../contract/contract-file.ts';

/** The contract's description of an operation's answer with one status. */
export type ContractAnswerDescription = ContractOperation['responses'][string];

const referenceOf = (answer: ContractAnswerDescription): string | undefined =>
  '$ref' in answer ? answer.$ref : undefined;

/** The answers that almost every operation has, such as 401: the reference describes them once, by their status. */
export function listCommonAnswers(
  operations: readonly ContractOperation[],
): ReadonlyMap<string, ContractAnswerDescription> {
  const found = operations.flatMap(({ responses }) => Object.entries(responses));
  const isCommon = ([, answer]: [string, ContractAnswerDescription]) =>
    referenceOf(answer) !== undefined &&
    found.filter(([, other]) => referenceOf(other) === referenceOf(answer)).length >=
      0.9 * operations.length;
  return new Map(found.filter(isCommon));
}

/** The answers of an operation that are its own, by their status. */
export function listOperationOwnAnswers(
  { responses }: ContractOperation,
  common: ReadonlyMap<string, ContractAnswerDescription>,
): [string, ContractAnswerDescription][] {
  return Object.entries(responses).filter(([status, answer]) => {
    const shared = common.get(status);
    return shared === undefined || referenceOf(shared) !== referenceOf(answer);
  });
}
