import type { HttpExchange } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Tells whether `HOSTWRIGHT_LOG` asks for a log. */
export function isRequestLogEnabled(env: Runtime['env']): boolean {
  return !['', 'off', '0'].includes((env.HOSTWRIGHT_LOG ?? '').trim().toLowerCase());
}

/**
 * `HOSTWRIGHT_LOG`: a line on standard error for each request that goes out, every retry too: when, what, how it was
 * answered, and how long that took. Neither headers nor bodies are ever part of it, so no secret is.
 */
export function logRequests(
  { env, stderr, clock }: Pick<Runtime, 'clock' | 'env' | 'stderr'>,
  exchange: HttpExchange,
): HttpExchange {
  if (!isRequestLogEnabled(env)) return exchange;
  return async (request) => {
    const at = clock.now();
    const { pathname, search } = new URL(request.url);
    const tell = (outcome: string) => {
      const time = new Date(at).toISOString();
      const took = `${clock.now() - at} ms`;
      stderr.write(`${time} [DEBUG] ${request.method} ${pathname}${search}: ${outcome}, ${took}\n`);
    };
    try {
      const response = await exchange(request);
      tell(String(response.status));
      return response;
    } catch (error) {
      tell(error instanceof Error ? error.name : 'no answer');
      throw error;
    }
  };
}
