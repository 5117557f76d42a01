import { nameCommandWork } from '../../kinds/words/describe-underway.ts';
import { type CommandName, commandSubjects } from '../../model/account/command.ts';
import { type ResourceAddress, parseResourceAddress } from '../../model/address.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import {
  haveAllRehearsalsSucceeded,
  type Rehearsal,
  type RehearsedFailure,
  type RehearsedInjectedFault,
  type BusyPlannedResource,
  type CriticalPathStep,
} from '../../model/plan/rehearsal.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatElapsed, roundSeconds } from '../format/elapsed.ts';
import { formatTime } from '../format/moment.ts';
import { minFoldedInstances } from './fold-instances.ts';
import { joinAddresses } from './instance-texts.ts';
import { formatQuotaLabel, formatKindLabel } from './labels.ts';

/** One result of a rehearsal, under its label. Not yet escaped. */
export interface RehearsalLine {
  readonly label: string;
  readonly text: string;
  /** Set for a problem that keeps the plan from ending whole, or may. */
  readonly isProblem: boolean;
}

/** Result of a rehearsal: one sentence, and lines with details. */
export interface RehearsalWords {
  readonly headline: string;
  readonly lines: readonly RehearsalLine[];
  readonly isWhole: boolean;
}

/** Most addresses or names in a list; further ones are counted. */
const mostNamed = 10;

const notKnown =
  'what others change meanwhile, how much room the cluster will have, and how large new networks are';

/** Puts a rehearsal into words, the same in every form of a plan. */
export function describeRehearsal(rehearsal: Rehearsal): RehearsalWords {
  const { skipped, remaining, findings, held, faults, trials, failures, doubts, undecided } =
    rehearsal;
  const problem = (label: string, texts: readonly string[]): RehearsalLine[] =>
    texts.map((text) => ({ label, text, isProblem: true }));
  const fact = (label: string, text: string): RehearsalLine[] =>
    text === '' ? [] : [{ label, text, isProblem: false }];
  const told = trials?.failures ?? failures;
  return {
    headline: describeRefusal(rehearsal) + describeEnd(rehearsal) + countIdle(faults),
    isWhole: haveAllRehearsalsSucceeded(rehearsal),
    lines: [
      ...problem('Never happened', nameSome(listIdle(faults).map(explainIdle))),
      ...problem('Fails', nameSome(told.filter(isCause).map(describeFailure(trials?.count)))),
      ...problem('May fail', nameSome(doubts.map(explain))),
      ...problem(
        'Left unfinished',
        listAddresses(addressesOf(told.filter((one) => !isCause(one)))),
      ),
      ...problem('Skipped', listAddresses(skipped)),
      ...problem('Afterwards', nameSome(findings.map(explain))),
      ...problem('Left for a second plan', describeRemaining(remaining)),
      ...problem('Locked', nameSome(held.map(describeHeld))),
      ...fact('Not judged', describeUndecided(undecided)),
      ...fact('Critical path', describePath(rehearsal.path)),
      ...fact('Peak of quotas', describePeaks(rehearsal)),
      ...fact('Faults', describeFaults(faults)),
      ...fact('Durations', describeDurations(rehearsal.durations)),
      ...fact('Not known', notKnown),
    ],
  };
}

/** An apply refuses a plan that has errors: the end of its rehearsal is then no more than a supposition. */
function describeRefusal(rehearsal: Rehearsal): string {
  const { errors } = rehearsal;
  if (errors === 0) return '';
  const without = errors === 1 ? 'Without its error' : `Without its ${errors} errors`;
  const lead = haveAllRehearsalsSucceeded({ ...rehearsal, errors: 0 })
    ? without
    : 'Carried out all the same';
  return `this plan cannot be applied. ${lead}, `;
}

function describeEnd(rehearsal: Rehearsal): string {
  const { changes, failures, skipped, remaining, findings, timeline, trials } = rehearsal;
  const all = formatCountWithNoun('change', changes);
  const end = changes === 1 ? 'ends' : 'end';
  if (trials) {
    const { whole, count, medianMs, worstMs } = trials;
    return `${all} ${end} whole in ${whole} of ${count} rehearsals. The median takes ${formatElapsed(medianMs)}, the slowest ${formatElapsed(worstMs)}.`;
  }
  if (changes === 0 && hasErrors(findings)) return 'the plan cannot start.';
  const lasts = formatElapsed(timeline.endedAt - timeline.startedAt);
  if (failures.length + skipped.length > 0) {
    const fail = `${failures.length} of ${all} ${failures.length === 1 ? 'fails' : 'fail'}`;
    const skip =
      skipped.length === 0
        ? ''
        : ` and ${skipped.length} ${skipped.length === 1 ? 'is' : 'are'} skipped`;
    return `${fail}${skip}. It ends after ${lasts}.`;
  }
  const ends =
    timeline.entries.length === 0 ? 'the plan sends nothing' : `${all} ${end} in ${lasts}`;
  if (hasErrors(findings)) return `${ends}, but something is wrong afterwards.`;
  return remaining.length === 0
    ? `${ends}, and a second plan has no changes.`
    : `${ends}, but a second plan has ${formatCountWithNoun('change', remaining.length)}.`;
}

/** Tells whether a failure is a cause, and no mere consequence of another failure. */
function isCause({ diagnostic: { code } }: RehearsedFailure): boolean {
  return code !== 'needed-failed';
}

type Told = RehearsedFailure & { readonly count?: number };

function describeFailure(times: number | undefined) {
  return ({ address, command, count, diagnostic }: Told): string => {
    const often = times === undefined ? '' : `, ${count ?? 0} of ${times} times`;
    return `${address}${nameCommand(command)}${often}: ${explain(diagnostic)}`;
  };
}

const nameCommand = (command: CommandName | null): string =>
  command === null ? '' : ` (${nameCommandWork(command)})`;

function explain({ summary, detail }: Diagnostic): string {
  return detail === undefined ? summary : `${summary}. ${detail}`;
}

const addressesOf = (
  some: readonly { readonly address: ResourceAddress }[],
): readonly ResourceAddress[] => some.map(({ address }) => address);

function nameSome(texts: readonly string[]): readonly string[] {
  if (texts.length <= mostNamed) return texts;
  return [...texts.slice(0, mostNamed), `and ${texts.length - mostNamed} more`];
}

/** Addresses in one text, instances joined; nothing for an empty list. */
function listAddresses(addresses: readonly ResourceAddress[]): readonly string[] {
  if (addresses.length === 0) return [];
  return [
    nameSome(joinAddresses(addresses, minFoldedInstances).map(({ address }) => address)).join(', '),
  ];
}

function describeRemaining(remaining: Rehearsal['remaining']): readonly string[] {
  return [...groupBy(remaining, ({ action }) => action)].flatMap(([action, some]) =>
    listAddresses(addressesOf(some)).map((text) => `${action} ${text}`),
  );
}

function describePeaks({ quotas }: Rehearsal): string {
  return quotas
    .map(({ name, peak, limit }) => `${formatQuotaLabel(name)} ${peak} of ${limit}`)
    .join(', ');
}

/** Steps that are shown at each end of a long critical path; those between are counted. */
const endSteps = 6;
/** Length of a critical path, in milliseconds, below which times show tenths of a second. */
const shortMs = 10_000;

/** The critical path from its first to its last step, without the steps that take no time to speak of. */
function describePath(path: readonly CriticalPathStep[]): string {
  const total = (path.at(-1)?.endedAt ?? 0) - (path[0]?.startedAt ?? 0);
  const format = (ms: number) =>
    total < shortMs ? `${(ms / 1_000).toFixed(1)}s` : formatElapsed(ms);
  const isLong = (ms: number) => !/^0(?:\.0)?s$/.test(format(ms));
  const told = path.filter(({ startedAt, endedAt }) => isLong(endedAt - startedAt));
  const name = shortenAddresses(told.map(({ address }) => address));
  const steps = told.map(({ address, command, startedAt, endedAt, waitedMs }, index) => {
    const isSame = told[index - 1]?.address === address;
    const waits = roundSeconds(waitedMs) > 0 ? ` after ${format(waitedMs)} of waiting` : '';
    const subject = isSame ? '' : `${name(address)} `;
    return `${subject}${nameCommandWork(command)} ${format(endedAt - startedAt)}${waits}`;
  });
  const hidden = steps.length - 2 * endSteps;
  const shown =
    hidden <= 0
      ? steps
      : [...steps.slice(0, endSteps), `… ${hidden} more …`, ...steps.slice(-endSteps)];
  return shown.join(' -> ');
}

/** Shortens addresses by their project, where all have the same. */
function shortenAddresses(
  addresses: readonly ResourceAddress[],
): (address: ResourceAddress) => string {
  const projects = new Set(addresses.map((address) => parseResourceAddress(address)?.project));
  const [only] = projects;
  const prefix = projects.size === 1 && only !== undefined ? `${only}.` : '';
  return (address) => (address.startsWith(prefix) ? address.slice(prefix.length) : address);
}

/** Resource that is locked, the operation behind the lock, and the times of its start and end. */
function describeHeld({
  address,
  operation,
  since,
  endsAt,
  isEndKnown,
}: BusyPlannedResource): string {
  const by = operation === null ? '' : ` by ${operation}`;
  const from = since === null ? '' : ` since ${formatTime(since)}`;
  return `${address} is locked${by}${from}. ${describeLockEnd(since, endsAt, isEndKnown)}`;
}

function describeLockEnd(since: number | null, endsAt: number, isEndKnown: boolean): string {
  if (isEndKnown) return `It is expected to end at ${formatTime(endsAt)}.`;
  return since === null
    ? 'No record has its start, so its end is unknown.'
    : 'That is longer than usual, so its end is unknown.';
}

type Faults = Rehearsal['faults'];

/** Faults of the script that never happened: the rehearsal passed without them. */
const listIdle = (faults: Faults): readonly RehearsedInjectedFault[] =>
  faults?.each.filter(({ count }) => count === 0) ?? [];

const explainIdle = ({ name, why }: RehearsedInjectedFault): string =>
  why === undefined ? name : `${name}: ${why}`;

/** Sentence behind the headline about faults that did not happen; empty where every fault did. */
function countIdle(faults: Faults): string {
  const idle = listIdle(faults).length;
  if (idle === 0) return '';
  return ` ${idle} of ${formatCountWithNoun('fault', faults?.each.length ?? 0)} never happened.`;
}

/** The file with the faults, and how often each fault happened. */
function describeFaults(faults: Faults): string {
  if (!faults) return '';
  const counts = faults.each.map(({ name, count }) =>
    count === 0 ? `${name} never` : `${name} ${formatCountWithNoun('time', count)}`,
  );
  return [faults.file, nameSome(counts).join(', ')].filter((text) => text !== '').join(': ');
}

/** Lists checks that could not be decided in a rehearsal, with the reason. */
function describeUndecided(names: readonly string[]): string {
  if (names.length === 0) return '';
  const [check, read] = names.length === 1 ? ['check', 'reads'] : ['checks', 'read'];
  return `${check} ${nameSome(names).join(', ')}, which ${read} what the service assigns`;
}

/** Share of the commands whose duration was learned from earlier runs. */
function describeDurations({ learned, assumed }: Rehearsal['durations']): string {
  const all = learned.length + assumed.length;
  if (all === 0) return '';
  if (assumed.length === 0)
    return `learned on this account (all ${formatCountWithNoun('command', all)})`;
  const names = assumed
    .map(
      (command) => `${formatKindLabel(commandSubjects[command].kind)} ${nameCommandWork(command)}`,
    )
    .join(', ');
  return learned.length === 0
    ? `assumed for ${names}`
    : `learned on this account (${learned.length} of ${formatCountWithNoun('command', all)}); assumed for ${names}`;
}
