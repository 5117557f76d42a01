import type { ServiceClient } from '../api/client.ts';
import { isRecorded } from '../kinds/operation-types.ts';
import { classifySent } from '../live/classify-sent.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import { projectIdOf } from '../model/account/place-of-command.ts';
import type { SentOutcome, State } from '../model/state/state.ts';

/**
 * Outcomes of the commands whose end no run has seen, by live id. Reads the newest records of their projects, and nothing
 * where there are no such commands. @throws ApiError
 */
export async function readSentOutcomes(
  client: ServiceClient,
  { sent, resources }: State,
  live: LiveSnapshot,
): Promise<ReadonlyMap<string, SentOutcome>> {
  if (!sent) return new Map();
  const existing = new Set(live.resources.map(({ id }) => id));
  const projects = new Set(
    [...sent].flatMap(([id, { command }]) =>
      existing.has(id) && isRecorded(command.kind) ? (projectIdOf(command) ?? []) : [],
    ),
  );
  const lists = await Promise.all([...projects].map((project) => client.listOperations(project)));
  return classifySent(sent, live, lists.flat(), resources);
}
