import type { ContractSchema } from '../contract/contract-file.ts';
import { html, renderHtmlLines, type SafeHtml } from '../../model/text/html.ts';

/** The words of JSON Schema that the contract uses and a reader wants to see. */
interface SchemaWords {
  readonly $ref?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly items?: ContractSchema;
  readonly oneOf?: readonly ContractSchema[];
  readonly allOf?: readonly ContractSchema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ContractSchema>>;
  readonly 'x-evidence'?: string;
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** Renders a description: text between backticks as code, and a blank line as the end of a paragraph. */
export function renderDescriptionText(text: string | undefined): SafeHtml[] {
  return (text ?? '')
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${renderCodeHtml(paragraph)}</p> `);
}

export const renderCodeHtml = (text: string): SafeHtml[] =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 0 ? renderHtmlLines(part) : html`<code>${renderHtmlLines(part)}</code>`,
    );

/**
 * Describes a schema in a few words, such as `list of Vm` or `integer, from 1`. A named schema is a link to its own
 * description.
 */
export function describeSchemaType(schema: ContractSchema): SafeHtml {
  const { $ref, oneOf, items, ...words }: SchemaWords = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return html`<a href="#schema-${name}">${name}</a>${describeBounds(words)}`;
  }
  if (oneOf)
    return html`${oneOf.map((one, at) => html`${at > 0 ? ' or ' : ''}${describeSchemaType(one)}`)}`;
  if (items) return html`list of ${describeSchemaType(items)}`;
  const type = words.enum?.join(', ') ?? [words.type ?? 'anything'].flat().join(' or ');
  return html`${words.enum ? 'one of ' : ''}${type}${describeBounds(words)}`;
}

function describeBounds({ format, minimum, maximum, ...words }: SchemaWords): string {
  return [
    ...(format === undefined ? [] : [` (${format})`]),
    ...(minimum === undefined ? [] : [`, from ${minimum}`]),
    ...(maximum === undefined ? [] : [` to ${maximum}`]),
    ...(words.default === undefined ? [] : [`, default ${JSON.stringify(words.default)}`]),
  ].join('');
}

/** Renders a named JSON Schema with its fields. */
export function renderNamedSchema(name: string, schema: ContractSchema): SafeHtml {
  return html`<section class="card" id="schema-${name}">
    <h3>${name}</h3>
    ${renderParts(schema)}
  </section> `;
}

function renderParts(schema: ContractSchema): SafeHtml {
  const { description, allOf, properties, required = [] }: SchemaWords = schema;
  const says = renderDescriptionText(description);
  if (allOf) {
    const parts = allOf.map((part) =>
      '$ref' in part
        ? html`<p>Everything of ${describeSchemaType(part)}, and:</p>`
        : renderParts(part),
    );
    return html`${says}${parts}`;
  }
  if (properties === undefined)
    return html`${says}
      <p>${describeSchemaType(schema)}</p>`;
  const fields = Object.entries(properties).map(([field, value]) =>
    renderField(field, value, required.includes(field)),
  );
  return html`${says}
    <dl>${fields}</dl>`;
}

function renderField(name: string, schema: ContractSchema, isRequired: boolean): SafeHtml {
  const { description, deprecated, 'x-evidence': evidence }: SchemaWords = schema;
  return html`<dt>
      <code>${name}</code> <span>${describeSchemaType(schema)}</span>
      ${isRequired ? html`<strong>required</strong>` : ''} ${deprecated ? 'deprecated' : ''}
      ${evidence === undefined ? '' : html`<em>${evidence}</em>`}
    </dt>
    <dd>${renderCodeHtml(description ?? '')}</dd> `;
}

/** Builds an example body of a request: its required fields, empty. */
export function buildExampleBody(
  schema: ContractSchema,
  schemas: Readonly<Record<string, ContractSchema>>,
): unknown {
  const { $ref, type, enum: values, minimum, properties, required = [] }: SchemaWords = schema;
  if ($ref !== undefined) return buildExampleBody(schemas[nameOf($ref)] ?? {}, schemas);
  if (values) return values[0];
  if (properties) {
    const fields = required.map((name) => [
      name,
      buildExampleBody(properties[name] ?? {}, schemas),
    ]);
    return Object.fromEntries(fields) as unknown;
  }
  const empty: Readonly<Record<string, unknown>> = { array: [], boolean: false, string: '' };
  return typeof type === 'string' && type in empty ? empty[type] : (minimum ?? 0);
}
