import type { Contract, ContractOperation, ContractParameter } from '../contract/contract-file.ts';
import { resolvePart } from '../contract/contract-file.ts';
import type { ContractAnswer } from './common-answers.ts';
import { listOwnAnswers } from './common-answers.ts';
import { html, htmlLines, type Html } from '../../model/text/html.ts';
import { describeSchemaType, exampleOf, renderCode, renderText } from './render-schema.ts';

/** An operation of the contract with its method and path. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ContractOperation;
}

/**
 * Card of one operation in the reference, closed until it is opened: description, a form that sends it, and its answers but
 * for the `common` ones.
 */
export function renderOperation(
  contract: Contract,
  { method, path, operation }: PlacedOperation,
  common: ReadonlyMap<string, ContractAnswer>,
): Html {
  const { operationId, summary, description } = operation;
  const evidence = operation['x-evidence'];
  return html`<details class="card" id="${operationId}">
    <summary>
      <code class="method ${method}">${method.toUpperCase()}</code> <code>${path}</code>
      <span>${renderCode(summary)}</span>
    </summary>
    ${renderText(description)}
    <p class="held">
      <code>${operationId}</code>, ${evidence}. ${renderCode(operation['x-evidence-note'] ?? '')}
    </p>
    ${renderForm(contract, { method, path, operation })}
    <h3>Answers</h3>
    <dl>
      ${renderAnswers(contract, listOwnAnswers(operation, common))}
      <dt><a href="#answers">Answers of every operation</a></dt>
    </dl>
  </details> `;
}

/** Renders the statuses of an operation, with the type of each answer. */
export function renderAnswers(
  { components }: Contract,
  answers: Iterable<readonly [string, ContractAnswer]>,
): Html[] {
  return [...answers].map(([status, answer]) => {
    const { description, content } = resolvePart(components.responses, answer);
    const schema = Object.values(content ?? {})[0]?.schema;
    return html`<dt><code>${status}</code> ${schema ? describeSchemaType(schema) : ''}</dt>
      <dd>${renderCode(description)}</dd> `;
  });
}

function renderForm(contract: Contract, { method, path, operation }: PlacedOperation): Html {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    renderInput({ name, in: 'path', schema: { type: 'string' } }),
  );
  const inQuery = (operation.parameters ?? [])
    .map((parameter) => resolvePart(contract.components.parameters, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map(renderInput);
  const body = operation.requestBody?.content['application/json']?.schema;
  return html`<form data-method="${method}" data-path="${path}">
    ${inPath}${inQuery}${body ? renderBody(contract, body) : ''}
    <button>Send</button>
    <pre role="status" hidden></pre>
  </form>`;
}

function renderInput({ name, in: place, description, schema }: ContractParameter): Html {
  return html`<label>
    <span><code>${name}</code> ${describeSchemaType(schema)}</span>
    <input name="${name}" data-in="${place}" autocomplete="off" />
    ${description === undefined ? '' : html`<small>${renderCode(description)}</small>`}
  </label> `;
}

function renderBody({ components }: Contract, schema: ContractParameter['schema']): Html {
  const example = JSON.stringify(exampleOf(schema, components.schemas), null, 2);
  return html`<label>
    <span>Body: ${describeSchemaType(schema)}</span>
    <textarea name="body" rows="${example.split('\n').length}" spellcheck="false">
${htmlLines(example)}</textarea>
  </label> `;
}
