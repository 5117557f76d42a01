import { describe, expect, it } from 'vitest';
import type { DependencyGraph } from '../../../../src/model/plan/graph.ts';
import {
  graphConfigurationDependencies,
  graphPlanDependencies,
} from '../../../../src/plan/order/dependency-graph.ts';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import { makeDesired, type ProjectConfig } from '../../../support/desired.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { editProject, lifecycleOf } from '../../../support/world.ts';

const full: ProjectConfig = {
  sshKeys: { alice: {} },
  networks: { lan: {} },
  publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
  vms: { web: { sshKeys: ['alice'], networks: ['lan'], publicIp: 'edge' } },
};

const edgeLines = ({ edges }: DependencyGraph) =>
  edges.map(({ from, to }) => `${from} > ${to}`.replaceAll('projects.', ''));

describe('the graph of a configuration', () => {
  it('has every resource, and what it needs itself', () => {
    const graph = graphConfigurationDependencies(makeDesired({ p: full }));
    expect(graph.nodes.map(({ address }) => address)).toEqual([
      'projects.p',
      'projects.p.networks.lan',
      'projects.p.publicIps.edge',
      'projects.p.publicIps.edge.forwards.https',
      'projects.p.sshKeys.alice',
      'projects.p.vms.web',
    ]);
    // Everything needs the project; only those say so that need nothing else.
    expect(edgeLines(graph)).toEqual([
      'p.networks.lan > p',
      'p.publicIps.edge > p',
      'p.publicIps.edge.forwards.https > p.vms.web',
      'p.sshKeys.alice > p',
      'p.vms.web > p.networks.lan',
      'p.vms.web > p.publicIps.edge',
      'p.vms.web > p.sshKeys.alice',
    ]);
  });

  it('is empty for none', () =>
    expect(graphConfigurationDependencies({ resources: [] })).toEqual({ nodes: [], edges: [] }));

  it('is the same in whatever order the resources come', () => {
    const desired = makeDesired({ p: full, q: full });
    const turned = { resources: [...desired.resources].reverse() };
    expect(graphConfigurationDependencies(turned)).toEqual(graphConfigurationDependencies(desired));
  });

  it('has what expressions read, one instance or a group', () => {
    const { resources } = makeDesired({ p: { vms: { a: {}, 'b[0]': {}, 'b[1]': {}, c: {} } } });
    const mentions = new Map([
      ['projects.p.vms.a', ['projects.p.vms.b']],
      ['projects.p.vms.c', ['projects.p.vms.b[1]']],
    ]);
    const graph = graphConfigurationDependencies({
      resources: resources.map((one) => ({ ...one, mentions: mentions.get(one.address) ?? [] })),
    });
    expect(edgeLines(graph)).toEqual([
      'p.vms.a > p.vms.b[0]',
      'p.vms.a > p.vms.b[1]',
      'p.vms.b[0] > p',
      'p.vms.b[1] > p',
      'p.vms.c > p.vms.b[1]',
    ]);
  });

  it('has what triggers a replacement, also in a cycle', () => {
    const { resources } = makeDesired({ p: { vms: { a: {}, b: {} } } });
    const trigger = (name: string, other: string) => ({
      ...resources.find(({ address }) => address.endsWith(name))!,
      lifecycle: lifecycleOf({
        replaceTriggeredBy: [`projects.p.vms.${other}`, 'projects.p.vms.nobody'],
      }),
    });
    const [project] = resources;
    const circle = { resources: [project!, trigger('.a', 'b'), trigger('.b', 'a')] };
    expect(edgeLines(graphConfigurationDependencies(circle))).toEqual([
      'p.vms.a > p',
      'p.vms.a > p.vms.b',
      'p.vms.b > p',
      'p.vms.b > p.vms.a',
    ]);
  });
});

it('has every instance of the group that triggers a replacement', () => {
  const { resources } = makeDesired({
    p: { vms: { 'z[0]': {}, 'z[1]': {}, a: { replaceTriggeredBy: ['projects.p.vms.z'] } } },
  });
  expect(edgeLines(graphConfigurationDependencies({ resources }))).toEqual([
    'p.vms.a > p.vms.z[0]',
    'p.vms.a > p.vms.z[1]',
    'p.vms.z[0] > p',
    'p.vms.z[1] > p',
  ]);
});

it('has the order of instances, over those that hold nothing', () => {
  const { resources } = makeDesired({
    a: { vms: { web: { networks: ['lan'] } }, networks: { lan: {} } },
    b: {},
    c: { vms: { web: {} } },
  });
  const instances = ['projects.c', 'projects.none', 'projects.a', 'projects.b'];
  const instanceOrders = [{ instances, needsChecks: false, waitMs: 0 }];
  expect(edgeLines(graphConfigurationDependencies({ resources, instanceOrders }))).toEqual([
    'a > c.vms.web',
    'a.networks.lan > a',
    'a.vms.web > a.networks.lan',
    'b > a.vms.web',
    'c.vms.web > c',
  ]);
});

describe('the graph of a plan', () => {
  it('has what each resource will need, and for what goes what it needs now', () => {
    const world = editProject(full, {
      sshKeys: { alice: {} },
      networks: { lan: {}, dmz: {} },
      vms: { web: { sshKeys: ['alice'], networks: ['dmz'] } },
    });
    const graph = graphPlanDependencies(planOf(world), world.desired);
    expect(graph.nodes.map(({ address, change }) => `${address} ${change!.action}`)).toEqual([
      'projects.p no-op',
      'projects.p.networks.dmz create',
      'projects.p.networks.lan no-op',
      'projects.p.publicIps.edge delete',
      'projects.p.publicIps.edge.forwards.https delete',
      'projects.p.sshKeys.alice no-op',
      'projects.p.vms.web replace',
    ]);
    expect(edgeLines(graph)).toContain('p.vms.web > p.networks.dmz');
    expect(edgeLines(graph)).not.toContain('p.vms.web > p.networks.lan');
    expect(edgeLines(graph)).toContain('p.publicIps.edge.forwards.https > p.vms.web');
  });

  it('has what an ignored field holds, unless the resource is made anew', () => {
    const networks = { lan: {}, dmz: {} };
    const edited = editProject(
      { networks, vms: { web: { networks: ['lan'] } } },
      { networks, vms: { web: { networks: ['dmz'] } } },
    );
    const lifecycle = lifecycleOf({ ignoreChanges: ['networks'] });
    const resources = edited.desired.resources.map((one) => ({ ...one, lifecycle }));
    const desired = { ...edited.desired, resources };
    const kept = planOf({ ...edited, desired });
    expect(edgeLines(graphPlanDependencies(kept, desired))).toContain('p.vms.web > p.networks.lan');
    const planOptions = { ...noPlanOptions, replace: ['projects.p.vms.web'] };
    const replaced = planOf({ ...edited, desired, planOptions });
    expect(edgeLines(graphPlanDependencies(replaced, desired))).toContain(
      'p.vms.web > p.networks.dmz',
    );
  });
});
