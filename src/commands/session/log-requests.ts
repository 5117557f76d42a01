import type { HttpExchange } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Tells whether `HOSTWRIGHT_LOG` asks for a log of the requests to the service. */
export function isRequestLogEnabled(env: Runtime['env']): boolean {
  return !['', 'off', '0'].includes((env.HOSTWRIGHT_LOG ?? '').trim().toLowerCase());
}

/**
 * Logs each attempt of a request on standard error, for `HOSTWRIGHT_LOG`: time, method, path, answer and duration. Headers and
 * bodies are left out, and with them all secrets.
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
