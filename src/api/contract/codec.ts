// Codecs: the wire form of each kind. Each kind has its codec in a `wire.ts` of its own folder, and the client is given
// all of them: the client knows how to send and retry, the codec knows paths, bodies and fields.
import type { CommandName, CommandNameOf, ResolvedCommand } from '../../model/account/command.ts';
import type {
  Catalog,
  LiveRecordOfKind,
  MaximumNameLengthKey,
  ResourcePlace,
  QuotaName,
} from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type {
  WireLimits,
  WireNameLengthLimits,
  WireRequest,
  WireVmResourceLimits,
} from './types.ts';

/** A command of one name, its references resolved. */
export type ResolvedCommandOf<C extends CommandName> = Extract<
  ResolvedCommand,
  { readonly kind: C }
>;

/** A command as a request; its operation has the command's own name. */
type Encoder<C extends CommandName> = (
  command: ResolvedCommandOf<C>,
) => Omit<WireRequest<C>, 'operation'>;

/** A request together with the decoder of its answer. */
export interface RequestWithDecoder<T> {
  readonly request: WireRequest;
  /** @throws UnreadableAnswerError for a body that is not such a record */
  readonly decode: (wire: unknown) => T;
}

/** Encodes the commands of one kind of resource into requests to the service. */
interface Encoding<K extends KindName> {
  /** Every command of the kind; one that is missing does not compile. */
  readonly encode: { readonly [C in CommandNameOf<K>]: Encoder<C> };
  /** Completes a command that replaces a whole, such as the preferences: reads the present values and fills in the others. */
  complete?(command: ResolvedCommand): RequestWithDecoder<ResolvedCommand> | undefined;
}

/** Encoder and decoder of a kind of resource that the service lists. */
export interface ListedKindCodec<K extends KindName> extends Encoding<K> {
  list(place: ResourcePlace): WireRequest;
  get(place: ResourcePlace, id: string): WireRequest;
  /** @throws UnreadableAnswerError for what is no record or has no id */
  decode(wire: unknown, place: ResourcePlace): LiveRecordOfKind<K>;
  /** Members of the live record that hold ids of catalog entries, each with the list that the entry is from. */
  readonly entries?: Readonly<Record<string, keyof Catalog>>;
}

/**
 * Encoder and decoder of a kind with a single record that several answers give a part of each, such as the settings of the
 * account.
 */
export interface PartialAnswersCodec<K extends KindName> extends Encoding<K> {
  readonly parts: readonly RequestWithDecoder<Partial<LiveRecordOfKind<K>>>[];
}

export type ResourceKindCodec<K extends KindName = KindName> =
  ListedKindCodec<K> | PartialAnswersCodec<K>;

/** Path of a quota within the answer of GET /limits: a field, or a field of `vmResources`. */
export type QuotaFieldPath =
  readonly [keyof WireLimits] | readonly ['vmResources', keyof WireVmResourceLimits];

/** A cap of lengths by its own name, and the field of the service's answer that says it. */
export interface NameLengthCapField {
  readonly name: MaximumNameLengthKey;
  readonly at: keyof WireNameLengthLimits;
}

/** The part of a kind's encoder and decoder that the client itself uses. */
interface WireKind {
  readonly wire: ResourceKindCodec;
  readonly fields: Readonly<Record<string, { readonly cap?: NameLengthCapField }>>;
  readonly traits: {
    readonly quotas?: Readonly<Partial<Record<QuotaName, { readonly at: QuotaFieldPath }>>>;
  };
}

/** Encoder and decoder of every kind of resource, injected into the client. */
export type ResourceKindCodecs = Readonly<Record<KindName, WireKind>>;
