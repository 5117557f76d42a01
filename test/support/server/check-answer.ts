import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { PagesRig } from './pages-rig.ts';

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

const id = 'https://hostwright.invalid/contract.yaml';
const contract = parse(readFileSync('schemas/server.yaml', 'utf8')) as Contract;
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addSchema(contract, id);

/** All operations of the contract: `GET /api/v1/runs/{id}`. */
export const contractOperations: readonly string[] = Object.entries(contract.paths).flatMap(
  ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

const patterns = Object.keys(contract.paths)
  // A fixed path goes before one with a part that may be anything.
  .sort((left, right) => left.split('{').length - right.split('{').length)
  .map((path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const);

/** What is wrong with an answer by the contract of the server; nothing where it is as described. */
export function findAnswerFaults(
  method: string,
  pathname: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): readonly string[] {
  const path = patterns.find(([, pattern]) => pattern.test(pathname))?.[0] ?? '';
  // OpenAPI 3.1 knows no LOCK: what such a request is answered is as for a write.
  const name = isDescribable(method) ? method.toLowerCase() : 'post';
  const response = contract.paths[path]?.[name]?.responses[String(status)];
  if (!response) return [`${method} ${pathname}: the contract has no answer ${status}`];
  const pointer = response.$ref?.slice(1) ?? `/paths/${escape(path)}/${name}/responses/${status}`;
  const content = readContent(pointer);
  const type = Object.keys(content).find((one) => /json/.test(one));
  if (type === undefined) return [];
  const at = `${id}#${pointer}/content/${escape(type)}/schema`;
  const validate = ajv.getSchema(at) ?? ajv.compile({ $ref: at });
  if (validate(body) === true) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '' }) =>
      `${method} ${pathname} ${status}: ${instancePath} ${message}`,
  );
}

/** True for a method that OpenAPI 3.1 can describe. */
export const isDescribable = (method: string): boolean => !method.endsWith('LOCK');

function readContent(pointer: string): Readonly<Record<string, unknown>> {
  let at: unknown = contract;
  for (const part of pointer.split('/').slice(1))
    at = (at as Record<string, unknown>)[decodeURIComponent(part).replaceAll('~1', '/')];
  return (at as { content?: Record<string, unknown> }).content ?? {};
}

const escape = (part: string): string => encodeURIComponent(part.replaceAll('/', '~1'));

/** Calls a route below `/api/v1`, and expects an answer as the contract has it. */
export async function callAsContracted(
  { send }: Pick<PagesRig, 'send'>,
  method: string,
  path: string,
  body?: object,
) {
  const response = await send(method, `/api/v1${path}`, { body });
  const text = await response.text();
  const answer = {
    status: response.status,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
  expect(findAnswerFaults(method, `/api/v1${path}`, answer)).toEqual([]);
  return answer;
}
