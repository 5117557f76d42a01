import type { Finding } from '../model/diagnostic.ts';
import type { Change } from '../model/plan/plan.ts';
import {
  listWriteToCommands,
  isSecretCreatingChange,
  measureWriteToCommand,
  readSecretDestination,
} from '../model/write-to.ts';
import { listProbes } from '../model/plan/write-probe.ts';
import { locateFinding } from '../model/place-of.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';

/** Most characters of all commands of a plan: a reviewer has to see each of them whole. */
const maxCommands = 16_000;

/** Checks the destinations of secrets that the plan creates: files must be writable, commands must be allowed and shown. */
export const checkSecretDestinations: PlanCheck = (input) => [
  ...input.plan.changes.flatMap((change) => [
    ...checkFile(change, input),
    ...(isSecretCreatingChange(change) ? checkCommand(change, input) : []),
  ]),
  ...checkLength(input),
];

function checkFile({ address }: Change, { unwritable, desired }: PlanCheckInput): Finding[] {
  const problem = unwritable?.get(address);
  if (!problem) return [];
  const { code, file, why: detail, hint } = problem;
  const place = locateFinding(desired.get(address), 'writeTo');
  const summary = `The value of ${address} cannot be written to ${file}`;
  return [{ severity: 'error', code, summary, detail, hint, address, ...place }];
}

/** A command is known when the plan is made: the configuration is refused otherwise. */
function checkCommand(change: Change, { desired, allowsCommands }: PlanCheckInput): Finding[] {
  const { address, after, sensitive } = change;
  if (readSecretDestination(after).command === undefined) return [];
  const where = { address, ...locateFinding(desired.get(address), 'writeTo') };
  const findings: Finding[] = [];
  if (sensitive.includes('writeTo')) {
    findings.push({
      severity: 'error',
      code: 'command-sensitive',
      summary: 'A command of the configuration contains a sensitive value',
      detail: 'A plan shows every command that its apply runs, and no sensitive value.',
      hint: 'Pass the value to the command in its environment or in a file.',
      ...where,
    });
  }
  if (!allowsCommands) {
    findings.push({ severity: 'error', ...commandNotAllowedTexts, ...where });
  }
  return findings;
}

/** Diagnostic about a command of `writeTo` that may not be run without `--allow-commands`. */
export const commandNotAllowedTexts = {
  code: 'command-not-allowed',
  summary: 'The configuration runs a command, which is not allowed',
  detail: 'The command runs on the machine that applies the plan, as the user who applies it.',
  hint: 'Read the command, then add --allow-commands, or set HOSTWRIGHT_ALLOW_COMMANDS=1.',
};

function checkLength({ plan: { changes, tasks } }: PlanCheckInput): Finding[] {
  const probes = listProbes(tasks)
    .filter(({ runsCommand }) => runsCommand)
    .map(({ address, probes: lines }) => ({ address, command: lines.join('\n') }));
  const length = [...listWriteToCommands(changes), ...probes].reduce(
    (sum, one) => sum + measureWriteToCommand(one),
    0,
  );
  if (length <= maxCommands) return [];
  return [
    {
      severity: 'error',
      code: 'commands-too-long',
      summary: `The commands of the plan take ${length} characters, more than the ${maxCommands} that a review shows`,
      hint: 'Put the commands into a script, and name it instead.',
    },
  ];
}
