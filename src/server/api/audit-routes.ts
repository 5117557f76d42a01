// The audit log, for export and for reading: JSON Lines, an entry each.
import type { Hono } from 'hono';
import { readAudit } from '../audit/audit-log.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { ApiEnvironment, ApiMeans } from './api-means.ts';
import { Problem } from '../errors/problem.ts';

const most = 1_000;

/** Adds the route. */
export function addAudit(app: Hono<ApiEnvironment>, { store, stopping }: ApiMeans): void {
  app.get('/api/v1/audit', async (context) => {
    const read = (name: string) => readNumber(name, context.req.query(name));
    const [after, before, newest] = [read('after'), read('before'), read('newest')];
    if (newest !== undefined && (newest < 1 || newest > most))
      throw new Problem(422, `newest is a whole number from 1 to ${most}`);
    const range = {
      ...(after !== undefined && { after }),
      ...(before !== undefined && { before }),
    };
    const entries =
      newest === undefined
        ? readAudit(store.audit, after ?? 0)
        : await store.audit.list({ ...range, limit: newest, isNewestFirst: true });
    const stream = ReadableStream.from(writeLines(entries, stopping));
    return new Response(stream.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'application/jsonl; charset=utf-8' },
    });
  });
}

/** A line at a time: whoever reads slowly does not fill the memory. */
async function* writeLines(
  entries: AsyncIterable<AuditEntry> | Iterable<AuditEntry>,
  stopping: AbortSignal,
): AsyncGenerator<string> {
  for await (const entry of entries) {
    if (stopping.aborted) return;
    yield `${JSON.stringify(entry)}\n`;
  }
}

function readNumber(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d{1,15}$/.test(given)) throw new Problem(422, `${name} is a whole number`);
  return Number(given);
}
