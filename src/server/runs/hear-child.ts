// A worker's end of the pipe to the process of a run, which asks for requests and says how far it is. One JSON object a line.
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { RequestServer, type ServeRequests } from '../accounts/serve-requests.ts';
import type { StepWriter } from '../progress/step-writer.ts';

/** What hearing needs. */
export interface HearChild extends ServeRequests {
  readonly steps: Pick<StepWriter, 'begin' | 'note'>;
}

/** What the process says of an apply. */
interface SaidOfSteps {
  /** How many it has. */
  readonly steps?: unknown;
  /** One of them that began or ended. */
  readonly step?: unknown;
}

/** Hears one process until its pipe closes. */
export async function hearChild(pipe: Duplex, means: HearChild): Promise<void> {
  const ended = new AbortController();
  const requests = new RequestServer(pipe, means, ended.signal);
  pipe.on('error', () => undefined);
  try {
    for await (const line of createInterface({ input: pipe, crlfDelay: Infinity })) {
      const said = parse(line);
      const { steps, step }: SaidOfSteps = said;
      if (steps !== undefined) means.steps.begin(steps);
      else if (step !== undefined) means.steps.note(step);
      else requests.hear(said);
    }
  } catch {
    // A process that is killed breaks its pipe.
  } finally {
    ended.abort();
    await requests.finish();
  }
}

function parse(line: string): object {
  try {
    const said: unknown = JSON.parse(line);
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    return {};
  }
}
