import { Option, type Command } from 'commander';
import type { WorkspacesResult } from '../../model/workspaces/workspaces-plan.ts';
import {
  renderWorkspacesChangeDone,
  renderWorkspacesApplyEnd,
  renderWorkspacesJson,
  renderWorkspacesPlan,
} from '../../render/workspaces/workspaces-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';
import { autoApproveOption, jsonOption, parseServerOriginFlag } from '../flags/options.ts';
import { askForConfirmation } from '../output/ask-for-yes.ts';

interface WorkspacesFlags {
  readonly server?: string;
  readonly detailedExitcode?: boolean;
  readonly autoApprove?: boolean;
  readonly json?: boolean;
}

type WorkspacesCall = CommandLineCall<[string], WorkspacesFlags>;

const load = () => import('../../commands/workspaces/workspaces.ts');

const fileOperand = ['<file>', 'the YAML file with workspaces and sets of variables'] as const;
const serverOption = () =>
  new Option('--server <url>', 'address of the server; default: HOSTWRIGHT_SERVER_URL').argParser(
    parseServerOriginFlag,
  );

const plan = defineCommand({
  summary: 'show what a file of workspaces would change on a server',
  description:
    'Compares a file of workspaces and sets of variables with a server, and shows what apply would create and change. No workspace and no set is ever deleted, and what the file leaves out stays. The token is in HOSTWRIGHT_SERVER_TOKEN, and has the role admin.',
  operands: [fileOperand],
  options: [
    serverOption(),
    new Option('--detailed-exitcode', 'exit with 2 if there are changes'),
    jsonOption(),
  ],
  run: async ({ runtime, operands: [file], flags: { server } }: WorkspacesCall) => {
    const { planWorkspacesFile } = await load();
    return planWorkspacesFile(runtime, { file, server });
  },
  text: (result: WorkspacesResult, layout) => renderWorkspacesPlan(result.plan, layout),
  json: renderWorkspacesJson,
  goodCode: ({ plan: { changes } }, { flags }) =>
    flags.detailedExitcode === true && changes.length > 0 ? 2 : 0,
});

const apply = defineCommand({
  summary: 'create and change workspaces of a server by a file',
  description:
    'Shows what a file of workspaces and sets of variables would change on a server, asks, and makes the changes. No workspace and no set is ever deleted, and what the file leaves out stays. After an interruption, run it again: it goes on with what is missing. The token is in HOSTWRIGHT_SERVER_TOKEN, and has the role admin.',
  operands: [fileOperand],
  options: [serverOption(), autoApproveOption(), jsonOption()],
  run: async (call: WorkspacesCall) => {
    const { runtime, reporter, operands, flags, layout } = call;
    const { applyWorkspacesFile } = await load();
    const { stdout, stderr } = runtime;
    const [file] = operands;
    return applyWorkspacesFile(
      runtime,
      { file, server: flags.server },
      {
        approve: (planned) => {
          // Standard output is for the document alone.
          const shown = flags.json === true ? stderr : stdout;
          shown.write(renderWorkspacesPlan(planned, layout));
          return flags.autoApprove === true ? Promise.resolve(true) : ask(call);
        },
        done: (change) => {
          stderr.write(`${renderWorkspacesChangeDone(change)}\n`);
        },
        tell: (diagnostics) => reporter.showDiagnostics(diagnostics),
      },
    );
  },
  text: (result: WorkspacesResult, layout) =>
    result.plan.changes.length === 0
      ? renderWorkspacesPlan(result.plan, layout)
      : renderWorkspacesApplyEnd(result, layout),
  json: renderWorkspacesJson,
  isGood: ({ plan: { changes }, made = [] }) => made.length === changes.length,
});

async function ask({ runtime, flags, layout: { style } }: WorkspacesCall): Promise<boolean> {
  const isApproved = await askForConfirmation(
    runtime,
    `\n${style.bold('Do you want to perform these actions?')}\n  Hostwright will perform the actions described above.\n  Only 'yes' will be accepted to approve.\n\n`,
    { style, stream: flags.json === true ? 'stderr' : 'stdout' },
  );
  if (isApproved) return true;
  if (isApproved === undefined)
    runtime.stderr.write(
      'No answer: standard input has ended. Use --auto-approve to apply without the question.\n',
    );
  runtime.stderr.write('Apply cancelled.\n');
  return false;
}

/** Adds `server plan` and `server apply`. */
export function addWorkspacesCommands(server: Command, context: CommandLineContext): void {
  plan(server, 'plan', context);
  apply(server, 'apply', context);
}
