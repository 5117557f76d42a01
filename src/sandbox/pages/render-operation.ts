import type {
  ServiceContract,
  ContractOperation,
  ContractParameter,
} from '../contract/contract-file.ts';
import { resolveContractReference } from '../contract/contract-file.ts';
import type { ContractResponseDescription } from './common-answers.ts';
import { listOperationOwnResponses } from './common-answers.ts';
import { html, renderHtmlLines, type SafeHtml } from '../../model/text/html.ts';
import {
  describeSchemaType,
  buildExampleBody,
  renderCodeHtml,
  renderDescriptionText,
} from './render-schema.ts';

/** An operation of the contract with its method and path. */
export interface ContractOperationAtPath {
  readonly method: string;
  readonly path: string;
  readonly operation: ContractOperation;
}

/**
 * Renders an operation as a card of the documentation page, closed until the reader opens it: description, a form that
 * sends it, and its responses except the `common` ones.
 */
export function renderOperationCard(
  contract: ServiceContract,
  { method, path, operation }: ContractOperationAtPath,
  common: ReadonlyMap<string, ContractResponseDescription>,
): SafeHtml {
  const { operationId, summary, description } = operation;
  const evidence = operation['x-evidence'];
  return html`<details class="card" id="${operationId}">
    <summary>
      <code class="method ${method}">${method.toUpperCase()}</code> <code>${path}</code>
      <span>${renderCodeHtml(summary)}</span>
    </summary>
    ${renderDescriptionText(description)}
    <p class="held">
      <code>${operationId}</code>, ${evidence}. ${renderCodeHtml(operation['x-evidence-note'] ?? '')}
    </p>
    ${renderForm(contract, { method, path, operation })}
    <h3>Answers</h3>
    <dl>
      ${renderOperationResponses(contract, listOperationOwnResponses(operation, common))}
      <dt><a href="#answers">Answers of every operation</a></dt>
    </dl>
  </details> `;
}

/** Renders the HTTP responses of an operation: each status with the type of the body. */
export function renderOperationResponses(
  { components }: ServiceContract,
  answers: Iterable<readonly [string, ContractResponseDescription]>,
): SafeHtml[] {
  return [...answers].map(([status, answer]) => {
    const { description, content } = resolveContractReference(components.responses, answer);
    const schema = Object.values(content ?? {})[0]?.schema;
    return html`<dt><code>${status}</code> ${schema ? describeSchemaType(schema) : ''}</dt>
      <dd>${renderCodeHtml(description)}</dd> `;
  });
}

function renderForm(
  contract: ServiceContract,
  { method, path, operation }: ContractOperationAtPath,
): SafeHtml {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    renderInput({ name, in: 'path', schema: { type: 'string' } }),
  );
  const inQuery = (operation.parameters ?? [])
    .map((parameter) => resolveContractReference(contract.components.parameters, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map(renderInput);
  const body = operation.requestBody?.content['application/json']?.schema;
  return html`<form data-method="${method}" data-path="${path}">
    ${inPath}${inQuery}${body ? renderBody(contract, body) : ''}
    <button>Send</button>
    <pre role="status" hidden></pre>
  </form>`;
}

function renderInput({ name, in: place, description, schema }: ContractParameter): SafeHtml {
  return html`<label>
    <span><code>${name}</code> ${describeSchemaType(schema)}</span>
    <input name="${name}" data-in="${place}" autocomplete="off" />
    ${description === undefined ? '' : html`<small>${renderCodeHtml(description)}</small>`}
  </label> `;
}

function renderBody(
  { components }: ServiceContract,
  schema: ContractParameter['schema'],
): SafeHtml {
  const example = JSON.stringify(buildExampleBody(schema, components.schemas), null, 2);
  return html`<label>
    <span>Body: ${describeSchemaType(schema)}</span>
    <textarea name="body" rows="${example.split('\n').length}" spellcheck="false">
${renderHtmlLines(example)}</textarea>
  </label> `;
}
