// The API reference at `/docs`: the contract as one page of Hostwright. It asks nobody but this sandbox, and can be read
// without JavaScript; only its forms need that.

import type { ServiceContract } from '../contract/contract-file.ts';
import { listCommonResponses } from './common-answers.ts';
import { html, type SafeHtml } from '../../model/text/html.ts';
import { sandboxLivePageStyle } from './page-style.ts';
import { renderSandboxPage } from './page.ts';
import type { ContractOperationAtPath } from './render-operation.ts';
import { renderOperationResponses, renderOperationCard } from './render-operation.ts';
import { renderNamedSchema, renderDescriptionText } from './render-schema.ts';

const anchorOf = (tag: string): string => `tag-${tag.replaceAll(' ', '-')}`;

/** Lists every operation in the contract's order. */
function listOperations({ paths }: ServiceContract): ContractOperationAtPath[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      // Beside the operations of a path are the parameters that they share.
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

function renderTag(
  contract: ServiceContract,
  tag: ServiceContract['tags'][number],
  common: ReturnType<typeof listCommonResponses>,
): SafeHtml {
  const operations = listOperations(contract).filter(({ operation }) =>
    operation.tags.includes(tag.name),
  );
  return html`<section aria-labelledby="${anchorOf(tag.name)}">
    <h2 id="${anchorOf(tag.name)}">${tag.name}</h2>
    ${renderDescriptionText(tag.description)}${operations.map((one) => renderOperationCard(contract, one, common))}
  </section> `;
}

/** First section of the reference: base address, token, and a first request to try. */
function renderStart(
  contract: ServiceContract,
  baseUrl: string,
  common: ReturnType<typeof listCommonResponses>,
): SafeHtml {
  const example = `curl -H "Authorization: Bearer $HOSTWRIGHT_TOKEN" ${baseUrl}/limits`;
  return html`<section aria-labelledby="start">
    <h2 id="start">Start here</h2>
    <dl>
      <dt>Base address</dt>
      <dd><code>${baseUrl}</code></dd>
      <dt>Authorization</dt>
      <dd>
        Send the access token with every request. The sandbox prints it when it starts, as
        <code>HOSTWRIGHT_TOKEN</code>.
      </dd>
      <dt>A first request</dt>
      <dd><pre tabindex="0">${example}</pre></dd>
      <dt>What takes time</dt>
      <dd>
        A command that takes time answers 202 with an operation. Read
        <a href="#getOperation">the operation</a> until its status is <code>Succeeded</code> or
        <code>Failed</code>. Meanwhile another change of the same VM answers 409.
      </dd>
      <dt>Errors</dt>
      <dd>
        An error has a <code>title</code>, a <code>detail</code> and, where members are wrong,
        <code>errors</code> by member. After 429 and 503 wait as <code>Retry-After</code> says.
      </dd>
      <dt>Try it</dt>
      <dd>Each operation below has a form. It sends its request to this sandbox.</dd>
    </dl>
    <h3 id="answers">Answers of every operation</h3>
    <dl>${renderOperationResponses(contract, common)}</dl>
    <label class="card">
      <span>Access token for the forms</span>
      <input id="token" type="password" autocomplete="off" />
    </label>
  </section> `;
}

/** Renders the documentation page of the sandbox. */
export function renderSandboxDocsPage(contract: ServiceContract, baseUrl: string): string {
  const { info, tags, components } = contract;
  const common = listCommonResponses(listOperations(contract).map(({ operation }) => operation));
  const body = html`<header>
      <h1>${info.title}</h1>
      <nav aria-label="Pages">
        <a href="/">Live page of this sandbox</a> <a href="/docs/openapi.json">OpenAPI</a>
      </nav>
      <nav aria-label="Sections">
        <a href="#start">Start here</a>
        ${tags.map(({ name }) => html`<a href="#${anchorOf(name)}">${name}</a> `)}
        <a href="#schemas">Schemas</a> <a href="#about">About this description</a>
      </nav>
    </header>
    <main>
      ${renderStart(contract, baseUrl, common)}
      ${tags.map((tag) => renderTag(contract, tag, common))}
      <h2 id="schemas">Schemas</h2>
      ${Object.entries(components.schemas).map(([name, schema]) => renderNamedSchema(name, schema))}
      <h2 id="about">About this description</h2>
      ${renderDescriptionText(info.description)}
    </main>`;
  return renderSandboxPage({ title: 'API reference - Hostwright sandbox', folder: '/docs', body });
}

/** CSS of the documentation page, which is added to that of the live page. */
export const sandboxDocsPageStyle = `${sandboxLivePageStyle}
header nav { display: flex; flex-wrap: wrap; gap: .25rem .9rem; }
main { padding-bottom: 3rem; }
.card { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: .55rem .75rem; margin: .5rem 0; overflow-wrap: anywhere; }
summary { cursor: pointer; }
summary span { color: var(--soft); }
h3[id], details h3 { margin: .9rem 0 .3rem; }
.method { font-weight: 700; color: var(--accent); display: inline-block; min-width: 3.6rem; }
.method.delete { color: var(--bad); }
dl { margin: .3rem 0; }
dt { margin-top: .35rem; }
dt em { color: var(--soft); }
dd { margin: 0 0 0 1rem; color: var(--soft); }
label { display: block; margin: .5rem 0; }
label span, label small { display: block; }
input, textarea { width: 100%; font: .9rem ui-monospace, monospace; color: var(--ink); background: var(--paper);
  border: 1px solid var(--soft); border-radius: 4px; padding: .3rem .4rem; }
button { font: inherit; color: var(--card); background: var(--accent); border: 0; border-radius: 4px;
  padding: .3rem .9rem; cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid var(--line); padding-left: .6rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media print {
  details::details-content { content-visibility: visible; display: block; height: auto; }
  header nav, button, input, #start ~ .card { display: none; }
  summary, dt, h2 + p { break-after: avoid; }
  dd, pre { break-inside: avoid; }
  dt:last-child { break-before: avoid; }
}
`;

/**
 * Script of the documentation page: sends a form's request to this sandbox and shows the answer, and opens the section
 * that the page's address names.
 */
export const sandboxDocsPageScript = `
const token = document.getElementById('token');
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const answer = form.querySelector('pre');
  const valuesIn = (place) => [...form.querySelectorAll('[data-in=' + place + ']')];
  const path = valuesIn('path').reduce(
    (text, { name, value }) => text.replace('{' + name + '}', encodeURIComponent(value)),
    form.dataset.path,
  );
  const query = new URLSearchParams(
    valuesIn('query').filter(({ value }) => value !== '').map(({ name, value }) => [name, value]),
  );
  const { body } = form.elements;
  answer.hidden = false;
  answer.textContent = 'Waiting for the answer.';
  try {
    const response = await fetch('/v1' + path + (query.size > 0 ? '?' + query : ''), {
      method: form.dataset.method.toUpperCase(),
      headers: {
        authorization: 'Bearer ' + token.value,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body.value }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type'));
    answer.textContent = [
      response.status + ' ' + response.statusText,
      isJson ? JSON.stringify(JSON.parse(text), null, 2) : text,
    ].join('\\n');
  } catch {
    answer.textContent = 'The sandbox does not answer.';
  }
});
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named?.tagName === 'DETAILS') named.open = true;
}
addEventListener('hashchange', openNamed);
openNamed();
`;
