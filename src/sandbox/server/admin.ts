// The admin port: faults while the sandbox runs. It stands apart from the service's own port, and takes nothing from a
// browser: there is no token here.

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

import { DiagnosticError } from '../../model/errors.ts';
import { readBodyBytes } from './body.ts';
import type { WebConsoleEditOutcome } from '../faults/editor.ts';
import type { InjectedFaultControl } from '../faults/fault-control.ts';
import { FaultScriptError, parseFaultScript } from '../faults/parse-script.ts';
import { readFaultScript } from '../faults/read-script.ts';
import { emptyFaultScript } from '../faults/script.ts';
import { answerWithRefusal } from '../contract/answer.ts';
import { toWebResponse } from './answer-fetch.ts';
import { RequestRefusal } from '../contract/problems.ts';
import { listenOnLoopback } from './serve.ts';

interface AdminServer {
  readonly adminUrl: string;
  close(): Promise<void>;
}

/** Serves the sandbox's admin interface; port 0 chooses a free one. */
export async function serveSandboxAdmin(
  faults: InjectedFaultControl,
  port: number,
): Promise<AdminServer> {
  const app = buildAdmin(faults);
  const listener = await listenOnLoopback(getRequestListener(app.fetch), { port });
  return { adminUrl: listener.origin, close: () => listener.close() };
}

/** Routes of the admin port: the fault script, its replacement, and its events. */
function buildAdmin(faults: InjectedFaultControl): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    // A request with an `Origin` comes from a web page, which must not control the sandbox.
    if (context.req.header('origin') !== undefined) {
      return context.json(problem(403, 'The admin port is not for browsers.'), 403);
    }
    await next();
    return undefined;
  });
  app.get('/faults', (context) => context.json(showScript(faults)));
  app.put('/faults', async (context) => {
    const text = await readText(context.req.raw);
    faults.restart(await readFaultScript(text, 'body', faults.sizes));
    return context.json(showScript(faults));
  });
  app.delete('/faults', (context) => {
    faults.restart(emptyFaultScript);
    return context.body(null, 204);
  });
  app.get('/events', (context) => context.json(faults.events));
  app.post('/edits', async (context) => {
    const { edits } = parseFaultScript({ edits: [parseJson(await readText(context.req.raw))] });
    const outcomes = edits.map((edit) => faults.perform(edit));
    return context.json<readonly WebConsoleEditOutcome[]>(outcomes);
  });
  app.notFound((context) =>
    context.json(problem(404, 'There are /faults, /edits and /events here.'), 404),
  );
  app.onError((error, context) => {
    if (error instanceof DiagnosticError) {
      const errors = error.diagnostics.map(({ summary, detail, source }) => ({
        message: detail ?? summary,
        ...(source && { line: source.line, column: source.column }),
      }));
      return context.json({ ...problem(422, 'The script cannot be meant.'), errors }, 422);
    }
    if (error instanceof RequestRefusal)
      return toWebResponse(answerWithRefusal(error, context.req.path));
    if (error instanceof FaultScriptError || error instanceof SyntaxError) {
      return context.json(problem(422, error.message), 422);
    }
    return context.json(problem(500, 'The sandbox failed.'), 500);
  });
  return app;
}

const readText = async (request: Request): Promise<string> =>
  new TextDecoder().decode(await readBodyBytes(request));

const parseJson = (text: string): unknown => JSON.parse(text);

const problem = (status: number, detail: string) => ({ type: 'about:blank', status, detail });

function showScript({ script, tallies }: InjectedFaultControl) {
  return {
    rules: tallies.map(({ rule, seen, struck }) => ({ ...rule, seen, struck })),
    edits: script.edits,
  };
}
