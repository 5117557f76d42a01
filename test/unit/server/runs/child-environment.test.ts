import { delimiter, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildChildEnvironment,
  findStateRescueDirectory,
} from '../../../../src/server/runs/child-environment.ts';
import { isVariableAllowed } from '../../../../src/model/workspaces/workspace-variables.ts';

const given = {
  env: {
    PATH: '/bin',
    HOSTWRIGHT_SERVER_KEY: 'key',
    HOSTWRIGHT_TOKEN: 'of the server',
    SECRET: 'x',
  },
  variables: {},
  secrets: [],
  workspace: 'shop',
  stateName: 'shop',
  planKey: 'k',
  home: '/tmp/run',
  allowProbes: [],
  reserved: [],
  owned: [],
  run: { id: 'r', attempt: 2, commit: 'c', pull: undefined },
};

describe('the environment of a run', () => {
  it('has nothing of the worker but how to start', () =>
    expect(buildChildEnvironment(given)).toEqual({
      PATH: '/bin',
      HOSTWRIGHT_PLAN_KEY: 'k',
      HOME: '/tmp/run',
      HOSTWRIGHT_ALLOW_PROBES: '1',
      CI: '1',
      HOSTWRIGHT_STATE: '{"postgres":{"schema":"hostwright","name":"shop"}}',
      HOSTWRIGHT_SERVER_RUN: 'r/2',
      HOSTWRIGHT_SERVER_WORKSPACE: 'shop',
      CI_COMMIT_SHA: 'c',
    }));

  it('has what other workspaces have reserved', () => {
    const reserved = [{ name: 'networks', amount: 2, workspace: 'blog', run: 12 }] as const;
    expect(buildChildEnvironment({ ...given, reserved })).toMatchObject({
      HOSTWRIGHT_SERVER_RESERVED: JSON.stringify(reserved),
    });
  });

  it.each([
    [{ XDG_STATE_HOME: '/var/lib', HOME: '/home/ada' }, '/var/lib/hostwright/rescue/shop.2-w'],
    [
      { XDG_STATE_HOME: 'lib', HOME: '/home/ada' },
      '/home/ada/.local/state/hostwright/rescue/shop.2-w',
    ],
    [{ HOME: '' }, undefined],
    [{}, undefined],
  ])(
    'has a directory of its machine for a state that the database does not take: %j',
    (env, rescue) => {
      expect(findStateRescueDirectory(env, { id: 'w', stateName: 'shop.2' })).toBe(rescue);
      const { HOSTWRIGHT_SERVER_RESCUE: told } = buildChildEnvironment({ ...given, rescue });
      expect(told).toBe(rescue);
    },
  );

  it('has the policies of its worker, wherever it is started, and not those of its workspace', () => {
    const named = (policies: string | undefined, variables = {}) =>
      buildChildEnvironment({ ...given, env: { HOSTWRIGHT_POLICIES: policies }, variables })
        .HOSTWRIGHT_POLICIES;
    expect(named(`/etc/policies${delimiter}own`)).toBe(
      `/etc/policies${delimiter}${resolve('own')}`,
    );
    expect(named('/etc/policies', { HOSTWRIGHT_POLICIES: '/tmp' })).toBe('/etc/policies');
    expect(named(undefined, { HOSTWRIGHT_POLICIES: '/tmp' })).toBeUndefined();
  });

  it('has the ranges that its owner lets probes reach, whatever its variables say', () => {
    const variables = { HOSTWRIGHT_ALLOW_PROBES: '0.0.0.0/0' };
    const allowProbes = ['10.0.0.0/8', 'fd00::/8'];
    expect(buildChildEnvironment({ ...given, variables, allowProbes })).toMatchObject({
      HOSTWRIGHT_ALLOW_PROBES: '10.0.0.0/8,fd00::/8',
    });
  });

  it('has the variables of its workspace, but for those that allow more than YAML may', () => {
    const variables = {
      HOSTWRIGHT_TOKEN: 'own',
      HOSTWRIGHT_ALLOW_COMMANDS: '1',
      NODE_OPTIONS: '-r x',
    };
    const built = buildChildEnvironment({ ...given, variables });
    expect(built).toMatchObject({ HOSTWRIGHT_TOKEN: 'own' });
    expect(Object.keys(built)).not.toContain('HOSTWRIGHT_ALLOW_COMMANDS');
    expect(Object.keys(built)).not.toContain('NODE_OPTIONS');
  });

  it.each([
    ['HOSTWRIGHT_TOKEN', true],
    ['HOSTWRIGHT_VAR_region', true],
    ['AWS_REGION', true],
    // A profile can name a command.
    ['AWS_CONFIG_FILE', false],
    ['HOSTWRIGHT_STATE_KEY_COMMAND', false],
    ['HOSTWRIGHT_SERVER_RUN', false],
    ['HOSTWRIGHT_ALLOW_OUTSIDE_FILES', false],
    ['LD_PRELOAD', false],
    ['PATH', false],
  ])('%s may be set: %s', (name, isAllowed) => expect(isVariableAllowed(name)).toBe(isAllowed));
});
