import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatNameList } from '../../model/text/suggest.ts';
import { routes } from '../contract/routes.ts';
import { operationShapes, recordShapes } from '../contract/shapes.ts';
import { classifyRefusal, type RefusalMeaning } from './classify-error.ts';
import {
  baseAddressHint,
  describeRequest,
  describeAttemptCount,
  type RequestErrorWords,
} from './error-words.ts';
import {
  type ApiError,
  ConnectionError,
  NotSentError,
  ForeignAnswerError,
  OutcomeUnknownError,
  ServiceError,
  UnusableAnswerError,
  UnusablePathIdError,
  type UnusableAnswerReason,
} from './errors.ts';
import { describeUnreachable } from './explain-unreachable.ts';

/** A failed request in the user's terms: what happened, why, and what to do next. */
export function describeError(error: ApiError): Diagnostic {
  return { severity: 'error', ...describe(error) };
}

function describe(error: ApiError): RequestErrorWords {
  if (error instanceof ServiceError) return describeRefusal(error);
  if (error instanceof ConnectionError) return describeUnreachable(error);
  if (error instanceof NotSentError) return describeNotSent(error);
  if (error instanceof OutcomeUnknownError) return describeLoss(error);
  if (error instanceof ForeignAnswerError) return describeStranger(error);
  if (error instanceof UnusableAnswerError) return describeUnusable(error);
  if (error instanceof UnusablePathIdError) return describeUnusableId(error);
  return { code: error.code, summary: error.message };
}

const refusals: Readonly<Record<RefusalMeaning, Omit<RequestErrorWords, 'detail'>>> = {
  unauthorized: {
    code: 'unauthorized',
    summary: 'The service does not accept the access token',
    hint:
      'Three causes are common: the token was not sent whole (an empty variable, a copied line with more than the ' +
      'token in it); it has expired or was revoked; it belongs to another account or another base address. Issue a ' +
      'new one in your account and set HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE to the token alone, without "Bearer".',
  },
  forbidden: {
    code: 'forbidden',
    summary: 'The access token does not allow this',
    hint: 'Tokens can be restricted to scopes. Use one whose scopes cover this request, or one with full access.',
  },
  notFound: {
    code: 'not-found',
    summary: 'The service does not have this resource (any more)',
    hint: 'Plan again: somebody may have deleted it meanwhile.',
  },
  conflict: {
    code: 'conflict',
    summary: 'The service refused: another operation or resource blocks this',
    hint: 'Another operation may hold the resource, or its state does not allow this. Plan again once it is done.',
  },
  nameTaken: {
    code: 'name-refused',
    summary: 'The service refused: the name is already taken',
    hint: 'Choose another name, or look in the account for what has this one: it may lie where this token sees nothing.',
  },
  portTaken: {
    code: 'port-refused',
    summary: 'The service refused: the port is already taken',
    hint: 'Choose another port, or look in the account for what has this one.',
  },
  insufficientCapacity: {
    code: 'insufficient-capacity',
    summary: 'The service has no room for this configuration now',
    hint: 'Choose another configuration, or try again later.',
  },
  quota: {
    code: 'quota-refused',
    summary: 'The service refused: a quota of the account is used up',
    hint: 'See `hostwright limits`. Delete unused resources, or ask the service to raise the quota.',
  },
  validation: {
    code: 'request-refused',
    summary: 'The service does not accept a value',
    hint: 'Correct the value in the configuration.',
  },
  rateLimited: {
    code: 'rate-limited',
    summary: 'The service asks for fewer requests',
    hint: 'Try again in a few minutes.',
  },
  unavailable: {
    code: 'service-unavailable',
    summary: 'The service is not available',
    hint: 'Try again later.',
  },
  permanent: { code: 'request-refused', summary: 'The service refused the request' },
};

function describeRefusal(error: ServiceError): RequestErrorWords {
  const meaning = classifyRefusal(error);
  const detail = `${describeRequest(error)} answered ${error.status}${quoteProblem(error)}.`;
  const requestId = sayRequestId(error.requestId);
  const { path } = routes[error.operation];
  // Paths without an id exist at every such service: a 404 means that the base address or its path is wrong.
  if (meaning === 'notFound' && !path.includes('{')) {
    return { ...explainMissing(error), detail: detail + sayAssumed(error) + requestId };
  }
  const doubt = sayDoubt(error, meaning);
  const isMethod = error.status === 405;
  const { hint, ...words } = isMethod ? explainMethod(error) : refusals[meaning];
  const isDoubtful = doubt !== '' && !isMethod;
  return {
    ...words,
    detail: detail + describeAttemptCount(error) + doubt + requestId,
    ...(hint !== undefined && { hint: isDoubtful ? `${hint} ${bindHint}` : hint }),
  };
}

/** A note on what of a refused request is only assumed, so that it may be what the service refuses. */
function sayDoubt(error: ServiceError, meaning: RefusalMeaning): string {
  if (error.status === 405) return ` That it takes ${error.method} is assumed.`;
  if (meaning === 'notFound') return sayAssumed(error);
  return meaning === 'validation' ? sayMembers(error) : '';
}

/** No public document shows with which methods the service takes its changes, so a 405 is about the method. */
function explainMethod({ operation, method }: ServiceError): Omit<RequestErrorWords, 'detail'> {
  return {
    code: 'request-refused',
    summary: `The service does not take ${method} for ${operation}`,
    hint: `If the service has another method for it, ${bindIt}`,
  };
}

/** The two reads that the interface specification names: where both are missing, the service is elsewhere. */
export const specifiedReadOperations = ['getLimits', 'listProjects'] as const;

const bindIt =
  'bind it: "hostwright contract bind DOCUMENT", with the OpenAPI document of the service.';
const bindHint = `If the value or the path is right and the service spells it otherwise, ${bindIt}`;

function explainMissing({
  operation,
  isServiceThere,
}: ServiceError): Omit<RequestErrorWords, 'detail'> {
  if (!isServiceThere && specifiedReadOperations.some((one) => one === operation)) {
    return {
      code: 'wrong-base-address',
      summary: 'The base address is not that of the service',
      hint: baseAddressHint,
    };
  }
  return {
    code: 'other-path',
    summary: `The service has ${operation} at another path, or not at all`,
    hint: 'Bind the service: "hostwright contract bind DOCUMENT", with its OpenAPI document; without one, "hostwright contract probe".',
  };
}

/** A note for an error at a path that the contract only assumes: the path itself may be wrong. */
function sayAssumed({ operation }: ServiceError): string {
  const { evidence } = operationShapes[operation];
  return evidence === 'assumed' ? ` That ${operation} has this path is assumed.` : '';
}

/** Sentence on members of a refused body whose names are assumed, since no public document spells them. */
function sayMembers({ operation, problem }: ServiceError): string {
  const shape = recordShapes[operationShapes[operation].body ?? ''] ?? {};
  const named = Object.keys(problem.errors).filter((field) => shape[field]?.evidence === 'assumed');
  if (named.length === 0) return '';
  const isOne = named.length === 1;
  return ` That ${formatNameList(named)} ${isOne ? 'is' : 'are'} called so is assumed.`;
}

/** The service's own words, with its messages on single fields. */
function quoteProblem({ problem }: ServiceError): string {
  const fields = Object.entries(problem.errors).map(([field, messages]) => {
    const said = messages.map(trimStop).join('; ');
    return field === '' ? said : `${field}: ${said}`;
  });
  const texts = [problem.detail ?? problem.title, ...fields].filter((text) => text !== null);
  return texts.length === 0 ? '' : `: ${texts.map(trimStop).join('; ')}`;
}

function trimStop(text: string): string {
  return text.replace(/[.\s]+$/, '');
}

function describeNotSent(error: NotSentError): RequestErrorWords {
  const { cause, heldForMs } = error;
  const before =
    cause instanceof ServiceError ? ` Before that it was answered ${cause.status}.` : '';
  if (heldForMs === null) {
    return {
      code: error.code,
      summary: 'The request was not sent: it was interrupted',
      detail: `${describeRequest(error)} was still waiting for its turn.${before}`,
      hint: 'Run the same command again.',
    };
  }
  return {
    code: error.code,
    summary: 'The service asked to wait for longer than there was time',
    detail:
      `${describeRequest(error)} was not sent: the service accepts no request for another ` +
      `${Math.ceil(heldForMs / 1_000)} s.${before}`,
    hint: 'Run the same command again later. A longer time can be set: under timeouts, or with --timeout for work on a VM.',
  };
}

const losses: Readonly<Record<OutcomeUnknownError['lost'], string>> = {
  timeout: 'no answer came in time',
  reset: 'the connection broke',
  'half-answer': 'the answer broke off',
  proxy: 'a proxy answered instead of the service',
  'server-error': 'the service failed while it had the request',
  aborted: 'it was stopped before the answer came',
};

function describeLoss(error: OutcomeUnknownError): RequestErrorWords {
  const { requestId = null } = error.answered ?? {};
  const detail = `${describeRequest(error)}: ${losses[error.lost]} (${error.seen}).${describeAttemptCount(error)}${sayRequestId(requestId)}`;
  if (error.isRead) {
    return {
      code: 'no-answer',
      summary: 'The service gave no complete answer',
      detail,
      hint:
        error.lost === 'timeout'
          ? 'Try again later, or raise `service.timeouts.read` where the service takes longer. This request changed nothing.'
          : 'Try again later. This request changed nothing.',
    };
  }
  return {
    code: error.code,
    summary: 'A request was sent, and its outcome is unknown',
    detail,
    hint: 'Run the same command again: it looks first, and does only what is still to be done.',
  };
}

function describeStranger(error: ForeignAnswerError): RequestErrorWords {
  if (error.keys) {
    const named = error.keys.filter((key) => !error.seen.includes(key));
    const keys = named.length === 0 ? '' : ` Its keys: ${named.join(', ')}.`;
    return {
      code: error.code,
      summary: `The service answers ${error.operation} in another shape than the contract has`,
      detail: `${describeRequest(error)} got ${error.seen}.${keys}`,
      hint: `Bind the service: "hostwright contract bind DOCUMENT", with its OpenAPI document; without one, "hostwright contract probe". If the answer is not the service's: ${baseAddressHint}`,
    };
  }
  return {
    code: error.code,
    summary: 'The answer does not come from the service',
    detail: `${describeRequest(error)} got ${error.seen}.`,
    hint: `A proxy, a sign-in page or another server may have answered instead. ${baseAddressHint}`,
  };
}

function describeUnusable(error: UnusableAnswerError): RequestErrorWords {
  const { code, seen } = error;
  return {
    code,
    ...explainUnusable(code, baseAddressHint),
    detail: `${describeRequest(error)} got ${seen}.`,
  };
}

function describeUnusableId(error: UnusablePathIdError): RequestErrorWords {
  return {
    code: error.code,
    summary: `The id ${JSON.stringify(error.id)} cannot be used`,
    detail: `${describeRequest(error)} would become another request with it. Nothing was sent.`,
    hint: 'Give the id that the service shows for the resource: in the command, under imports, or in the state.',
  };
}

function sayRequestId(requestId: string | null): string {
  return requestId === null ? '' : ` Request id: ${requestId}.`;
}

interface Words {
  readonly summary: string;
  readonly hint: string;
}

const words: Readonly<Record<UnusableAnswerReason, Words>> = {
  'answer-too-large': {
    summary: 'The response of the service is too large',
    hint: 'Ask the service for smaller responses: at most 64 MB, unpacked, and 5,000,000 values.',
  },
  'answer-unreadable': {
    summary: 'The response of the service cannot be read',
    hint: 'Check proxies between Hostwright and the service. A response is JSON in UTF-8, plain or packed with gzip, deflate or br; its headers have at most 16 KB.',
  },
  'list-too-long': {
    summary: 'The service returns a list that does not end',
    hint: 'Ask the service for a list of at most 1,000,000 items.',
  },
};

/** The summary and hint for a response that cannot be used. `baseAddressHint`: where the service's address is set. */
function explainUnusable(code: UnusableAnswerReason, baseAddressHint: string): Words {
  const { summary, hint } = words[code];
  return { summary, hint: `${hint} ${baseAddressHint}` };
}
