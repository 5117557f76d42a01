import { createCommandRefusal } from '../session/refuse.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Largest OpenAPI document that is read, in bytes. */
export const mostApiDocumentBytes = 32 * 1024 * 1024;

/** An OpenAPI document from JSON or YAML. @throws DiagnosticError `document-unusable` */
export async function parseOpenApiDocument(text: string, name: string): Promise<unknown> {
  const document = await parseJsonOrYaml(text, name);
  if (isJsonObject(document) && isJsonObject(document.paths)) return document;
  throw unusable(name, 'It has no paths.');
}

/** Data from JSON or YAML. @throws DiagnosticError `document-unusable` */
export async function parseJsonOrYaml(text: string, name: string): Promise<unknown> {
  if (text.length > mostApiDocumentBytes) {
    throw unusable(name, `It is larger than ${mostApiDocumentBytes} bytes.`);
  }
  try {
    if (text.trimStart().startsWith('{')) return JSON.parse(text);
    const { parse } = await import('yaml');
    const document: unknown = parse(text, { maxAliasCount: 1_000 });
    return document;
  } catch (error) {
    throw unusable(name, error instanceof Error ? (error.message.split('\n')[0] ?? '') : '');
  }
}

function unusable(name: string, detail: string) {
  return createCommandRefusal('document-unusable', `${name} is no OpenAPI document`, {
    detail,
    hint: 'Give the document that the service publishes, in JSON or YAML: OpenAPI 3.0, 3.1 or Swagger 2.',
  });
}
