import { expect, test } from 'vitest';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import {
  placeOfCommand,
  findProjectIdOfCommand,
} from '../../../../src/model/account/place-of-command.ts';
import type { ResourcePlace } from '../../../../src/model/account/live.ts';

test.each<[ResolvedCommand, string | undefined, ResourcePlace]>([
  [{ kind: 'createProject', name: 'shop' }, undefined, { projectId: '' }],
  [{ kind: 'deleteProject', project: 'p-1' }, 'p-1', { projectId: 'p-1' }],
  [{ kind: 'deletePublicIp', project: 'p-1', publicIp: 'ip-1' }, 'p-1', { projectId: 'p-1' }],
  [
    { kind: 'deletePortForward', project: 'p-1', publicIp: 'ip-1', portForward: 'f-1' },
    'p-1',
    { projectId: 'p-1', publicIpId: 'ip-1' },
  ],
  [{ kind: 'deleteToken', accessToken: 't-1' }, undefined, { projectId: '' }],
])('the place of %j', (command, project, place) => {
  expect(findProjectIdOfCommand(command)).toBe(project);
  expect(placeOfCommand(command)).toEqual(place);
});
