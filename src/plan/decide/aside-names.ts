// Temporary names: for a resource that must release its name before it can take another, and for one that stays until its
// replacement exists under the same name.
import { kindRegistry } from '../../kinds/registry.ts';
import { foldNameForComparison } from '../../model/text/fold-name.ts';
import { getLiveName, type LiveSnapshot } from '../../model/account/live.ts';
import { isProject } from '../../model/kind-places.ts';
import type { State } from '../../model/state/state.ts';
import { isRetiring } from '../../model/plan/plan.ts';
import { readAttributeText, type Attributes } from '../../model/value.ts';
import type { ChangeDecision } from './decision.ts';
import { describeResourceBeforeChange } from './held.ts';
import { listTemporaryNameClaims, listNameAndPortClaims } from './decision-claims.ts';

/** The ending of a name for the time being, and how many characters of the name it leaves where the service has room. */
interface NameEnding {
  readonly word: string;
  readonly keeps: number;
}

const aside: NameEnding = { word: 'aside', keeps: 12 };

/** Finds temporary names that are free in the account, and no longer than the service allows. */
export class TemporaryNameFinder {
  readonly #live: LiveSnapshot;
  readonly #state: State;

  constructor(live: LiveSnapshot, state: State) {
    this.#live = live;
    this.#state = state;
  }

  /** Every name that a resource, ours or not, has now, will have, or has temporarily. A service may ignore the case of a name. */
  listTaken(decisions: readonly ChangeDecision[]): Set<string> {
    return new Set([
      ...this.#listLive(),
      ...decisions
        .map(foldDecisionNames)
        .flatMap((one) => [
          ...listNameAndPortClaims(one, 'before'),
          ...listNameAndPortClaims(one, 'after'),
          ...listTemporaryNameClaims(one),
        ]),
    ]);
  }

  /** The name that each one has for the time that it is retired: nothing has or will have it. */
  nameRetired(decisions: readonly ChangeDecision[]): readonly ChangeDecision[] {
    const isNameless = ({ change }: ChangeDecision) =>
      isRetiring(change) && change.retirement?.name === '';
    if (!decisions.some(isNameless)) return decisions;
    const taken = this.listTaken(decisions);
    return decisions.map((one) => {
      const { change } = one;
      if (!isNameless(one) || !change.retirement) return one;
      const name = this.find(one, taken, { word: 'retired', keeps: Number.POSITIVE_INFINITY });
      return { ...one, change: { ...change, retirement: { ...change.retirement, name } } };
    });
  }

  /** A name for this one that nothing has or will have; it is added to those that are taken. */
  find(decision: ChangeDecision, taken: Set<string>, ending = aside): string {
    const { change, kind, held } = decision;
    // A replaced resource keeps its old name; one that changes in place is on its way to its new name.
    const [now, later] = [
      readAttributeText(held ?? {}, 'name'),
      readAttributeText(change.after ?? {}, 'name'),
    ];
    const wanted = change.action === 'replace' ? now || later : later || now;
    for (let count = 1; ; count += 1) {
      const name = spell(wanted, count, this.#capOf(change.kind), ending);
      const attributes = { ...held, name: foldNameForComparison(name) };
      const [claim = name] = kind.claims(describeResourceBeforeChange(decision, attributes));
      if (taken.has(claim)) continue;
      taken.add(claim);
      return name;
    }
  }

  #capOf(kind: ChangeDecision['change']['kind']): number {
    const cap = kindRegistry[kind].fields.name?.cap;
    return (cap && this.#live.nameLengths[cap.name]) ?? Number.POSITIVE_INFINITY;
  }

  /** Names in the account, also of resources that are not ours: no temporary name may equal one. */
  #listLive(): string[] {
    const projects = new Map(
      [...this.#state.resources.values()].flatMap(({ kind, id, address }) =>
        isProject(kind) ? [[id, address] as const] : [],
      ),
    );
    return [...this.#live.projects, ...this.#live.resources].flatMap((live) => {
      const name = getLiveName(live);
      if (name === undefined) return [];
      const project = projects.get(live.projectId) ?? live.projectId;
      const attributes = { name: foldNameForComparison(name) };
      return kindRegistry[live.kind].claims({
        address: '',
        kind: live.kind,
        project,
        attributes,
      });
    });
  }
}

/** A decision about a change with each resource name folded, as a service may take two names of different case for one. */
export function foldDecisionNames(decision: ChangeDecision): ChangeDecision {
  const { change, held, asideName } = decision;
  return {
    ...decision,
    change: { ...change, after: foldNameOf(change.after) },
    held: foldNameOf(held),
    ...(asideName !== undefined && { asideName: foldNameForComparison(asideName) }),
  };
}

function foldNameOf(attributes: Attributes | null): Attributes | null {
  return (
    attributes && {
      ...attributes,
      name: foldNameForComparison(readAttributeText(attributes, 'name')),
    }
  );
}

/** The beginning of a name with an ending that says what it is for, or a mere number where there is no room for more. */
function spell(wanted: string, count: number, cap: number, { word, keeps }: NameEnding): string {
  const ending = count === 1 ? `-${word}` : `-${word}-${count}`;
  const shown = ending.length < cap ? ending : count.toString(36);
  const room = Math.max(0, Math.min(keeps, cap - shown.length));
  return Array.from(wanted).slice(0, room).join('') + shown;
}
