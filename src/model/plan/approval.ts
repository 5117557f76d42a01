// The parts of a plan that a person approves. Two plans are equal where all binding parts are. With both plans, the
// difference can be shown; with digests of the parts, only its place.
import type { ResourceAddress } from '../address.ts';
import type { Finding } from '../diagnostic.ts';

/** Kinds of parts of a plan that an approval covers. */
export type ApprovedPartKind =
  | 'mode'
  | 'service'
  | 'contract'
  | 'state'
  | 'secrets'
  | 'change'
  | 'stake'
  | 'forgotten'
  | 'drift'
  | 'output'
  | 'cost'
  | 'check'
  | 'finding';

/** A part of a plan that a person approves; `C` is its content, or a digest of that. */
export interface ApprovedPart<C = unknown> {
  readonly kind: ApprovedPartKind;
  /** An address, or the name of the part among those of its kind; empty for a single one. */
  readonly name: string;
  /** Set for a part that the plan leaves as it is: a difference there is shown, and voids no approval. */
  readonly isAside?: true;
  readonly content: C;
}

/** A part that two plans do not have alike; undefined on the side of the plan that lacks it. */
export interface ApprovedPartDifference<C = unknown> {
  readonly kind: ApprovedPartKind;
  readonly name: string;
  readonly was: C | undefined;
  readonly is: C | undefined;
  /** False for parts that no approval depends on: unchanged ones, and a finding that is gone. */
  readonly binds: boolean;
}

/** Kinds of approved parts whose name is an address. */
export const approvedPartKindsWithAddress: ReadonlySet<ApprovedPartKind> = new Set([
  'change',
  'stake',
  'forgotten',
  'drift',
  'cost',
]);

/** A difference between what was approved and another plan, in words and as data. */
export interface ApprovalDifference {
  readonly kind: ApprovedPartKind;
  /** Address of the resource; absent for a part that is no resource. */
  readonly address?: ResourceAddress;
  /** Name of the output or check; absent for a resource. */
  readonly name?: string;
  readonly finding?: Pick<Finding, 'severity' | 'code' | 'summary'>;
  /** As in the JSON of a plan: `action`, `before.ram`, `after.ram`, `data_lost`. */
  readonly field?: string;
  readonly was?: unknown;
  readonly is?: unknown;
  /** The difference on one line, as `ADDRESS: power "running" -> "stopped"`. */
  readonly line: string;
  /** Tells whether the difference makes an earlier approval invalid. */
  readonly binds: boolean;
  /** Tells whether the later plan destroys what the approved one keeps. */
  readonly loses: boolean;
}

/** The parts in which a plan differs from the approved one, in the order of the approved one. */
export function compareApprovedParts<C>(
  approved: readonly ApprovedPart<C>[],
  now: readonly ApprovedPart<C>[],
  isSame: (was: C, is: C) => boolean,
): readonly ApprovedPartDifference<C>[] {
  const byKey = (parts: readonly ApprovedPart<C>[]) =>
    new Map(parts.map((part) => [JSON.stringify([part.kind, part.name]), part]));
  const [before, after] = [byKey(approved), byKey(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    const part = was ?? is;
    if (!part || (was && is && isSame(was.content, is.content))) return [];
    const isAside = (was ?? is)?.isAside === true && (is ?? was)?.isAside === true;
    const isGone = part.kind === 'finding' && !is;
    const binds = !isAside && !isGone;
    return [{ kind: part.kind, name: part.name, was: was?.content, is: is?.content, binds }];
  });
}

/** Names a part of a plan in words: `output webIp`. */
export function nameApprovedPart({ kind, name }: Pick<ApprovedPart, 'kind' | 'name'>): string {
  switch (kind) {
    case 'change':
    case 'stake':
    case 'forgotten':
    case 'drift':
      return name;
    case 'contract':
      return 'contract file';
    case 'secrets':
      return 'sensitive values';
    case 'cost':
      return `cost of ${name}`;
    case 'output':
    case 'check':
      return `${kind} ${name}`;
    case 'finding':
      return `finding ${name}`;
    default:
      return kind;
  }
}

/** The name of the part by which the sensitive values of the configuration are known, whatever was applied of the plan. */
export const configuredSecretsPartName = 'configured';

/**
 * The parts in which a plan that goes on with an approved one exceeds it: another contract file, other sensitive values, and
 * more at stake by a change that both have.
 */
export function listExceededApprovedParts(
  approved: readonly ApprovedPart<string>[],
  now: readonly ApprovedPart<string>[],
): readonly ApprovedPartDifference<string>[] {
  return compareApprovedParts(approved, now, (was, is) => was === is).filter(
    ({ kind, name, was, is }) =>
      kind === 'contract' ||
      (kind === 'secrets' && name === configuredSecretsPartName) ||
      (kind === 'stake' && was !== undefined && is !== undefined),
  );
}
