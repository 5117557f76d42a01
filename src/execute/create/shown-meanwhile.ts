// Keeps a create from going out again once a list shows what its first request may have made. Between the last look and the
// request lie writes of the state and attempts that were refused; meanwhile another change may have listed the place.
import { commandSubjects } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { Address } from '../../model/address.ts';
import type { CreateAttempt } from '../../kinds/recognise/recognise.ts';
import type { RunContext } from '../context/run-context.ts';
import { CreatedCandidates } from './created-candidates.ts';

/** What the first request made is there: nothing was sent again. */
export class ShownMeanwhile extends Error {
  override readonly name = 'ShownMeanwhile';
}

/** Lists are followed from `guardResend` on, until `stop`. */
export interface ResendGuard {
  /** For right before each attempt. @throws ShownMeanwhile */
  readonly beforeAttempt: () => void;
  readonly stop: () => void;
}

/** Guards one more request of a create whose first one was lost. */
export function guardResend(
  context: RunContext,
  address: Address,
  attempt: CreateAttempt,
): ResendGuard {
  const { kind } = commandSubjects[attempt.command.kind];
  const candidates = new CreatedCandidates(context, address, attempt);
  const following = context.collectionLooks.follow(kind, placeOfCommand(attempt.command));
  return {
    beforeAttempt() {
      const { ours, unproven } = candidates.recognise([...following.shown.values()]);
      const ids = [...ours, ...unproven].map(({ id }) => id);
      if (ids.length > 0) throw new ShownMeanwhile(`${address} may be ${ids.join(', ')}`);
    },
    stop: () => following.stop(),
  };
}
