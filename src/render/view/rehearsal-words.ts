import { nameWork } from '../../kinds/describe-underway.ts';
import { commandSubjects, type CommandName } from '../../model/account/command.ts';
import { parseAddress, type Address } from '../../model/address.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import {
  isWhole,
  type HeldResource,
  type PathStep,
  type Rehearsal,
} from '../../model/plan/rehearsal.ts';
import { formatElapsed, roundSeconds } from '../format/elapsed.ts';
import { formatTime } from '../format/moment.ts';
import { countNoun, kindLabel, quotaLabel } from './labels.ts';

/** One thing that a rehearsal says, under what it is called. Not yet escaped. */
export interface RehearsalLine {
  readonly label: string;
  readonly text: string;
  /** True for what keeps the plan from ending whole, or may. */
  readonly isProblem: boolean;
}

/** What a rehearsal says: in one sentence, and in more. */
export interface RehearsalWords {
  readonly headline: string;
  readonly lines: readonly RehearsalLine[];
  readonly isWhole: boolean;
}

/** So many of each are named; the others are counted. */
const mostNamed = 10;
/** A path of more steps than twice this is told by its ends. */
const endSteps = 6;

/** Puts a rehearsal into words, the same in every form of a plan. */
export function describeRehearsal(rehearsal: Rehearsal): RehearsalWords {
  const problem = (label: string, texts: readonly string[]): RehearsalLine[] =>
    nameSome(texts).map((text) => ({ label, text, isProblem: true }));
  const fact = (label: string, text: string): RehearsalLine[] =>
    text === '' ? [] : [{ label, text, isProblem: false }];
  const { skipped, remaining, findings, held, faults } = rehearsal;
  return {
    headline: describeEnd(rehearsal),
    isWhole: isWhole(rehearsal) && rehearsal.trials?.whole === rehearsal.trials?.count,
    lines: [
      ...problem('Fails', describeFailures(rehearsal)),
      ...problem('Skipped', skipped),
      ...problem('Afterwards', findings.map(explain)),
      ...problem(
        'Left for a second plan',
        remaining.map(({ address, action }) => `${address} (${action})`),
      ),
      ...problem('Locked', held.map(describeHeld)),
      ...fact('Critical path', describePath(rehearsal.path)),
      ...fact('Peak of quotas', describePeaks(rehearsal)),
      ...fact('Faults', faults ?? ''),
      ...fact('Durations', describeDurations(rehearsal.durations)),
      ...fact(
        'Not known',
        'what others change meanwhile, and the room that the cluster will have then',
      ),
    ],
  };
}

function describeEnd(rehearsal: Rehearsal): string {
  const { changes, failures, skipped, remaining, findings, timeline, trials } = rehearsal;
  const all = countNoun('change', changes);
  if (trials) {
    const { whole, count, medianMs, worstMs } = trials;
    const verb = changes === 1 ? 'ends' : 'end';
    return `${all} ${verb} whole in ${whole} of ${count} rehearsals. The median takes ${formatElapsed(medianMs)}, the slowest ${formatElapsed(worstMs)}.`;
  }
  if (changes === 0 && hasErrors(findings)) return 'the plan cannot be begun.';
  const lasts = formatElapsed(timeline.endedAt - timeline.startedAt);
  if (failures.length + skipped.length > 0) {
    const fail = `${failures.length} of ${all} ${failures.length === 1 ? 'fails' : 'fail'}`;
    const skip = skipped.length === 0 ? '' : ` and ${skipped.length} ${are(skipped)} skipped`;
    return `${fail}${skip}. It ends after ${lasts}.`;
  }
  const ends =
    timeline.entries.length === 0
      ? 'the plan sends nothing'
      : `${all} ${changes === 1 ? 'ends' : 'end'} in ${lasts}`;
  if (hasErrors(findings)) return `${ends}, but something is wrong afterwards.`;
  return remaining.length === 0
    ? `${ends}, and a second plan has no changes.`
    : `${ends}, but a second plan has ${countNoun('change', remaining.length)}.`;
}

const are = (some: readonly unknown[]): string => (some.length === 1 ? 'is' : 'are');

function explain({ summary, detail }: { readonly summary: string; readonly detail?: string }) {
  return detail === undefined ? summary : `${summary}. ${detail}`;
}

function describeFailures({ failures, trials }: Rehearsal): readonly string[] {
  if (!trials) {
    return failures.map(
      ({ address, command, diagnostic }) =>
        `${address}${nameCommand(command)}: ${explain(diagnostic)}`,
    );
  }
  return trials.failures.map(
    ({ address, command, count, diagnostic }) =>
      `${address}${nameCommand(command)}, ${count} of ${trials.count} times: ${explain(diagnostic)}`,
  );
}

const nameCommand = (command: CommandName | null): string =>
  command === null ? '' : ` (${nameWork(command)})`;

function nameSome(texts: readonly string[]): readonly string[] {
  if (texts.length <= mostNamed) return texts;
  return [...texts.slice(0, mostNamed), `and ${texts.length - mostNamed} more`];
}

function describeHeld({ address, operation, since, endsAt, isEndKnown }: HeldResource): string {
  const by = operation === null ? '' : ` by ${operation}`;
  const from = since === null ? '' : ` since ${formatTime(since)}`;
  const end = isEndKnown
    ? `It is expected to end at ${formatTime(endsAt)}.`
    : since === null
      ? 'Since when is not known, so its end is a guess.'
      : 'That is longer than usual, so its end is not known.';
  return `${address} is locked${by}${from}. ${end}`;
}

/** The chain from its first to its last step; what takes no second is left out. */
function describePath(path: readonly PathStep[]): string {
  const told = path.filter(
    ({ startedAt, endedAt, waitedMs }) => roundSeconds(endedAt - startedAt + waitedMs) > 0,
  );
  const name = shortenAddresses(told.map(({ address }) => address));
  const steps = told.map(({ address, command, startedAt, endedAt, waitedMs }, index) => {
    const isSame = told[index - 1]?.address === address;
    const waits = roundSeconds(waitedMs) > 0 ? ` after ${formatElapsed(waitedMs)} of waiting` : '';
    const subject = isSame ? '' : `${name(address)} `;
    return `${subject}${nameWork(command)} ${formatElapsed(endedAt - startedAt)}${waits}`;
  });
  const hidden = steps.length - 2 * endSteps;
  const shown =
    hidden <= 0
      ? steps
      : [...steps.slice(0, endSteps), `… ${hidden} more …`, ...steps.slice(-endSteps)];
  return shown.join(' -> ');
}

/** Addresses of one project are told without it. */
function shortenAddresses(addresses: readonly Address[]): (address: Address) => string {
  const projects = new Set(addresses.map((address) => parseAddress(address)?.project));
  const [only] = projects;
  const prefix = projects.size === 1 && only !== undefined ? `${only}.` : '';
  return (address) => (address.startsWith(prefix) ? address.slice(prefix.length) : address);
}

function describePeaks({ quotas }: Rehearsal): string {
  return quotas
    .map(({ name, peak, limit }) => `${quotaLabel(name)} ${peak} of ${limit}`)
    .join(', ');
}

function describeDurations({ learned, assumed }: Rehearsal['durations']): string {
  const all = learned.length + assumed.length;
  if (all === 0) return '';
  const counted = countNoun('command', all);
  if (assumed.length === 0) return `learned on this account (all of ${counted})`;
  const names = assumed
    .map((command) => `${kindLabel(commandSubjects[command].kind)} ${nameWork(command)}`)
    .join(', ');
  return learned.length === 0
    ? `assumed for ${names}`
    : `learned on this account (${learned.length} of ${counted}); assumed for ${names}`;
}
