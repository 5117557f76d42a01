import {
  asPart,
  readCommand,
  readPart,
  readPull,
  readPush,
  readEventText,
  type Part,
  type ReadEvent,
} from '../host-event.ts';

const pullActions = new Set(['open', 'reopen', 'merge', 'close']);

/** Reads a webhook of GitLab; `name` is its header `X-Gitlab-Event`. */
export function readGitlabEvent(name: string, payload: Part): ReadEvent {
  const repository = readEventText(asPart(payload?.project), 'path_with_namespace');
  switch (name) {
    case 'Push Hook':
      return readPush(repository, readEventText(payload, 'ref'), readEventText(payload, 'after'));
    case 'Merge Request Hook': {
      const about = readPart(payload, 'object_attributes');
      const action = readEventText(about, 'action');
      // An update is also told of labels and titles: with new commits, it says which was the newest before.
      const isChanged =
        readEventText(about, 'oldrev') !== '' ||
        readPart(readPart(payload, 'changes'), 'target_branch') !== undefined;
      if (!pullActions.has(action) && !(action === 'update' && isChanged))
        return { ignored: `Nothing follows from ${action} of a merge request.` };
      return readPull(repository, readEventText(about, 'iid'));
    }
    case 'Note Hook':
      return readNote(repository, payload);
    default:
      return { ignored: 'Nothing follows from this event.' };
  }
}

function readNote(repository: string, payload: Part): ReadEvent {
  const note = readPart(payload, 'object_attributes');
  const command = readCommand(note?.note);
  // Versions before 16.11 do not say what was done; they tell of new notes alone.
  const action = readEventText(note, 'action') || 'create';
  if (action !== 'create' || !command || readEventText(note, 'noteable_type') !== 'MergeRequest')
    return { ignored: 'The comment is no command.' };
  const read = readPull(repository, readEventText(readPart(payload, 'merge_request'), 'iid'));
  const user = readPart(payload, 'user');
  const person = { id: readEventText(user, 'id'), name: readEventText(user, 'username') };
  if (!('event' in read) || read.event.kind !== 'pull' || person.id === '') return read;
  const id = readEventText(note, 'id');
  const made = { ...read.event, kind: 'comment', person, command } as const;
  return { event: id === '' ? made : { ...made, comment: id } };
}
