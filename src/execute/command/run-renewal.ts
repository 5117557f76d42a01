import { ApiError, OutcomeUnknownError } from '../../api/errors/errors.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { Sale } from '../../model/account/account.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { ChangeFailure } from '../run/failure.ts';
import { noAnswer, refusedAfterLoss, unreadable } from '../run/open-failures.ts';
import { recordAcceptance, recordIntent } from './record-command.ts';
import { sendingOf, type Job, type RunContext } from '../run/run-context.ts';

/** How long the sale of a VM that was just made may take to show. */
const appearanceMs = 60_000;
const attempts = 3;

type RenewalName = 'resumeSaleRenewal' | 'cancelSaleRenewal';
/** A renewal job. */
type RenewalJob = Job & {
  readonly command: Extract<ResolvedCommand, { kind: RenewalName }>;
};

/**
 * Lets the sale of a VM renew, or end with its running period. It is a switch: a request whose answer was lost is looked
 * after, and sent again only where the sale does not show it.
 * `seen` is the VM as last read, when that is known.
 * @returns the VM, with what its sale says now
 * @throws ChangeFailure when no sale shows up, or no answer comes; ApiError when the service refuses
 */
export async function runRenewal(
  context: RunContext,
  job: RenewalJob,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { client, store } = context;
  const { change, command } = job;
  const { address } = change;
  const renewal = command.kind === 'resumeSaleRenewal' ? 'active' : 'cancelled';
  let cause: Error | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      const sale = await findSale(context, job);
      if (sale.renewal === renewal) return await withRenewal(context, job, seen, renewal);
      // A state that cannot be written any more takes no further intent.
      if (cause && store.failure) break;
      const sent = { ...command, sale: sale.id };
      await recordIntent(context, address, sent);
      await client.send(sent, sendingOf(context, job));
      await recordAcceptance(context, address, sent);
      return await withRenewal(context, job, seen, renewal);
    } catch (error) {
      if (error instanceof OutcomeUnknownError && !error.isRead) cause = error;
      else if (cause && error instanceof ApiError) throw explainAfterLoss(job, error);
      else throw error;
    }
  }
  throw noAnswer(address, command.kind, attempts, cause);
}

/** After a lost answer whatever else goes wrong leaves open what became of it. */
function explainAfterLoss({ change: { address }, command: { kind } }: RenewalJob, error: ApiError) {
  return error.isRead
    ? unreadable(address, kind, error, false)
    : refusedAfterLoss(address, kind, error);
}

async function findSale({ sales, clock }: RunContext, job: RenewalJob): Promise<Sale> {
  const deadline = Math.min(job.deadline, clock.now() + appearanceMs);
  const sale = await sales.find(job.command.vm, deadline);
  if (sale) return sale;
  throw new ChangeFailure({
    severity: 'error',
    code: 'sale-not-found',
    summary: 'The account has no sale for this VM, so its renewal cannot be set',
    detail: `It was looked for over ${Math.round(appearanceMs / 1_000)} seconds.`,
    hint: 'Apply again: the sale may show up later. Without renewal in the configuration it is left alone.',
    address: job.change.address,
  });
}

async function withRenewal(
  { client }: RunContext,
  job: RenewalJob,
  seen: LiveResource | undefined,
  renewal: string,
): Promise<LiveResource | undefined> {
  const { command, change } = job;
  try {
    const vm = seen ?? (await client.get('vm', placeOfCommand(command), command.vm));
    return vm?.kind === 'vm' ? { ...vm, renewal } : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw unreadable(change.address, command.kind, error, true);
  }
}
