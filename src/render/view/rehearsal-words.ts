import { nameWork } from '../../kinds/words/describe-underway.ts';
import type { CommandName } from '../../model/account/command.ts';
import type { Address } from '../../model/address.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import { isWhole, type Rehearsal, type RehearsedFailure } from '../../model/plan/rehearsal.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { leastFolded } from './fold-changes.ts';
import { joinAddresses } from './instance-texts.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { quotaLabel } from './labels.ts';
import { describeDurations, describeHeld, describePath } from './rehearsal-pace.ts';

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

const notKnown = 'what others change meanwhile, and how much room the cluster will have';

/** Puts a rehearsal into words, the same in every form of a plan. */
export function describeRehearsal(rehearsal: Rehearsal): RehearsalWords {
  const { skipped, remaining, findings, held, faults, trials, failures } = rehearsal;
  const problem = (label: string, texts: readonly string[]): RehearsalLine[] =>
    texts.map((text) => ({ label, text, isProblem: true }));
  const fact = (label: string, text: string): RehearsalLine[] =>
    text === '' ? [] : [{ label, text, isProblem: false }];
  const told = trials?.failures ?? failures;
  return {
    headline: describeEnd(rehearsal),
    isWhole: isWhole(rehearsal) && trials?.whole === trials?.count,
    lines: [
      ...problem('Fails', nameSome(told.filter(isCause).map(describeFailure(trials?.count)))),
      ...problem(
        'Left unfinished',
        listAddresses(addressesOf(told.filter((one) => !isCause(one)))),
      ),
      ...problem('Skipped', listAddresses(skipped)),
      ...problem('Afterwards', nameSome(findings.map(explain))),
      ...problem('Left for a second plan', describeRemaining(remaining)),
      ...problem('Locked', nameSome(held.map(describeHeld))),
      ...fact('Critical path', describePath(rehearsal.path)),
      ...fact('Peak of quotas', describePeaks(rehearsal)),
      ...fact('Faults', faults ?? ''),
      ...fact('Durations', describeDurations(rehearsal.durations)),
      ...fact('Not known', notKnown),
    ],
  };
}

function describeEnd(rehearsal: Rehearsal): string {
  const { changes, failures, skipped, remaining, findings, timeline, trials } = rehearsal;
  const all = countNoun('change', changes);
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
    : `${ends}, but a second plan has ${countNoun('change', remaining.length)}.`;
}

/** False for what was begun and could not go on, since something else had failed. */
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
  command === null ? '' : ` (${nameWork(command)})`;

function explain({ summary, detail }: Diagnostic): string {
  return detail === undefined ? summary : `${summary}. ${detail}`;
}

const addressesOf = (some: readonly { readonly address: Address }[]): readonly Address[] =>
  some.map(({ address }) => address);

function nameSome(texts: readonly string[]): readonly string[] {
  if (texts.length <= mostNamed) return texts;
  return [...texts.slice(0, mostNamed), `and ${texts.length - mostNamed} more`];
}

/** Addresses in one text, those of many instances as one; none where there are none. */
function listAddresses(addresses: readonly Address[]): readonly string[] {
  if (addresses.length === 0) return [];
  return [nameSome(joinAddresses(addresses, leastFolded).map(({ address }) => address)).join(', ')];
}

function describeRemaining(remaining: Rehearsal['remaining']): readonly string[] {
  return [...groupBy(remaining, ({ action }) => action)].flatMap(([action, some]) =>
    listAddresses(addressesOf(some)).map((text) => `${action} ${text}`),
  );
}

function describePeaks({ quotas }: Rehearsal): string {
  return quotas
    .map(({ name, peak, limit }) => `${quotaLabel(name)} ${peak} of ${limit}`)
    .join(', ');
}
