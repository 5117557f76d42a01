// A worker's end of the pipe to the process of a run, which asks for requests and says how far it is. One JSON object a line.
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { RequestServer, type ServeRequests } from '../accounts/serve-requests.ts';
import type { Statement, StatementAnswer } from '../../state/backends/postgres/state-statements.ts';
import { readStatement, type AskedStatement } from '../states/serve-statements.ts';
import type { StepWriter } from './step-writer.ts';

/** Dependencies of hearing the process of a run. */
export interface HearChild extends ServeRequests {
  readonly steps: Pick<StepWriter, 'begin' | 'note'>;
  /** Does a statement about the state of the workspace. */
  readonly answerState: (asked: Statement) => Promise<StatementAnswer>;
}

/** A message of the process, but for its requests. */
interface Said {
  /** Number of steps of the apply. */
  readonly steps?: unknown;
  /** One of them that began or ended. */
  readonly step?: unknown;
  /** A statement about its state. */
  readonly state?: unknown;
}

/** Hears one process until its pipe closes. */
export async function hearChild(pipe: Duplex, means: HearChild): Promise<void> {
  const ended = new AbortController();
  const requests = new RequestServer(pipe, means, ended.signal);
  pipe.on('error', () => undefined);
  try {
    for await (const line of createInterface({ input: pipe, crlfDelay: Infinity })) {
      const said = parse(line);
      const { steps, step, state }: Said = said;
      const asked = state === undefined ? undefined : readStatement(state);
      if (steps !== undefined) means.steps.begin(steps);
      else if (step !== undefined) means.steps.note(step);
      else if (asked) void answer(pipe, asked, means);
      else requests.hear(said);
    }
  } catch {
    // A process that is killed breaks its pipe.
  } finally {
    ended.abort();
    await requests.finish();
  }
}

/** A process that has ended reads no answer; what it wrote is kept by the epoch of its lock from being too late. */
async function answer(
  pipe: Duplex,
  { id, ...asked }: AskedStatement,
  { answerState }: Pick<HearChild, 'answerState'>,
): Promise<void> {
  const answered = await answerState(asked);
  if (pipe.writable) pipe.write(`${JSON.stringify({ state: { id, ...answered } })}\n`);
}

function parse(line: string): object {
  try {
    const said: unknown = JSON.parse(line);
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    return {};
  }
}
