// The API of a server as a command calls it, from another machine.
import { DiagnosticError } from '../../model/errors.ts';
import { isJsonObject } from '../../model/json-object.ts';
import type { Runtime } from '../../model/runtime.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { isUnencryptedAddress } from '../session/locate-service.ts';
import { logRequests } from '../session/log-requests.ts';

const urlVariable = 'HOSTWRIGHT_SERVER_URL';
const tokenVariable = 'HOSTWRIGHT_SERVER_TOKEN';
const answerMs = 60_000;
const largestBytes = 64 * 1024 * 1024;
const mostConnections = 4;

/** Members of the runtime that are needed to send requests to a team server. */
export type TeamServerRuntime = Pick<
  Runtime,
  'env' | 'clock' | 'stderr' | 'openNetwork' | 'allowsPlainHttp'
>;

/** Error for a request that the team server refuses. */
export class TeamServerRefusal extends Error {
  override readonly name = 'TeamServerRefusal';
  readonly status: number;
  readonly detail: string | undefined;

  constructor(status: number, title: string, detail: string | undefined) {
    super(title);
    this.status = status;
    this.detail = detail;
  }

  /** Tells whether the server refused this request for its content, so that another request may succeed. */
  get isOfRequest(): boolean {
    return ![401, 403, 429].includes(this.status);
  }

  /** Hint for the user about what to do about the refusal. */
  get hint(): string {
    if (this.status === 401)
      return `Set ${tokenVariable} to a token that is neither revoked nor expired.`;
    if (this.status === 403) return 'Use a token with the role admin for all workspaces.';
    if (this.status === 429) return 'Wait a minute, and run the command again.';
    if (this.status === 404)
      return 'Run the command again: somebody has removed it since the plan was made.';
    return 'Correct the file, and run the command again: it goes on with what is missing.';
  }
}

/** Client of a team server's API. */
export interface TeamServerClient {
  /** Reads, and changes nothing; `asked` is the question where there is one. @throws TeamServerRefusal, DiagnosticError where nothing answers */
  read<T>(path: string, asked?: object): Promise<T>;
  /** @throws TeamServerRefusal, DiagnosticError where nothing answers: the change may be made then */
  change<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<T>;
  close(): void;
}

/**
 * Opens a client of the team server at an address, or at the one in the environment.
 * @throws DiagnosticError `server-address-missing`, `server-address-invalid`, `server-token-missing`, `plain-http`
 */
export function openTeamServerClient(
  runtime: TeamServerRuntime,
  given: string | undefined,
): TeamServerClient {
  const origin = readOrigin(runtime, given);
  const token = runtime.env[tokenVariable]?.trim() ?? '';
  if (token === '')
    throw createCommandRefusal('server-token-missing', 'There is no token for the server', {
      detail: 'Changes of workspaces need the role admin.',
      hint: `Set ${tokenVariable} to a token of the server. Its page People makes one.`,
    });
  const network = runtime.openNetwork({ maxConnections: mostConnections });
  const exchange = logRequests(runtime, network.exchange);
  const call = async <T>(
    { method, path, body }: { method: string; path: string; body?: object | undefined },
    isChange: boolean,
  ): Promise<T> => {
    const answer = await exchange({
      method,
      url: `${origin}/api/v1${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      headersMs: answerMs,
      bodyMs: answerMs,
      largestBytes,
    }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw explainSilence(origin, why, isChange, error);
    });
    const content = readJson(answer.text);
    if (answer.status >= 200 && answer.status < 300 && content !== undefined) return content as T;
    const { title, detail } = isJsonObject(content) ? content : {};
    if (answer.status >= 500) {
      const why = `It answered with the status ${answer.status}`;
      const titled = typeof title === 'string' ? `${why}: ${title}` : why;
      throw explainSilence(origin, titled, isChange);
    }
    if (typeof title !== 'string') throw explainOtherAnswer(origin, answer.status);
    throw new TeamServerRefusal(
      answer.status,
      title,
      typeof detail === 'string' ? detail : undefined,
    );
  };
  return {
    read: (path, body) => call({ method: body ? 'POST' : 'GET', path, body }, false),
    change: (method, path, body) => call({ method, path, body }, true),
    close: () => network.close(),
  };
}

function readOrigin(
  { env, allowsPlainHttp }: TeamServerRuntime,
  given = env[urlVariable]?.trim() ?? '',
): string {
  if (given === '')
    throw createCommandRefusal('server-address-missing', 'The address of the server is not given', {
      hint: `Give --server, or set ${urlVariable}: https://hostwright.example.com.`,
    });
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isOrigin = url?.href === `${url?.origin ?? ''}/` && /^https?:$/.test(url.protocol);
  if (!url || !isOrigin)
    throw createCommandRefusal(
      'server-address-invalid',
      `${urlVariable} is not the address of a server`,
      {
        hint: 'Write it as https://hostwright.example.com, without a path.',
      },
    );
  if (isUnencryptedAddress(url.origin) && allowsPlainHttp !== true)
    throw createCommandRefusal(
      'plain-http',
      `The connection to ${url.origin} would not be encrypted`,
      {
        detail: 'Everybody on the way could read the token and the variables.',
        hint: 'Use an https address. In a network that you trust, add --allow-plain-http.',
      },
    );
  return url.origin;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explainSilence(
  origin: string,
  why: string,
  isChange: boolean,
  cause?: unknown,
): DiagnosticError {
  const told = why.replace(/\.$/, '');
  const words = isChange
    ? {
        detail: `${told}. What was sent before is done, and the last request may be.`,
        hint: 'Check the server, and run the command again: it goes on with what is missing.',
      }
    : {
        detail: `${told}. Nothing was changed.`,
        hint: 'Check the address and the server, and run the command again.',
      };
  return new DiagnosticError(
    [
      {
        severity: 'error',
        code: 'server-unreachable',
        summary: `The server at ${origin} cannot answer`,
        ...words,
      },
    ],
    { cause },
  );
}

function explainOtherAnswer(origin: string, status: number): DiagnosticError {
  return createCommandRefusal(
    'server-answer-unknown',
    `No Hostwright server answers at ${origin}`,
    {
      detail: `It answered with the status ${status}, and not with what the API has.`,
      hint: 'Check the address: it is that of the pages, without a path.',
    },
  );
}
