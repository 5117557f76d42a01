import type { ContractRequest, RequestOutcome, SandboxService } from '../service.ts';

/** Spells an answer of the service in another way. It decides nothing and changes no data. */
export type AnswerVariant = (
  exchange: ContractRequest,
  outcome: RequestOutcome,
  service: SandboxService,
) => RequestOutcome;

/** Variant that answers exactly as the contract says. */
export const strictAnswerVariant: AnswerVariant = (_exchange, outcome) => outcome;
