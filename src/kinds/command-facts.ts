import type { WireResourceOperation } from '../api/contract/types.ts';
import type { CommandNameOf } from '../model/account/command.ts';
import type { KindName } from '../model/resource.ts';

/** What one command does, beside how it is sent. */
export interface CommandFacts {
  /**
   * The types under which its operation may be recorded; absent for a command that is synchronous. Only `Provision` is
   * stated by the service for a create: it is accepted for every kind, and the resource's id tells apart.
   */
  readonly operationTypes?: readonly WireResourceOperation[];
}

/** Every command about a kind; one that is missing does not compile. */
export type CommandTable<K extends KindName> = {
  readonly [C in CommandNameOf<K>]: CommandFacts;
};
