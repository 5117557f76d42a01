import type { ResolvedCommandOf } from '../api/contract/codec.ts';
import type { WireResourceOperation } from '../api/contract/types.ts';
import type { CommandName, CommandNameOf } from '../model/account/command.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LiveRecordOfKind } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Attributes } from '../model/value.ts';
import type { ToldValueMatch } from './told.ts';

/** Facts by which the resource of a create is recognised among others of its kind; an absent one is as for most kinds. */
interface Recognition<K extends KindName, C extends CommandName> {
  /** Tells whether a resource lies in the requested place within the project. */
  isInPlace?(live: LiveRecordOfKind<K>, command: ResolvedCommandOf<C>): boolean;
  /** Tells whether a resource of a kind without names has the marks that stand for the name. */
  hasIdentity?(live: LiveRecordOfKind<K>, command: ResolvedCommandOf<C>): boolean;
  /** Set where the marks that stand for the name may change by themselves. */
  readonly isIdentityPassing?: true;
  /** Likeness in all attributes that no request changes, as far as the service reports them. */
  compareUnchanging?(live: LiveRecordOfKind<K>, command: ResolvedCommandOf<C>): ToldValueMatch;
  /** Tells whether a resource that differs now may become equal when it is ready: enough for a create that was accepted. */
  mayBecome?(live: LiveRecordOfKind<K>, command: ResolvedCommandOf<C>): boolean;
}

/** Another resource that a command names beside its own. */
export interface InvolvedResource {
  readonly kind: KindName;
  readonly id: string;
}

/** A secret that the service shows only once and that could not be saved. */
export interface LostSecret {
  /** Reason why the secret is lost, as a sentence without the secret. */
  readonly why: string;
  /** False where the resource of the secret still exists, and nobody has its secret. */
  readonly isRevoked: boolean;
}

/** A create whose answer holds a secret that is never shown again: a resource whose secret nobody has is destroyed. */
export interface OneTimeSecretCreate<
  K extends KindName = KindName,
  C extends CommandName = CommandName,
> {
  readonly kind: 'shown-once';
  /** The command as it is sent at a time, in milliseconds since the Unix epoch: a lifetime counts from then. */
  sendAt(command: ResolvedCommandOf<C>, now: number): ResolvedCommandOf<C>;
  /** The resource and the secret in the answer. @throws UnreadableAnswerError */
  decode(wire: unknown): { readonly live: LiveRecordOfKind<K>; readonly secret: string };
  /** The error where the secret could not be delivered; `sink` names the place that should have it. */
  describeLost(lost: LostSecret, sink: string): Diagnostic;
}

/**
 * Procedure of a create that the service may refuse for lack of capacity: it is tried again while there is time, and else sizes
 * with room are named.
 */
export interface CapacityBoundCreate<C extends CommandName = CommandName> {
  readonly kind: 'needs-room';
  /** The id of the configuration in the catalog that has the size. */
  sizeOf(command: ResolvedCommandOf<C>): string;
  /** The id of its tariff in the catalog. */
  tariffOf(command: ResolvedCommandOf<C>): string;
}

/** A command that goes to the sale of its resource, which is looked up first. */
export interface SaleBoundCommand<C extends CommandName = CommandName> {
  readonly kind: 'by-sale';
  /** Renewal setting that the sale shows once the command is carried out. */
  readonly renewal: string;
  withSale(command: ResolvedCommandOf<C>, sale: string): ResolvedCommandOf<C>;
}

/** Procedure of a command for which sending it and waiting for its resource is not all. */
export type CommandProcedure<K extends KindName = KindName, C extends CommandName = CommandName> =
  | OneTimeSecretCreate<K, C>
  | CapacityBoundCreate<C>
  | SaleBoundCommand<C>
  /** A command that saves the disk before a rebuild loses it: it is over when a new entry is in the list of backups. */
  | { readonly kind: 'backup' };

/**
 * Aspect of a resource's availability that a command can take away or give back: a VM runs (`power`), a network reaches it
 * (`attachment`), a port forward leads on (`forward`).
 */
export type AvailabilityAspect = 'power' | 'attachment' | 'forward';

/** Facts about one command that are independent of its encoding. */
export interface CommandFacts<
  K extends KindName = KindName,
  C extends CommandName = CommandName,
> extends Recognition<K, C> {
  /**
   * The types under which the command's operation may be recorded; absent for a synchronous command. For a create the service
   * states only `Provision`: it is accepted for every kind, and the resource's id tells them apart.
   */
  readonly operationTypes?: readonly WireResourceOperation[];
  /** Noun for the command, as `rebuild`; the noun of its effect unless given. */
  readonly noun?: string;
  /** Seconds that the command is taken to need before one of its kind was seen to end; 0.3 unless given. */
  readonly assumedSeconds?: number;
  /** Set where the result never shows on the resource: the operation record alone has it. */
  readonly isJudgedByRecord?: true;
  /**
   * Set for a command that builds its resource anew, and loses its data. The requested values may show although it failed,
   * and a second one would wipe the result of the first.
   */
  readonly isRebuild?: true;
  /** Set for a command that replaces the data of its resource by that of a backup. */
  readonly isRestore?: true;
  /** Service that its resource can lack from the first request on. */
  readonly takes?: AvailabilityAspect;
  /** Service that its resource has again when the command is over. */
  readonly gives?: AvailabilityAspect;
  /** Set for a command that releases the resources that its own refers to, and so may run before everything else. */
  readonly isReleasing?: true;
  /** The fields that a create gave and that fall back when they leave the configuration. */
  givenBy?(command: ResolvedCommandOf<C>): readonly string[];
  /** Unless given, the command is sent, and its resource looked at until that shows the end. */
  readonly procedure?: CommandProcedure<K, C>;
  /** The other resources of the project whose status can make the service answer with a conflict. */
  involves?(command: ResolvedCommandOf<C>): readonly InvolvedResource[];
  /** Names of the attributes that the command sets. */
  readonly sets?: readonly string[];
  /** Likeness of the record to the request. Unless given: for a create the whole record is compared, else the name. */
  compareShown?(live: LiveRecordOfKind<K>, command: ResolvedCommandOf<C>): ToldValueMatch;
  /**
   * The resource after the command, as it will be read; unless given, only its name changes. `ours`: its attributes in the
   * state.
   */
  carryOut?(
    live: LiveRecordOfKind<K>,
    command: ResolvedCommandOf<C>,
    ours?: Attributes,
  ): LiveRecordOfKind<K>;
  /**
   * The attributes that the command changes in part, as the state records them. `spell` gives an id in the configuration's
   * terms.
   */
  remember?(
    attributes: Attributes,
    command: ResolvedCommandOf<C>,
    spell: (kind: KindName, id: string) => string,
  ): Attributes;
}

/** Facts about every command of a kind; a missing one does not compile. */
export type CommandTable<K extends KindName> = {
  readonly [C in CommandNameOf<K>]: CommandFacts<K, C>;
};
