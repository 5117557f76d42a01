import type { ContractRequest, UnencodedSandboxAnswer, SandboxService } from '../service.ts';

/** Spells an answer of the service in another way. It decides nothing and changes no data. */
export type AnswerVariant = (
  exchange: ContractRequest,
  outcome: UnencodedSandboxAnswer,
  service: SandboxService,
) => UnencodedSandboxAnswer;

/** Variant that answers exactly as the contract says. */
export const strictAnswerVariant: AnswerVariant = (_exchange, outcome) => outcome;
