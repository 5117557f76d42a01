import type { ServiceClient } from '../../api/client.ts';
import { isRecorded } from '../../kinds/operation-types.ts';
import { judgeSent } from '../../live/judge-sent.ts';
import type { LiveSnapshot } from '../../model/account/live.ts';
import { projectOf } from '../../model/account/place-of-command.ts';
import type { SentFate, State } from '../../model/state/state.ts';

/**
 * What has become of the commands whose end no run has seen, by live id; reads the newest records of their projects, and
 * nothing where there are none. @throws ApiError
 */
export async function readSent(
  client: ServiceClient,
  { sent }: State,
  live: LiveSnapshot,
): Promise<ReadonlyMap<string, SentFate>> {
  if (!sent) return new Map();
  const standing = new Set(live.resources.map(({ id }) => id));
  const projects = new Set(
    [...sent].flatMap(([id, { command }]) =>
      standing.has(id) && isRecorded(command.kind) ? (projectOf(command) ?? []) : [],
    ),
  );
  const lists = await Promise.all([...projects].map((project) => client.listOperations(project)));
  return judgeSent(sent, live, lists.flat());
}
