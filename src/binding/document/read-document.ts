import type {
  ApiDocument,
  ApiOperation,
  ApiParameter,
  ApiSchema,
  ApiDocumentFault,
  HttpMethod,
} from './document.ts';
import {
  escapeJsonPointerStep,
  type LocatedApiDocumentValue,
  ApiSchemaReader,
} from './schema-reader.ts';
import { isJsonObject } from '../../model/json-object.ts';

type Json = Readonly<Record<string, unknown>>;

const methods: readonly string[] = ['get', 'put', 'post', 'patch', 'delete'];
const otherKeys = /^(?:head|options|trace|parameters|servers|summary|description|\$ref|x-.*)$/;
/** Segments before the paths of an interface that belong to its base address, such as `api` and `v1`. */
const basePart = /^(?:api|rest|v\d+(?:[._-]?\w+)?)$/i;

/** The content of an OpenAPI document, without its unreadable parts, which are reported as faults. */
export interface ParsedApiDocument {
  readonly document: ApiDocument;
  /** Every fault of the document. */
  readonly faults: readonly ApiDocumentFault[];
}

/**
 * Reads a parsed OpenAPI document. `basePath` is the path of the base address; without it, it is that of the document's
 * server, with the segments of a version that all paths begin with.
 */
export function readApiDocument(document: unknown, basePath?: string): ParsedApiDocument {
  const reader = new DocumentReader(isJsonObject(document) ? document : {});
  if (!isJsonObject(document)) reader.schemas.report('', 'The document is no object');
  const operations = reader.readOperations(basePath);
  for (const { body, answer, problem } of operations) {
    for (const schema of [body, answer, problem]) touch(schema);
  }
  return { document: { operations }, faults: reader.schemas.faults };
}

/** Reads every part of a lazily read schema, so that all of its faults are reported. */
function touch(schema: ApiSchema | undefined, seen = new Set<ApiSchema>()): void {
  if (!schema || seen.has(schema)) return;
  seen.add(schema);
  // An unreadable type is reported when it is asked for.
  if (schema.type === 'array') touch(schema.items, seen);
  for (const member of schema.members.values()) touch(member.schema, seen);
}

class DocumentReader {
  readonly schemas: ApiSchemaReader;
  readonly #root: Json;
  readonly #doubledIds = new Set<string>();

  constructor(root: Json) {
    this.#root = root;
    this.schemas = new ApiSchemaReader(root);
  }

  readOperations(basePath: string | undefined): readonly ApiOperation[] {
    const { paths } = this.#root;
    if (!isJsonObject(paths)) {
      this.schemas.report('/paths', 'The document has no paths');
      return [];
    }
    const ids = new Set<string>();
    const read = Object.entries(paths).flatMap(([path, item]) =>
      path.startsWith('x-') ? [] : this.#readPath(path, item, ids),
    );
    // An `operationId` that stands for two operations is ignored: it identifies neither.
    const found = read.map((operation) =>
      this.#doubledIds.has(operation.id ?? '') ? { ...operation, id: undefined } : operation,
    );
    const base = basePath ?? findBase(this.#serverPath(this.#root) ?? '', found);
    return found.flatMap((operation) => {
      const isBelow = `${operation.path}/`.startsWith(`${base.replace(/\/+$/, '')}/`);
      if (isBelow)
        return [{ ...operation, path: operation.path.slice(base.replace(/\/+$/, '').length) }];
      this.schemas.report('/servers', `${operation.path} is not below the base address ${base}`);
      return [];
    });
  }

  #readPath(path: string, given: unknown, ids: Set<string>): readonly ApiOperation[] {
    const pointer = `/paths/${escapeJsonPointerStep(path)}`;
    const item = this.schemas.resolve({ value: given, pointer })?.value;
    if (!isJsonObject(item)) {
      this.schemas.report(pointer, 'A path is an object');
      return [];
    }
    if (!path.startsWith('/')) this.schemas.report(pointer, 'A path begins with /');
    return Object.entries(item).flatMap(([key, operation]) => {
      const at = `${pointer}/${key}`;
      if (!methods.includes(key.toLowerCase())) {
        if (!otherKeys.test(key)) this.schemas.report(at, `${key} is no method`);
        return [];
      }
      if (!isJsonObject(operation)) {
        this.schemas.report(at, 'An operation is an object');
        return [];
      }
      const server =
        this.#serverPath(operation) ?? this.#serverPath(item) ?? this.#serverPath(this.#root);
      // A slash at the end is part of the path: many services answer none but the path with it.
      const whole = `${server ?? ''}/${path.replace(/^\/+/, '')}`.replace(/\/+$/, '/');
      return [this.#readOperation(whole, key, item, operation, at, ids)];
    });
  }

  #readOperation(
    path: string,
    key: string,
    item: Json,
    operation: Json,
    pointer: string,
    ids: Set<string>,
  ): ApiOperation {
    const given = [
      ...this.#listParameters(item, pointer.replace(/\/[^/]*$/, '')),
      ...this.#listParameters(operation, pointer),
    ];
    const id = typeof operation.operationId === 'string' ? operation.operationId : undefined;
    if (id !== undefined && ids.has(id)) {
      this.schemas.report(`${pointer}/operationId`, `Another operation has the id ${id}`);
      this.#doubledIds.add(id);
    } else if (id !== undefined) ids.add(id);
    const tags = Array.isArray(operation.tags) ? operation.tags : [];
    const summary = [operation.summary, operation.description].find(
      (one) => typeof one === 'string',
    );
    return {
      id,
      method: key.toUpperCase() as HttpMethod,
      path,
      tags: tags.filter((tag) => typeof tag === 'string'),
      summary: summary ?? '',
      parameters: given.flatMap((one) => this.#readParameter(one)),
      body: this.#readBody(operation, given, pointer),
      ...this.#readAnswers(operation, pointer),
    };
  }

  #listParameters(holder: Json, pointer: string): readonly LocatedApiDocumentValue[] {
    const { parameters } = holder;
    if (parameters === undefined) return [];
    if (!Array.isArray(parameters)) {
      this.schemas.report(`${pointer}/parameters`, 'Parameters are a list');
      return [];
    }
    return parameters.flatMap((value, at) => {
      const found = this.schemas.resolve({ value, pointer: `${pointer}/parameters/${at}` });
      if (found && !isJsonObject(found.value))
        this.schemas.report(found.pointer, 'A parameter is an object');
      return found && isJsonObject(found.value) ? [found] : [];
    });
  }

  #readParameter({ value, pointer }: LocatedApiDocumentValue): readonly ApiParameter[] {
    if (!isJsonObject(value)) return [];
    const { name, in: place, required, description } = value;
    if (typeof name !== 'string') {
      this.schemas.report(pointer, 'A parameter has a name');
      return [];
    }
    if (place !== 'path' && place !== 'query') return [];
    const schema = this.schemas.read(
      isJsonObject(value.schema)
        ? { value: value.schema, pointer: `${pointer}/schema` }
        : { value, pointer },
    );
    const told = typeof description === 'string' ? description : '';
    return [{ name, in: place, isRequired: required === true, description: told, schema }];
  }

  #readBody(
    operation: Json,
    given: readonly LocatedApiDocumentValue[],
    pointer: string,
  ): ApiSchema | undefined {
    const inParameters = given.find(({ value }) => isJsonObject(value) && value.in === 'body');
    if (inParameters && isJsonObject(inParameters.value)) {
      return this.schemas.read({
        value: inParameters.value.schema,
        pointer: `${inParameters.pointer}/schema`,
      });
    }
    const { requestBody } = operation;
    return requestBody === undefined
      ? undefined
      : this.#readContent({ value: requestBody, pointer: `${pointer}/requestBody` });
  }

  #readAnswers(
    operation: Json,
    pointer: string,
  ): { readonly answer: ApiSchema | undefined; readonly problem: ApiSchema | undefined } {
    const { responses } = operation;
    if (!isJsonObject(responses)) {
      this.schemas.report(`${pointer}/responses`, 'The operation says nothing of its answers');
      return { answer: undefined, problem: undefined };
    }
    const read = (pattern: RegExp) => {
      for (const [status, value] of Object.entries(responses)) {
        if (!pattern.test(status)) continue;
        const schema = this.#readContent({ value, pointer: `${pointer}/responses/${status}` });
        if (schema) return schema;
      }
      return undefined;
    };
    return {
      answer:
        read(/^2/) ??
        (Object.keys(responses).some((one) => one.startsWith('2')) ? undefined : read(/^default$/)),
      problem: read(/^[45]/),
    };
  }

  /** Reads the schema of a body or an answer for its media type JSON. */
  #readContent(located: LocatedApiDocumentValue): ApiSchema | undefined {
    const found = this.schemas.resolve(located);
    if (!found || !isJsonObject(found.value)) return undefined;
    const { schema, content } = found.value;
    if (schema !== undefined)
      return this.schemas.read({ value: schema, pointer: `${found.pointer}/schema` });
    if (!isJsonObject(content)) return undefined;
    const type = Object.keys(content).find((one) => /json|\*/.test(one)) ?? Object.keys(content)[0];
    const media = type === undefined ? undefined : content[type];
    if (type === undefined || !isJsonObject(media)) return undefined;
    const pointer = `${found.pointer}/content/${escapeJsonPointerStep(type)}/schema`;
    return this.schemas.read({ value: media.schema, pointer });
  }

  /** The path of the document's first server URL; undefined where the document names no server. */
  #serverPath({ servers, basePath }: Json): string | undefined {
    if (typeof basePath === 'string')
      return `/${basePath}`.replace(/^\/+/, '/').replace(/\/+$/, '');
    const server: unknown = Array.isArray(servers) ? servers[0] : undefined;
    if (!isJsonObject(server) || typeof server.url !== 'string') return undefined;
    const variables = isJsonObject(server.variables) ? server.variables : {};
    const url = server.url.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
      const variable = variables[name];
      return isJsonObject(variable) && typeof variable.default === 'string'
        ? variable.default
        : name;
    });
    const path = url.replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/, '');
    return `/${path}`.replaceAll(/\/+/g, '/').replace(/\/+$/, '');
  }
}

/** The path of the base address: that of the server, and what of a version all paths begin with. */
function findBase(server: string, operations: readonly ApiOperation[]): string {
  const rests = operations
    .filter(({ path }) => path.startsWith(`${server}/`))
    .map(({ path }) => path.slice(server.length).split('/').slice(1));
  const [first = []] = rests;
  let base = server;
  for (const [at, part] of first.entries()) {
    if (!basePart.test(part) || !rests.every((rest) => rest[at] === part)) break;
    base += `/${part}`;
  }
  return base;
}
