import { describeDouble, warnOfPossibleDouble } from '../../kinds/recognise/create-findings.ts';
import { dropRespelled, recogniseCreatedResources } from '../../kinds/recognise/recognise.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { ResentCreate, RunContext } from '../context/run-context.ts';

/** Findings about the creates that this run sent again: a second resource exists, or may exist. */
export async function reviewDoubles(context: RunContext): Promise<readonly Finding[]> {
  const resent = await Promise.all(
    [...context.history.resent.values()].map((one) => review(context, one)),
  );
  return resent.flat();
}

async function review(
  { client, store, addresses, history: { bound } }: RunContext,
  { double, isSupported }: ResentCreate,
): Promise<readonly Finding[]> {
  const { address, command } = double;
  const managed = store.state.resources.get(address);
  const listed = await client
    .list(commandSubjects[command.kind].kind, placeOfCommand(command))
    .catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
  const isKnown = (id: string) => addresses.has(id) || bound.has(id);
  const { ours } = dropRespelled(command, {
    bound: listed?.find(({ id }) => id === managed?.id),
    ours: recogniseCreatedResources(double, listed ?? [], isKnown).ours,
    alike: [],
  });
  if (managed && ours.length > 0) return [describeDouble(double, managed, ours)];
  return !managed || (isSupported && listed) ? [] : [warnOfPossibleDouble(address)];
}
