import { expect, it } from 'vitest';
import {
  createRequestedByOtherFilter,
  RequestedCreateNames,
} from '../../../../src/kinds/recognise/asked-for-by-others.ts';
import { recogniseCreatedResources } from '../../../../src/kinds/recognise/recognise.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { LiveResource } from '../../../../src/model/account/live.ts';

const network = (name: string, projectId = 'p'): LiveResource => ({
  ...{ kind: 'network', id: `n-${name}`, projectId, name, status: 'active', cidr: '10.0.0.0/24' },
});
const create = (name: string, project = 'p'): ResolvedCommand => ({
  ...{ kind: 'createNetwork', project, name },
});
const pending = new Map<string, { command: ResolvedCommand }>([
  ['a', { command: create('Lan') }],
  ['b', { command: create('lan') }],
  ['c', { command: { kind: 'createPublicIp', project: 'p' } }],
  ['d', { command: { kind: 'createProject', name: 'Shop' } }],
]);

it.each<[string, LiveResource, boolean]>([
  ['is what another create asked for', network('lan'), true],
  ['is not what its own create asked for', network('Lan'), false],
  ['is not what is merely alike', network('LAN'), false],
  ['is not what lies in another project', network('lan', 'q'), false],
  ['is not what is of another kind', network('Shop'), false],
  ['may be a project', { kind: 'project', id: 'p-2', projectId: 'p-2', name: 'Shop' }, true],
])('what others asked for %s', (_what, live, expected) => {
  expect(createRequestedByOtherFilter(() => new RequestedCreateNames(pending), 'a')(live)).toBe(
    expected,
  );
});

it('is not recognised by a name that the service might have rewritten', () => {
  const attempt = { command: create('Lan'), knownIds: [] };
  const found = [network('lan')];
  const others = createRequestedByOtherFilter(() => new RequestedCreateNames(pending), 'a');
  expect(recogniseCreatedResources(attempt, found, () => false).ours).toEqual(found);
  expect(recogniseCreatedResources(attempt, found, () => false, others).ours).toEqual([]);
});
