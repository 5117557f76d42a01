import {
  toPayloadPart,
  readCommentCommand,
  readPayloadPart,
  readPullEvent,
  readPushEvent,
  readPayloadText,
  type WebhookPayloadPart,
  type WebhookEventResult,
} from '../host-event.ts';

const pullActions = new Set(['open', 'reopen', 'merge', 'close']);
/** The first two are sent for the approval that was needed last, and for the withdrawal of one that is needed. */
const reviewActions = new Set(['approved', 'unapproved', 'approval', 'unapproval']);

/** Reads a webhook of GitLab; `name` is its header `X-Gitlab-Event`. */
export function readGitlabEvent(name: string, payload: WebhookPayloadPart): WebhookEventResult {
  const repository = readPayloadText(toPayloadPart(payload?.project), 'path_with_namespace');
  switch (name) {
    case 'Push Hook':
      return readPushEvent(
        repository,
        readPayloadText(payload, 'ref'),
        readPayloadText(payload, 'after'),
      );
    case 'Merge Request Hook': {
      const about = readPayloadPart(payload, 'object_attributes');
      const action = readPayloadText(about, 'action');
      if (reviewActions.has(action))
        return readPullEvent(repository, readPayloadText(about, 'iid'), 'review');
      // An update is also told of labels and titles: with new commits, it says which was the newest before.
      const isChanged =
        readPayloadText(about, 'oldrev') !== '' ||
        readPayloadPart(readPayloadPart(payload, 'changes'), 'target_branch') !== undefined;
      if (!pullActions.has(action) && !(action === 'update' && isChanged))
        return { ignored: `Nothing follows from ${action} of a merge request.` };
      return readPullEvent(repository, readPayloadText(about, 'iid'));
    }
    case 'Note Hook':
      return readNote(repository, payload);
    default:
      return { ignored: 'Nothing follows from this event.' };
  }
}

function readNote(repository: string, payload: WebhookPayloadPart): WebhookEventResult {
  const note = readPayloadPart(payload, 'object_attributes');
  const command = readCommentCommand(note?.note);
  // Versions before 16.11 do not say what was done; they tell of new notes alone.
  const action = readPayloadText(note, 'action') || 'create';
  if (action !== 'create' || !command || readPayloadText(note, 'noteable_type') !== 'MergeRequest')
    return { ignored: 'The comment is no command.' };
  const read = readPullEvent(
    repository,
    readPayloadText(readPayloadPart(payload, 'merge_request'), 'iid'),
  );
  const user = readPayloadPart(payload, 'user');
  const person = { id: readPayloadText(user, 'id'), name: readPayloadText(user, 'username') };
  if (!('event' in read) || read.event.kind !== 'pull' || person.id === '') return read;
  const id = readPayloadText(note, 'id');
  const made = { ...read.event, kind: 'comment', person, command } as const;
  return { event: id === '' ? made : { ...made, comment: id } };
}
