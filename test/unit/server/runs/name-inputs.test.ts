import { describe, expect, it } from 'vitest';
import { mapUpstreamOutputs } from '../../../../src/server/runs/name-inputs.ts';

describe('the outputs of other workspaces', () => {
  it('is a text as it is, and JSON otherwise', () => {
    const outputs = { region: 'eu: 1', ports: [80, 443], size: { cores: 2 }, none: null, count: 5 };
    const { variables, clashes } = mapUpstreamOutputs([{ workspace: 'network', outputs }], {});
    expect(clashes).toEqual([]);
    expect(variables).toEqual({
      HOSTWRIGHT_VAR_region: 'eu: 1',
      HOSTWRIGHT_VAR_ports: '[80,443]',
      HOSTWRIGHT_VAR_size: '{"cores":2}',
      HOSTWRIGHT_VAR_none: 'null',
      HOSTWRIGHT_VAR_count: '5',
    });
  });

  it('clashes where two have the same output, unless the workspace sets it', () => {
    const upstream = ['a', 'b'].map((workspace) => ({ workspace, outputs: { zone: workspace } }));
    expect(mapUpstreamOutputs(upstream, {}).clashes).toEqual([
      { name: 'zone', workspaces: ['a', 'b'] },
    ]);
    const own = { HOSTWRIGHT_VAR_zone: 'c' };
    expect(mapUpstreamOutputs(upstream, own)).toEqual({ variables: {}, clashes: [], unfit: [] });
  });

  it('is nothing where there is nothing', () =>
    expect(mapUpstreamOutputs([], {})).toEqual({ variables: {}, clashes: [], unfit: [] }));

  it('is left out, with a reason, where no process can have it', () => {
    const outputs = { long: 'x'.repeat(200_000), odd: 'a\0b', fine: 'x'.repeat(100_000) };
    const { variables, unfit } = mapUpstreamOutputs([{ workspace: 'up', outputs }], {});
    expect(Object.keys(variables)).toEqual(['HOSTWRIGHT_VAR_fine']);
    expect(unfit).toEqual([
      { name: 'long', workspace: 'up', why: 'it is longer than 128 KB' },
      { name: 'odd', workspace: 'up', why: 'it has the character NUL' },
    ]);
  });

  it('takes an output of any name', () => {
    const outputs = JSON.parse('{ "__proto__": 1, "constructor": 2 }') as Record<string, unknown>;
    const { variables } = mapUpstreamOutputs([{ workspace: 'odd', outputs }], {});
    expect(Object.keys(variables)).toEqual([
      'HOSTWRIGHT_VAR___proto__',
      'HOSTWRIGHT_VAR_constructor',
    ]);
  });
});
