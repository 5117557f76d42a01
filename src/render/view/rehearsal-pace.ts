// What a rehearsal says of time: which steps decide how long it takes, what is locked, and where the durations are from.
import { nameWork } from '../../kinds/words/describe-underway.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { parseAddress, type Address } from '../../model/address.ts';
import type { HeldResource, PathStep, Rehearsal } from '../../model/plan/rehearsal.ts';
import { formatElapsed, roundSeconds } from '../format/elapsed.ts';
import { formatTime } from '../format/moment.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { kindLabel } from './labels.ts';

/** A path of more steps than twice this is reported by its ends. */
const endSteps = 6;
/** Below this, a second is too long a measure. */
const shortMs = 10_000;

/** The chain from its first to its last step; what takes no time to speak of is left out. */
export function describePath(path: readonly PathStep[]): string {
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
    return `${subject}${nameWork(command)} ${format(endedAt - startedAt)}${waits}`;
  });
  const hidden = steps.length - 2 * endSteps;
  const shown =
    hidden <= 0
      ? steps
      : [...steps.slice(0, endSteps), `… ${hidden} more …`, ...steps.slice(-endSteps)];
  return shown.join(' -> ');
}

/** Addresses of one project are reported without it. */
function shortenAddresses(addresses: readonly Address[]): (address: Address) => string {
  const projects = new Set(addresses.map((address) => parseAddress(address)?.project));
  const [only] = projects;
  const prefix = projects.size === 1 && only !== undefined ? `${only}.` : '';
  return (address) => (address.startsWith(prefix) ? address.slice(prefix.length) : address);
}

/** Who is locked, by what, since when, and until when. */
export function describeHeld({
  address,
  operation,
  since,
  endsAt,
  isEndKnown,
}: HeldResource): string {
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

/** Of how many commands it is known how long they take. */
export function describeDurations({ learned, assumed }: Rehearsal['durations']): string {
  const all = learned.length + assumed.length;
  if (all === 0) return '';
  if (assumed.length === 0) return `learned on this account (all ${countNoun('command', all)})`;
  const names = assumed
    .map((command) => `${kindLabel(commandSubjects[command].kind)} ${nameWork(command)}`)
    .join(', ');
  return learned.length === 0
    ? `assumed for ${names}`
    : `learned on this account (${learned.length} of ${countNoun('command', all)}); assumed for ${names}`;
}
