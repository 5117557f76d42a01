// What payloads come to, as the hosts document them.
import { describe, expect, it } from 'vitest';
import { readGithubEvent } from '../../../../src/server/pulls/receive-webhook.ts';
import { readGitlabEvent } from '../../../../src/server/hosts/gitlab/read-gitlab-event.ts';
import { readCommentCommand } from '../../../../src/server/hosts/host-event.ts';

const sha = 'b'.repeat(40);

describe('a comment', () => {
  it.each([
    ['hostwright plan', { operation: 'plan' }],
    ['hostwright apply shop  \r\nplease', { operation: 'apply', workspace: 'shop' }],
    [`hostwright plan ${sha}`, { operation: 'plan', commit: sha }],
    [`hostwright plan shop ${sha}`, { operation: 'plan', workspace: 'shop', commit: sha }],
    ['hostwright approve', { operation: 'approve' }],
    ['hostwright discard shop', { operation: 'discard', workspace: 'shop' }],
    ['hostwright unlock', { operation: 'unlock' }],
    ['please\nhostwright plan', undefined],
    ['> hostwright plan', undefined],
    [' hostwright plan', undefined],
    ['Hostwright plan', { operation: 'help' }],
    ['hostwright', { operation: 'help' }],
    ['hostwright destroy', { operation: 'help' }],
    ['hostwright plan shop now', { operation: 'help' }],
    ['hostwright plan -shop', { operation: 'help' }],
    ['hostwright is what we use here', undefined],
    ['hostwright: why not', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%o is %o', (text, command) => expect(readCommentCommand(text)).toEqual(command));
});

describe('GitHub', () => {
  const repository = { full_name: 'acme/infra' };
  const comment = { body: 'hostwright plan', user: { login: 'ann' } };
  const issue = { number: 7, pull_request: {} };
  const pull = { kind: 'pull', repository: 'acme/infra', number: 7 };
  const review = { ...pull, kind: 'review' };
  const reviewed = (state: string) => ({ review: { state }, pull_request: { number: 7 } });
  const group = {
    ...{ head_sha: sha, base_sha: 'b'.repeat(40), base_ref: 'refs/heads/main' },
    head_ref: 'refs/heads/gh-readonly-queue/main/pr-104-0123abcd',
  };
  it.each([
    ['pull_request', { action: 'opened', number: 7 }, pull],
    ['pull_request', { action: 'synchronize', number: 7 }, pull],
    ['pull_request', { action: 'closed', number: 7 }, pull],
    ['pull_request', { action: 'edited', number: 7, changes: { base: {} } }, pull],
    ['pull_request', { action: 'edited', number: 7, changes: { title: {} } }, undefined],
    [
      'issue_comment',
      { action: 'created', issue, comment },
      {
        ...pull,
        kind: 'comment',
        person: { id: 'ann', name: 'ann' },
        command: { operation: 'plan' },
      },
    ],
    [
      'issue_comment',
      { action: 'created', issue, comment: { ...comment, id: 8, user: { login: 'ann', id: 3 } } },
      {
        ...{ ...pull, kind: 'comment', person: { id: '3', name: 'ann' }, comment: '8' },
        command: { operation: 'plan' },
      },
    ],
    [
      'merge_group',
      { action: 'checks_requested', merge_group: group },
      {
        ...{ kind: 'group', repository: 'acme/infra', branch: 'main', number: 104 },
        ...{ before: 'b'.repeat(40), commit: sha },
      },
    ],
    ['pull_request_review', { action: 'submitted', ...reviewed('approved') }, review],
    ['pull_request_review', { action: 'submitted', ...reviewed('changes_requested') }, review],
    ['pull_request_review', { action: 'submitted', ...reviewed('commented') }, undefined],
    ['pull_request_review', { action: 'edited', ...reviewed('approved') }, undefined],
    ['pull_request_review', { action: 'dismissed', ...reviewed('dismissed') }, review],
    ['merge_group', { action: 'destroyed', merge_group: group }, undefined],
    ['merge_group', { action: 'checks_requested', merge_group: {} }, undefined],
    ['issue_comment', { action: 'edited', issue, comment }, undefined],
    ['issue_comment', { action: 'created', issue: { number: 7 }, comment }, undefined],
    ['issue_comment', { action: 'created', issue, comment: { body: 'hello' } }, undefined],
  ])('%s %o is %o', (name, payload, event) => {
    const read = readGithubEvent(name, { ...payload, repository });
    expect('event' in read ? read.event : undefined).toEqual(event);
  });
});

describe('GitLab', () => {
  const project = { path_with_namespace: 'acme/team/infra' };
  const pull = { kind: 'pull', repository: 'acme/team/infra', number: 7 };
  const review = { ...pull, kind: 'review' };
  const merge = (more: object) => ({ object_attributes: { iid: 7, ...more } });
  const note = (more: object) => ({
    object_attributes: { note: 'hostwright apply', noteable_type: 'MergeRequest', ...more },
    merge_request: { iid: 7 },
    user: { id: 3, username: 'ann' },
  });
  const command = {
    ...{ ...pull, kind: 'comment', person: { id: '3', name: 'ann' } },
    command: { operation: 'apply' },
  };
  it.each([
    ['Merge Request Hook', merge({ action: 'open' }), pull],
    ['Merge Request Hook', merge({ action: 'merge' }), pull],
    ['Merge Request Hook', merge({ action: 'update', oldrev: sha }), pull],
    ['Merge Request Hook', merge({ action: 'update' }), undefined],
    ['Merge Request Hook', merge({ action: 'approved' }), review],
    ['Merge Request Hook', merge({ action: 'unapproved' }), review],
    ['Merge Request Hook', merge({ action: 'approval' }), review],
    ['Merge Request Hook', merge({ action: 'unapproval' }), review],
    ['Merge Request Hook', merge({ action: 'labelled' }), undefined],
    ['Note Hook', note({ action: 'create' }), command],
    ['Note Hook', note({}), command],
    ['Note Hook', note({ id: 8 }), { ...command, comment: '8' }],
    ['Note Hook', note({ action: 'update' }), undefined],
    ['Note Hook', note({ noteable_type: 'Issue' }), undefined],
    ['Tag Push Hook', {}, undefined],
  ])('%s %o is %o', (name, payload, event) => {
    const read = readGitlabEvent(name, { ...payload, project });
    expect('event' in read ? read.event : undefined).toEqual(event);
  });
});
