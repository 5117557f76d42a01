import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { ApiError, OutcomeUnknownError, ServiceError } from '../../api/errors/errors.ts';
import { predictResourceAfterCommand } from '../../kinds/carry-out.ts';
import type { SaleBoundCommand } from '../../kinds/command-facts.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { commandSubjects, findCommandSubjectId } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { Sale } from '../../model/account/account.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { ChangeFailure } from '../context/failure.ts';
import {
  makeNoAnswerFailure,
  makeRefusedAfterLostFailure,
  makeUnreadableAccountFailure,
} from '../context/open-failures.ts';
import { recordCommandAcceptance, recordCommandIntent } from './record-command.ts';
import { alreadyDoneRefusalMeanings } from '../requests/send-command.ts';
import {
  makeSendingOptions,
  type ChangeCommandJob,
  type RunContext,
} from '../context/run-context.ts';

/** Milliseconds within which the sale of a new resource must appear in the list. */
const appearanceMs = 60_000;
const attempts = 3;

/**
 * Carries out a command on the sale of a resource. It is a switch: a request whose answer was lost is looked after, and
 * sent again only where the sale does not show it.
 * `seen` is the resource as last read, when that is known.
 * @returns the resource, with what its sale says now
 * @throws ChangeFailure when no sale shows up, or no answer comes; ApiError when the service refuses
 */
export async function runSaleRenewalCommand(
  context: RunContext,
  job: ChangeCommandJob,
  procedure: SaleBoundCommand,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { client, store } = context;
  const { change, command } = job;
  const { address } = change;
  let cause: Error | undefined;
  let isTold = true;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      const sale = await findSale(context, job);
      isTold = sale.renewal !== undefined;
      if (sale.renewal === procedure.renewal) return await showRenewal(context, job, seen, isTold);
      // A state that cannot be written any more takes no further intent.
      if (cause && store.failure) break;
      const sent = procedure.withSale(command, sale.id);
      await recordCommandIntent(context, address, sent);
      await client.send(sent, makeSendingOptions(context, job));
      await recordCommandAcceptance(context, address, sent);
      return await showRenewal(context, job, seen, isTold);
    } catch (error) {
      if (error instanceof OutcomeUnknownError && !error.isRead) cause = error;
      else if (await isSetAlready(context, job, procedure, error)) {
        return showRenewal(context, job, seen, isTold);
      } else if (cause && error instanceof ApiError) throw explainAfterLoss(job, error);
      else throw error;
    }
  }
  throw makeNoAnswerFailure(address, command.kind, attempts, cause);
}

/** Tells whether a refused renewal setting is what the sale already has, so that nothing is wrong. */
async function isSetAlready(
  context: RunContext,
  job: ChangeCommandJob,
  { renewal }: SaleBoundCommand,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof ServiceError) || error.isRead) return false;
  if (!alreadyDoneRefusalMeanings.has(classifyRefusal(error))) return false;
  return (await findSale(context, job)).renewal === renewal;
}

/** After a lost answer whatever else goes wrong leaves open what became of it. */
function explainAfterLoss(
  { change: { address }, command: { kind } }: ChangeCommandJob,
  error: ApiError,
) {
  return error.isRead
    ? makeUnreadableAccountFailure(address, kind, error, false)
    : makeRefusedAfterLostFailure(address, kind, error);
}

async function findSale({ sales, clock }: RunContext, job: ChangeCommandJob): Promise<Sale> {
  const deadline = Math.min(job.deadline, clock.now() + appearanceMs);
  const sale = await sales.find(findCommandSubjectId(job.command) ?? '', deadline);
  if (sale) return sale;
  throw new ChangeFailure({
    severity: 'error',
    code: 'sale-not-found',
    summary: `The account has no sale for this ${kindRegistry[job.change.kind].label}, so its renewal cannot be set`,
    detail: `Hostwright looked for it for ${Math.round(appearanceMs / 1_000)} seconds.`,
    hint: 'Apply again: the sale may show up later. Without renewal in the configuration it is left alone.',
    address: job.change.address,
  });
}

/** The resource with what was set; where sales do not tell it, it stays untold. */
async function showRenewal(
  { client }: RunContext,
  { command, change }: ChangeCommandJob,
  seen: LiveResource | undefined,
  isTold: boolean,
): Promise<LiveResource | undefined> {
  const { kind } = commandSubjects[command.kind];
  try {
    const live =
      seen ??
      (await client.get(kind, placeOfCommand(command), findCommandSubjectId(command) ?? ''));
    if (!live || isTold) return live && predictResourceAfterCommand(live, command);
    return kindRegistry[live.kind].traits.sale?.withSale(live, { renewal: undefined }) ?? live;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw makeUnreadableAccountFailure(change.address, command.kind, error, true);
  }
}
