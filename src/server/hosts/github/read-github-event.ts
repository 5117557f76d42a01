import {
  readCommand,
  readPart,
  readPull,
  readPush,
  readEventText,
  type Part,
  type ReadEvent,
} from '../host-event.ts';

/** Actions on a pull request after which its commits, its base or its state are others. */
const pullActions = new Set(['opened', 'synchronize', 'reopened', 'closed']);

/** Reads a webhook of GitHub. `name` is from `X-GitHub-Event`. */
export function readGithubEvent(name: string, payload: Part): ReadEvent {
  const repository = readEventText(readPart(payload, 'repository'), 'full_name');
  const action = readEventText(payload, 'action');
  switch (name) {
    case 'ping':
      return { ignored: 'The webhook works.' };
    case 'push':
      return readPush(repository, readEventText(payload, 'ref'), readEventText(payload, 'after'));
    case 'pull_request': {
      const isRebased = readPart(readPart(payload, 'changes'), 'base') !== undefined;
      if (!pullActions.has(action) && !(action === 'edited' && isRebased))
        return { ignored: `Nothing follows from ${action} of a pull request.` };
      return readPull(repository, readEventText(payload, 'number'));
    }
    case 'merge_group':
      return readGroup(repository, action, readPart(payload, 'merge_group'));
    case 'issue_comment':
      return readComment(repository, action, payload);
    default:
      return { ignored: 'Nothing follows from this event.' };
  }
}

function readGroup(repository: string, action: string, group: Part): ReadEvent {
  const commit = readEventText(group, 'head_sha');
  const base = readPush(repository, readEventText(group, 'base_ref'), commit);
  const [, number] = /\/pr-([1-9]\d{0,8})-/.exec(readEventText(group, 'head_ref')) ?? [];
  if (
    action !== 'checks_requested' ||
    !('event' in base) ||
    base.event.kind !== 'push' ||
    number === undefined
  )
    return { ignored: `Nothing follows from ${action} of a merge group.` };
  const { branch } = base.event;
  const before = readEventText(group, 'base_sha');
  return { event: { kind: 'group', repository, branch, before, commit, number: Number(number) } };
}

function readComment(repository: string, action: string, payload: Part): ReadEvent {
  const issue = readPart(payload, 'issue');
  const comment = readPart(payload, 'comment');
  const command = readCommand(comment?.body);
  // An edit may put words into the comment of somebody else.
  if (action !== 'created' || !command || !readPart(issue, 'pull_request'))
    return { ignored: 'The comment is no command.' };
  const read = readPull(repository, readEventText(issue, 'number'));
  const user = readPart(comment, 'user');
  const name = readEventText(user, 'login');
  if (!('event' in read) || read.event.kind !== 'pull' || name === '') return read;
  // A name may be of somebody else one day.
  const person = { id: readEventText(user, 'id') || name, name };
  const id = readEventText(comment, 'id');
  const made = { ...read.event, kind: 'comment', person, command } as const;
  return { event: id === '' ? made : { ...made, comment: id } };
}
