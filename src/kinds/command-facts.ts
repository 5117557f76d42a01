import type { ResolvedCommandOf } from '../api/contract/codec.ts';
import type { WireResourceOperation } from '../api/contract/types.ts';
import type { CommandName, CommandNameOf } from '../model/account/command.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveOf } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Attributes } from '../model/value.ts';
import type { ToldMatch } from './told.ts';

/** By what a create tells what it made from everything else of its kind; what is absent is reported as for most kinds. */
interface Recognition<K extends KindName, C extends CommandName> {
  /** Whether it lies where it was asked for, beside the project. */
  isInPlace?(live: LiveOf<K>, command: ResolvedCommandOf<C>): boolean;
  /** What takes the place of the name, for a kind that has none. */
  hasIdentity?(live: LiveOf<K>, command: ResolvedCommandOf<C>): boolean;
  /** True: what takes the place of the name may change by itself. */
  readonly isIdentityPassing?: true;
  /** Likeness in all that no request changes, as far as the service tells it. */
  compareUnchanging?(live: LiveOf<K>, command: ResolvedCommandOf<C>): ToldMatch;
  /** Not equal yet, and perhaps when it is ready: enough for what the service is known to have taken. */
  mayBecome?(live: LiveOf<K>, command: ResolvedCommandOf<C>): boolean;
}

/** A resource that a command names beside its own. */
export interface Involved {
  readonly kind: KindName;
  readonly id: string;
}

/** A secret that was shown once and could not be kept. */
export interface LostSecret {
  /** Why, as a sentence that does not hold it. */
  readonly why: string;
  /** False: what was made with it still stands, and nobody has its secret. */
  readonly isRevoked: boolean;
}

/** A create whose answer holds a secret that is never shown again: what nobody has the secret of is destroyed. */
export interface ShownOnce<K extends KindName = KindName, C extends CommandName = CommandName> {
  readonly kind: 'shown-once';
  /** The command as it goes out at a time, in milliseconds since the Unix epoch: a lifetime counts from then. */
  sendAt(command: ResolvedCommandOf<C>, now: number): ResolvedCommandOf<C>;
  /** What its answer holds. @throws UnreadableAnswer */
  decode(wire: unknown): { readonly live: LiveOf<K>; readonly secret: string };
  /** What is wrong where the secret could not be given to what the sink is called. */
  describeLost(lost: LostSecret, sink: string): Diagnostic;
}

/** A create that the cluster may have no room for. */
export interface NeedsRoom<C extends CommandName = CommandName> {
  readonly kind: 'needs-room';
  /** The id of the configuration in the catalog that says how much. */
  sizeOf(command: ResolvedCommandOf<C>): string;
}

/** It goes to the sale of its resource, which is looked up first. */
export interface BySale<C extends CommandName = CommandName> {
  readonly kind: 'by-sale';
  /** What the sale says once it is carried out. */
  readonly renewal: string;
  withSale(command: ResolvedCommandOf<C>, sale: string): ResolvedCommandOf<C>;
}

/** How a command is carried out where to send it and to wait for its resource is not all. */
export type Procedure<K extends KindName = KindName, C extends CommandName = CommandName> =
  | ShownOnce<K, C>
  | NeedsRoom<C>
  | BySale<C>
  /** It saves what its resource holds before a rebuild loses that: it is over when a new entry is in the list of backups. */
  | { readonly kind: 'backup' };

/** Something that others rely on while a resource has it: it runs, a network reaches it, it forwards. */
export type Service = 'power' | 'attachment' | 'forward';

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
  /** What it does, as a noun: `rebuild`; unless given, its effect. */
  readonly noun?: string;
  /** Seconds that it is taken to need before one of its kind was seen to end; 0.3 unless given. */
  readonly assumedSeconds?: number;
  /** True: its result never shows on the resource; the operation record alone tells how it ended. */
  readonly isJudgedByRecord?: true;
  /**
   * True: it builds its resource anew, which loses what that holds. What was asked for may show although it failed, and a
   * second one would wipe what the first has made.
   */
  readonly isRebuild?: true;
  /** True: it puts back what a backup holds, in place of what its resource holds. */
  readonly isRestore?: true;
  /** Its resource can lack it from its first request on. */
  readonly takes?: Service;
  /** Its resource has it again when it is over. */
  readonly gives?: Service;
  /** True: it releases what its resource refers to, and so may run before everything else. */
  readonly isReleasing?: true;
  /** The fields that a create gave and that fall back when they leave the configuration. */
  givenBy?(command: ResolvedCommandOf<C>): readonly string[];
  /** Unless given it is sent, and its resource looked at until that shows how it ended. */
  readonly procedure?: Procedure<K, C>;
  /** The other resources of its project whose state can make the service answer it with a conflict. */
  involves?(command: ResolvedCommandOf<C>): readonly Involved[];
  /** The attributes that it sets. */
  readonly sets?: readonly string[];
  /** Likeness of the record to what was asked for. Unless given: for a create the record itself, else the name. */
  compareShown?(live: LiveOf<K>, command: ResolvedCommandOf<C>): ToldMatch;
  /** The resource after it, as it will be read; unless given it is as it was, but for the name. `ours`: as the state has it. */
  carryOut?(live: LiveOf<K>, command: ResolvedCommandOf<C>, ours?: Attributes): LiveOf<K>;
  /** Of these, what it changes in part. `spell` gives an id in the configuration's terms. */
  remember?(
    attributes: Attributes,
    command: ResolvedCommandOf<C>,
    spell: (kind: KindName, id: string) => string,
  ): Attributes;
}

/** Every command about a kind; one that is missing does not compile. */
export type CommandTable<K extends KindName> = {
  readonly [C in CommandNameOf<K>]: CommandFacts<K, C>;
};
