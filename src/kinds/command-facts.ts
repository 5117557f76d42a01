import type { Resolved } from '../api/contract/codec.ts';
import type { WireResourceOperation } from '../api/contract/types.ts';
import type { CommandName, CommandNameOf } from '../model/account/command.ts';
import type { LiveOf } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Attributes } from '../model/value.ts';

/** By what a create tells what it made from everything else of its kind; what is absent is told as for most kinds. */
interface Recognition<K extends KindName, C extends CommandName> {
  /** Whether it lies where it was asked for, beside the project. */
  isInPlace?(live: LiveOf<K>, command: Resolved<C>): boolean;
  /** What takes the place of the name, for a kind that has none. */
  hasIdentity?(live: LiveOf<K>, command: Resolved<C>): boolean;
  /** True: what takes the place of the name may change by itself. */
  readonly isIdentityPassing?: true;
  /** Equal in all that no request changes, as far as the service tells it. */
  hasUnchanging?(live: LiveOf<K>, command: Resolved<C>): boolean;
}

/** A resource that a command names beside its own. */
export interface Involved {
  readonly kind: KindName;
  readonly id: string;
}

/** What one command does, beside how it is sent. */
export interface CommandFacts<
  K extends KindName = KindName,
  C extends CommandName = CommandName,
> extends Recognition<K, C> {
  /**
   * The types under which its operation may be recorded; absent for a command that is synchronous. Only `Provision` is
   * stated by the service for a create: it is accepted for every kind, and the resource's id tells apart.
   */
  readonly operationTypes?: readonly WireResourceOperation[];
  /** Seconds that it is taken to need before one of its kind was seen to end; 0.3 unless given. */
  readonly assumedSeconds?: number;
  /** True: its result never shows on the resource; the operation record alone tells how it ended. */
  readonly isJudgedByRecord?: true;
  /**
   * True: it builds its resource anew, which loses what that holds. What was asked for may show although it failed, and a
   * second one would wipe what the first has made.
   */
  readonly isRebuild?: true;
  /** The other resources of its project whose state can make the service answer it with a conflict. */
  involves?(command: Resolved<C>): readonly Involved[];
  /** The attributes that it sets. */
  readonly sets?: readonly string[];
  /** True when the record shows what was asked for. Unless given: for a create the record itself, else the name. */
  isShown?(live: LiveOf<K>, command: Resolved<C>): boolean;
  /** The resource after it, as it will be read; unless given it is as it was, but for the name. */
  carryOut?(live: LiveOf<K>, command: Resolved<C>): LiveOf<K>;
  /** Attributes that it changes in part. `spell` gives an id in the configuration's terms. */
  remember?(
    attributes: Attributes,
    command: Resolved<C>,
    spell: (kind: KindName, id: string) => string,
  ): Attributes;
}

/** Every command about a kind; one that is missing does not compile. */
export type CommandTable<K extends KindName> = {
  readonly [C in CommandNameOf<K>]: CommandFacts<K, C>;
};
