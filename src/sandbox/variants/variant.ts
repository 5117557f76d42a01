import type { ContractRequest, UnencodedSandboxAnswer, SandboxService } from '../service.ts';

/** Respells an answer of the service, as services may that deviate from the contract; decides nothing and changes no data. */
export type SandboxAnswerVariant = (
  exchange: ContractRequest,
  outcome: UnencodedSandboxAnswer,
  service: SandboxService,
) => UnencodedSandboxAnswer;

/** Variant that answers exactly as the contract says. */
export const strictSandboxAnswerVariant: SandboxAnswerVariant = (_exchange, outcome) => outcome;
