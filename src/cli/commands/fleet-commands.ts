import { Option, type Command } from 'commander';
import type { FleetResult } from '../../model/fleet/fleet-plan.ts';
import {
  renderFleetChangeDone,
  renderFleetEnd,
  renderFleetJson,
  renderFleetPlan,
} from '../../render/fleet/fleet-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, type CommandCall } from '../define-command.ts';
import { autoApproveOption, jsonOption, parseServerOriginFlag } from '../flags/options.ts';
import { askForYes } from '../output/ask-for-yes.ts';

interface FleetFlags {
  readonly server?: string;
  readonly detailedExitcode?: boolean;
  readonly autoApprove?: boolean;
  readonly json?: boolean;
}

type FleetCall = CommandCall<[string], FleetFlags>;

const load = () => import('../../commands/fleet/fleet.ts');

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
  run: async ({ runtime, operands: [file], flags: { server } }: FleetCall) => {
    const { planWorkspaces } = await load();
    return planWorkspaces(runtime, { file, server });
  },
  text: (result: FleetResult, layout) => renderFleetPlan(result.plan, layout),
  json: renderFleetJson,
  goodCode: ({ plan: { changes } }, { flags }) =>
    flags.detailedExitcode === true && changes.length > 0 ? 2 : 0,
});

const apply = defineCommand({
  summary: 'create and change workspaces of a server by a file',
  description:
    'Shows what a file of workspaces and sets of variables would change on a server, asks, and makes the changes. No workspace and no set is ever deleted, and what the file leaves out stays. After an interruption, run it again: it goes on with what is missing. The token is in HOSTWRIGHT_SERVER_TOKEN, and has the role admin.',
  operands: [fileOperand],
  options: [serverOption(), autoApproveOption(), jsonOption()],
  run: async (call: FleetCall) => {
    const { runtime, reporter, operands, flags, layout } = call;
    const { applyWorkspaces } = await load();
    const { stdout, stderr } = runtime;
    const [file] = operands;
    return applyWorkspaces(
      runtime,
      { file, server: flags.server },
      {
        approve: (planned) => {
          // Standard output is for the document alone.
          const shown = flags.json === true ? stderr : stdout;
          shown.write(renderFleetPlan(planned, layout));
          return flags.autoApprove === true ? Promise.resolve(true) : ask(call);
        },
        done: (change) => {
          stderr.write(`${renderFleetChangeDone(change)}\n`);
        },
        tell: (diagnostics) => reporter.showDiagnostics(diagnostics),
      },
    );
  },
  text: (result: FleetResult, layout) =>
    result.plan.changes.length === 0
      ? renderFleetPlan(result.plan, layout)
      : renderFleetEnd(result, layout),
  json: renderFleetJson,
  isGood: ({ plan: { changes }, made = [] }) => made.length === changes.length,
});

async function ask({ runtime, flags, layout: { style } }: FleetCall): Promise<boolean> {
  const isApproved = await askForYes(
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
export function addFleetCommands(server: Command, context: CommandLineContext): void {
  plan(server, 'plan', context);
  apply(server, 'apply', context);
}
