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

/** Parts of the runtime that reach a server. */
export type ServerCaller = Pick<
  Runtime,
  'env' | 'clock' | 'stderr' | 'openNetwork' | 'allowsPlainHttp'
>;

/** Error by which the server refuses a request. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal';
  readonly detail: string | undefined;

  constructor(title: string, detail: string | undefined) {
    super(title);
    this.detail = detail;
  }
}

/** The API of a server. */
export interface TeamServer {
  /** @throws ServerRefusal, DiagnosticError where nothing answers */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Promise<T>;
  close(): void;
}

/**
 * Opens the API of a server at an address, or at that of the environment.
 * @throws DiagnosticError `server-address-missing`, `server-address-invalid`, `server-token-missing`, `plain-http`
 */
export function openTeamServer(runtime: ServerCaller, given: string | undefined): TeamServer {
  const origin = readOrigin(runtime, given);
  const token = runtime.env[tokenVariable]?.trim() ?? '';
  if (token === '')
    throw createCommandRefusal('server-token-missing', 'There is no token for the server', {
      detail: 'Changes of workspaces need the role admin.',
      hint: `Set ${tokenVariable} to a token of the server. Its page People makes one.`,
    });
  const network = runtime.openNetwork({ maxConnections: mostConnections });
  const exchange = logRequests(runtime, network.exchange);
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
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
      throw explainSilence(origin, error);
    });
    const content = readJson(answer.text);
    if (answer.status >= 200 && answer.status < 300 && content !== undefined) return content as T;
    const { title, detail } = isJsonObject(content) ? content : {};
    if (typeof title !== 'string') throw explainOtherAnswer(origin, answer.status);
    throw new ServerRefusal(title, typeof detail === 'string' ? detail : undefined);
  };
  return { call, close: () => network.close() };
}

function readOrigin(
  { env, allowsPlainHttp }: ServerCaller,
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
      `${urlVariable} is no address of a server`,
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

function explainSilence(origin: string, error: unknown): DiagnosticError {
  const why = error instanceof Error ? error.message : String(error);
  return new DiagnosticError(
    [
      {
        severity: 'error',
        code: 'server-unreachable',
        summary: `The server at ${origin} does not answer`,
        detail: `${why}. What was sent before is done.`,
        hint: 'Check the address and the server, and run the command again: it goes on with what is missing.',
      },
    ],
    { cause: error },
  );
}

function explainOtherAnswer(origin: string, status: number): DiagnosticError {
  return createCommandRefusal(
    'server-answer-unknown',
    `${origin} answers as no Hostwright server`,
    {
      detail: `It answered with the status ${status}, and not with what the API has.`,
      hint: 'Check the address: it is that of the pages, without a path.',
    },
  );
}
