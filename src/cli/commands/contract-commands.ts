import { Option, type Command } from 'commander';
import type { JourneyReporter } from '../../commands/journey/journey-reporter.ts';
import { hasJourneySucceeded } from '../../model/account/journey.ts';
import {
  renderContractJourneyJson,
  renderContractJourneyNeeds,
  renderContractJourneyReport,
  renderContractJourneyStep,
} from '../../render/account/journey-text.ts';
import {
  isContractCheckPassed,
  renderBoundContract,
  renderCheckedContract,
  renderContract,
  renderProbedContract,
} from '../../render/account/contract-text.ts';
import { formatElapsed } from '../../render/format/elapsed.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, defineCommandGroup, type CommandLineCall } from '../define-command.ts';
import { jsonOption, lockTimeoutOption } from '../flags/options.ts';
import { repeatEvery } from '../output/repeat.ts';

/** The interval of the lines about a step that goes on, in milliseconds. */
const stillEveryMs = 10_000;

interface JsonFlag {
  readonly json?: boolean;
}

interface JourneyFlags {
  readonly yes?: string;
  readonly project: string;
  readonly lockTimeout: number;
  readonly json?: boolean;
}

type JourneyCall = CommandLineCall<[string], JourneyFlags>;

const journey = defineCommand({
  summary: 'try every command once on a real account, then remove everything again',
  description:
    'The acceptance test on a real account. Says what it orders, what that costs, and which quotas and scopes it needs; then it asks. In a project of its own, with a state of its own beside that of the workspace, it creates an SSH key, a network, a public IP, a port forward and the smallest VM, tries each command once, looks at the account after each, and removes everything. Notes beside the contract file which operations work, for contract show. After a kill, run it again: it first removes what is left. Exits with 1 when an operation differs from the contract, or something is left.',
  operands: [['[dir]', 'directory of the configuration', '.']],
  options: [
    new Option('--yes <sum>', 'order without asking, for this sum alone, e.g. "0.01 EUR"'),
    new Option('--project <name>', 'name of the project that it creates').default(
      'hostwright-journey',
    ),
    lockTimeoutOption(),
    jsonOption(),
  ],
  run: async (call: JourneyCall) => {
    const { runtime, operands, flags } = call;
    const { runJourney: takeJourney } = await import('../../commands/journey/journey.ts');
    const [directory] = operands;
    const { yes: approvedSum, project, lockTimeout: lockTimeoutMs } = flags;
    const { reporter, stop } = reportJourney(call);
    try {
      const options = { directory, approvedSum, project, lockTimeoutMs };
      return await takeJourney(runtime, options, reporter);
    } finally {
      stop();
    }
  },
  text: renderContractJourneyReport,
  json: renderContractJourneyJson,
  isGood: hasJourneySucceeded,
});

/** Shows a journey while it goes on: on standard output, unless that is for programs. */
function reportJourney({ runtime, reporter, flags, layout }: JourneyCall) {
  const { clock, stdout, stderr } = runtime;
  const sink = flags.json ? stderr : stdout;
  let stop = () => {};
  const journeyReporter: JourneyReporter = {
    showDiagnostics: (diagnostics) => reporter.showDiagnostics(diagnostics),
    confirm: (question) => reporter.confirm(question),
    showOrder: (order) => sink.write(renderContractJourneyNeeds(order, layout)),
    startStep(title) {
      stop();
      const startedAt = clock.now();
      stop = repeatEvery(clock, stillEveryMs, () => {
        const elapsed = clock.now() - startedAt;
        if (elapsed >= stillEveryMs) {
          stderr.write(`${title}: still running... [${formatElapsed(elapsed)} elapsed]\n`);
        }
      });
    },
    showStep(step) {
      stop();
      sink.write(renderContractJourneyStep(step, layout));
    },
  };
  return { reporter: journeyReporter, stop: () => stop() };
}

const directoryOperand = ['[dir]', 'directory of the configuration', '.'] as const;

interface BindFlags extends JsonFlag {
  readonly out: string;
  readonly overlay?: string;
}

const bind = defineCommand({
  summary: 'write the contract file of a service from its OpenAPI document',
  description:
    'Derives from the OpenAPI document of a service (3.0, 3.1 or Swagger 2; JSON or YAML) how it spells the contract, and writes the contract file. Shows what is the same as in the contract, what otherwise, what the service lacks, and what is open: nothing is guessed. Lines and comments that stand in the file are kept, so that a question is answered once. Exits with 2 when lines are open.',
  operands: [['<document>', 'the OpenAPI document']],
  options: [
    new Option('--out <file>', 'the contract file').default('hosting.contract.yaml'),
    new Option('--overlay <file>', 'an OpenAPI Overlay that corrects the document'),
    jsonOption(),
  ],
  run: async ({ runtime, operands: [document], flags }: CommandLineCall<[string], BindFlags>) => {
    const { bindContract } = await import('../../commands/contract/bind-contract.ts');
    const { out, overlay } = flags;
    return bindContract(runtime, { document, out, ...(overlay !== undefined && { overlay }) });
  },
  text: renderBoundContract,
  json: (bound) => ({ format_version: '1.0', ...bound }),
  isGood: ({ diagnostics }) => diagnostics.length === 0,
  goodCode: ({ questions, required }) => (questions.length + required.length > 0 ? 2 : 0),
});

const probe = defineCommand({
  summary: 'write a contract file for a service without a document',
  description:
    'Looks for the lists of the contract at its own paths and at near ones, by at most 60 reads, and writes down what can be seen: paths, envelopes, members. What reads cannot show is left open. Changes nothing.',
  operands: [directoryOperand],
  options: [
    new Option('--out <file>', 'the contract file').default('hosting.contract.yaml'),
    jsonOption(),
  ],
  run: async (call: CommandLineCall<[string], BindFlags>) => {
    const { runtime, reporter, operands, flags } = call;
    const { probeContract } = await import('../../commands/contract/probe-contract.ts');
    const [directory] = operands;
    return probeContract(runtime, { directory, out: flags.out }, reporter);
  },
  text: renderProbedContract,
  json: (probed) => ({ format_version: '1.0', ...probed }),
  goodCode: ({ open }) => (open.length > 0 ? 2 : 0),
});

const show = defineCommand({
  summary: 'show how the service spells the contract, and how well that is known',
  description:
    'Shows the contract file of the configuration line by line: what is the same as in the contract, what otherwise, what the service lacks, and what is open. Each line says how well it is known: the interface specification states it (specified), public documentation does (published), nothing does (assumed), the document of the service does (confirmed), or an answer of the account had it (observed). Asks nothing of the service.',
  operands: [directoryOperand],
  options: [jsonOption()],
  run: async ({
    runtime,
    reporter,
    operands: [directory],
  }: CommandLineCall<[string], JsonFlag>) => {
    const { showContract } = await import('../../commands/contract/show-contract.ts');
    return showContract(runtime, directory, reporter);
  },
  text: renderContract,
  json: (shown) => ({ format_version: '1.0', ...shown }),
});

const check = defineCommand({
  summary: 'hold the contract file against its document and against the account',
  description:
    'Holds the contract file against the document that it was made from, and the account, by reads alone: one list of each kind, what it leaves untold, and what is of another type. Notes beside the file which lines the answers had, for contract show. Exits with 1 when something does not fit.',
  operands: [directoryOperand],
  options: [jsonOption()],
  run: async ({
    runtime,
    reporter,
    operands: [directory],
  }: CommandLineCall<[string], JsonFlag>) => {
    const { checkContract } = await import('../../commands/contract/check-contract.ts');
    return checkContract(runtime, directory, reporter);
  },
  text: renderCheckedContract,
  json: (checked) => ({ format_version: '1.0', ...checked }),
  isGood: isContractCheckPassed,
});

/** The commands of `contract`. */
const contract = defineCommandGroup(
  {
    summary: 'find out how a service differs from the contract',
    description: 'Finds out how a service differs from the contract that Hostwright speaks.',
  },
  { bind, probe, check, show, journey },
);

/** `contract`. */
export const addContractCommands = (program: Command, context: CommandLineContext): void =>
  contract(program, 'contract', context);
