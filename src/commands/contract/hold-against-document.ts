// The bodies that would be sent, held against the schemas of the document that a contract file was made from.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ServiceDialect } from '../../api/binding/dialect.ts';
import { operationIds } from '../../api/contract/operation-ids.ts';
import type { OperationId } from '../../api/contract/routes.ts';
import {
  enumWords,
  type MemberShape,
  operationShapes,
  recordShapes,
} from '../../api/contract/shapes.ts';
import type { WireRequest } from '../../api/contract/types.ts';
import type { Binding } from '../../model/account/binding.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Lists the requests of a binding that the service's own OpenAPI document does not have, or whose body it refuses. */
export function compareBindingWithDocument(
  document: unknown,
  binding: Binding,
  basePath = '',
): readonly Diagnostic[] {
  const dialect = new ServiceDialect(binding);
  const validator = new BodyValidator(document);
  return operationIds.flatMap((operation) => {
    if (dialect.lacks(operation) !== undefined) return [];
    const { method, path } = dialect.routeOf(operation);
    const found = findOperation(document, method.toLowerCase(), path, basePath);
    if (!found) {
      return [
        describeMismatch(
          operation,
          `the document has no ${method} ${path}`,
          `operations: { ${operation}: none }`,
        ),
      ];
    }
    const { body } = operationShapes[operation];
    if (body === undefined) return [];
    const { body: text } = dialect.write('http://service/v1', makeRequest(operation, body));
    const faults = text === undefined ? [] : validator.validate(found.at, JSON.parse(text));
    return faults.map((fault) =>
      describeMismatch(
        operation,
        `its body would be refused: ${fault}`,
        `fields: { ${operation}: { MEMBER: /POINTER } }`,
      ),
    );
  });
}

function describeMismatch(operation: OperationId, why: string, line: string): Diagnostic {
  return {
    severity: 'error',
    code: 'contract-mismatch',
    summary: `${operation} is not as the document has it: ${why}`,
    hint: `Correct its line in the contract file, for example ${line}, or bind again.`,
  };
}

/** The operation of a document with a method and a path, and where it stands. */
function findOperation(document: unknown, method: string, path: string, basePath: string) {
  const paths = isJsonObject(document) && isJsonObject(document.paths) ? document.paths : {};
  const shapeOf = (one: string) => one.replaceAll(/\{[^{}]*\}/g, '{}').split('/');
  const [below, whole] = [shapeOf(path), shapeOf(basePath + path)];
  const isAt = (wanted: readonly string[], one: readonly string[]) =>
    wanted.length === one.length &&
    wanted.every(
      (part, at) =>
        part === one[at] ||
        // The base address has the value of a parameter, such as the number of an account.
        (one[at] === '{}' && at < wanted.length - below.length + 1),
    );
  const name = Object.keys(paths).find((one) =>
    [below, whole].some((wanted) => isAt(wanted, shapeOf(one))),
  );
  const item = name === undefined ? undefined : paths[name];
  if (name === undefined || !isJsonObject(item) || !isJsonObject(item[method])) return undefined;
  const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return { at: `/paths/${escaped}/${method}`, item: item[method] };
}

/** Validates bodies by the schemas of a document, which may be wrong in places. */
class BodyValidator {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  readonly #document: unknown;

  constructor(document: unknown) {
    this.#document = document;
    if (isJsonObject(document)) this.#ajv.addSchema({ ...document, $id: 'document' });
  }

  /** Faults of a body, by the operation at this pointer; none where its schema cannot be used. */
  validate(at: string, body: unknown): readonly string[] {
    const pointer = this.#findSchema(at);
    if (pointer === undefined) return [];
    try {
      const validate = this.#ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
      if (validate(body)) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message = 'is refused' }) => `${instancePath || 'it'} ${message}`,
      );
    } catch {
      // A schema that cannot be compiled proves nothing about the request, so that nothing is reported.
      return [];
    }
  }

  #findSchema(at: string): string | undefined {
    const content = `${at}/requestBody/content/application~1json/schema`;
    return this.#has(content) ? content : undefined;
  }

  #has(pointer: string): boolean {
    let value: unknown = this.#document;
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (!isJsonObject(value) || !Object.hasOwn(value, name)) return false;
      value = value[name];
    }
    return true;
  }
}

/** Makes a sample request with every member that the operation allows. */
function makeRequest(operation: OperationId, record: string): WireRequest {
  const { params } = operationShapes[operation];
  const members = Object.entries(recordShapes[record] ?? {}).filter(
    // The service refuses these two members in one request, so that only one of them is given.
    ([name]) => name !== 'sshPublicKeys',
  );
  return {
    operation,
    params: Object.fromEntries(params.map((name) => [name, '1'])),
    body: Object.fromEntries(members.map(([name, shape]) => [name, makeValue(name, shape)])),
  } as unknown as WireRequest;
}

const samples: Readonly<Record<string, unknown>> = {
  name: 'web',
  publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID1HwMGhbgIVDueZmLc9wqqDpEIQmF5s/EcC6dr/jcxK me',
  locale: 'en-GB',
  internalIp: '10.0.0.5',
  publicIpMode: 'existing',
};

function makeValue(name: string, shape: MemberShape): unknown {
  if (shape.isList) return [makeValue(name, { ...shape, isList: false })];
  if (Object.hasOwn(samples, name)) return samples[name];
  switch (shape.type) {
    case 'enum':
      return enumWords[shape.enum]?.[0];
    case 'number':
      return 443;
    case 'boolean':
      return true;
    case 'time':
      return '2030-01-01T00:00:00Z';
    case 'id':
      return '1';
    default:
      return 'text';
  }
}
