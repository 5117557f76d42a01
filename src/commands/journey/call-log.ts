// Verdicts of a journey on every operation of the contract: from the results of its steps, or else from the answers that
// other requests got on the way.
import { operationIds } from '../../api/contract/operation-ids.ts';
import { routes, type OperationId } from '../../api/contract/routes.ts';
import type { CallEvent } from '../../api/transport/attempt.ts';
import type { JourneyStep, JourneyVerdict, TriedOperation } from '../../model/account/journey.ts';

/** Operations that no step tries, although they concern resources of the journey, with the reason. */
const leftOut: Readonly<Partial<Record<OperationId, string>>> = {
  resizeVm: 'never succeeds, as the contract says',
  updateAttachment: 'not used by Hostwright',
};
const notFound = 404;

/** The answers of a service, by operation. */
export class CallLog {
  readonly #answers = new Map<string, Set<number>>();

  note({ operation, status }: Pick<CallEvent, 'operation' | 'status'>): void {
    if (status === null) return;
    const known = this.#answers.get(operation) ?? new Set();
    this.#answers.set(operation, known.add(status));
  }

  /** Every operation of the contract with its verdict, in the order of the contract. */
  classifyCalls(steps: readonly JourneyStep[]): readonly TriedOperation[] {
    return operationIds.map((operation) => {
      const isRead = routes[operation].method === 'GET';
      const own = steps.filter((step) => step.operation === operation);
      const verdict =
        worstOf(own.map((step) => step.verdict)) ?? this.#classifyUse(operation, isRead);
      return { operation, isRead, verdict };
    });
  }

  #classifyUse(operation: OperationId, isRead: boolean): JourneyVerdict {
    const answers = [...(this.#answers.get(operation) ?? [])];
    const isAnswered = answers.some((status) => status < 300);
    // A deleted resource is looked for until it is gone, so that a 404 is expected.
    const odd = answers.filter((status) => status >= 400 && !(isAnswered && status === notFound));
    if (odd.length > 0) return { kind: 'otherwise', words: `answered ${odd.join(', ')}` };
    if (isAnswered) return { kind: 'works' };
    const words = isRead
      ? 'reads that the journey does not use'
      : (leftOut[operation] ?? 'they change the account outside of the project');
    return { kind: 'not-tried', words };
  }
}

const ranks: readonly JourneyVerdict['kind'][] = ['otherwise', 'works', 'not-tried'];

/** The verdict over several tries: an operation that failed once does not work, and one that worked once was tried. */
function worstOf(verdicts: readonly JourneyVerdict[]): JourneyVerdict | undefined {
  const [worst] = verdicts.toSorted((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind));
  return worst;
}
