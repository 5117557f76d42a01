import { Command } from 'commander';
import { expect, it } from 'vitest';
import { readGlobalOptions } from '../../../src/cli/flags/global-options.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';

it('keeps --var and --var-file in the order in which they are given', () => {
  const line = [
    'plan',
    '--var',
    'a=1',
    '--var-file',
    'x.yaml',
    '--var=b=2',
    '--var-file=y',
    '--var',
    'a=--c',
  ];
  const program = new Command().exitOverride().allowUnknownOption();
  expect(readGlobalOptions(program, line, silentRuntime).runtime.variables).toEqual([
    { flag: 'a=1' },
    { file: 'x.yaml' },
    { flag: 'b=2' },
    { file: 'y' },
    { flag: 'a=--c' },
  ]);
});
