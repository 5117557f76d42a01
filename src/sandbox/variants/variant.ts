import type { Exchange, Outcome, Service } from '../service.ts';

/** Spells an answer of the service in another way. It decides nothing and changes no data. */
export type Variant = (exchange: Exchange, outcome: Outcome, service: Service) => Outcome;

/** As the contract has it. */
export const strictVariant: Variant = (_exchange, outcome) => outcome;
