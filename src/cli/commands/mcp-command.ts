import type { Command } from 'commander';
import { resolve } from 'node:path';
import { InternalError } from '../../model/errors.ts';
import type { CommandLineContext } from '../command-context.ts';

/** `mcp`. */
export function addMcpCommand(
  program: Command,
  { runtime, exit, runCommandLine, openStreams }: CommandLineContext,
): void {
  program
    .command('mcp')
    .summary('tools and documentation for an agent')
    .description(
      'Speaks the Model Context Protocol on standard input and output, until that ends. An agent can validate, plan, explain and rehearse the configuration, read limits, catalog and documentation, and propose a branch. It can neither apply nor change the state. Needs the package @modelcontextprotocol/server beside Hostwright.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .action(async (directory: string) => {
      if (!openStreams) throw new InternalError('a protocol needs the streams of a process');
      const { serveMcp } = await import('../mcp/serve-mcp.ts');
      const cwd = resolve(runtime.cwd, directory);
      await serveMcp({ ...runtime, cwd }, { ...openStreams(), runCommandLine });
      exit(0);
    });
}
