import type { QuotaName } from '../../../model/account/live.ts';
import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import { formatQuotaLabel } from '../../../render/view/labels.ts';
import type { AccountJson } from '../../api/account-routes.ts';
import { renderEmptyList, renderForm, renderFormRefusal } from '../parts/elements.ts';
import { formatGroupedCount, renderTimeAgo } from '../parts/words.ts';

/** Share of a limit from which a quota is shown as nearly full. */
const nearlyFull = 0.8;

/** Content of the page of accounts. */
export interface AccountsPageView {
  readonly accounts: readonly AccountJson[];
  /** Token for the forms of an administrator; undefined for anybody else, who gets no forms. */
  readonly formToken: string | undefined;
  /** Reason why the last form was refused; undefined where none was. */
  readonly fault: string | undefined;
  readonly now: number;
}

/** Renders the accounts of the workspaces, with their quotas and request budgets. */
export function renderAccountsPage({
  accounts,
  formToken,
  fault,
  now,
}: AccountsPageView): SafeHtml {
  const none = renderEmptyList(html`<h2>No account is known yet</h2>
    <p>The server learns of an account and its quotas when it plans a workspace.</p>`);
  return html`<h1>Accounts</h1>
    ${renderFormRefusal(fault)}
    ${accounts.length === 0 ? none : accounts.map((one) => renderAccount(one, formToken, now))}`;
}

function renderAccount(account: AccountJson, formToken: string | undefined, now: number): SafeHtml {
  const { service, mark, name, quotas, seenAt, workspaces, workspaceCount } = account;
  const more = workspaceCount - workspaces.length;
  const id = `account-${mark}`;
  const token = html`Token <code title="The beginning of a hash of the token">${mark}</code>`;
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${service === '' ? 'Address from the configuration' : html`<code>${service}</code>`}</h2>
    <p class="dim">
      ${name === undefined ? token : html`Account <b>${name}</b>`},
      ${formatGroupedCount(workspaceCount, 'workspace')}.
      ${quotas.length === 0 ? 'No plan has seen its quotas yet.' : html`Quotas as the last plan or apply knew them, ${renderTimeAgo(seenAt, now)}.`}
    </p>
    <ul class="gauges">${quotas.map(renderQuota)}</ul>
    ${renderBudget(account, formToken)}
    <p class="names">
      ${workspaces.map((one) => html`<a href="/workspaces/${one}">${one}</a> `)}${more > 0 && html`<span class="dim">and ${formatGroupedCount(more, 'more workspace')}</span>`}
    </p>
  </section>`;
}

/** Renders the limit on requests to an account, with the present rate. */
function renderBudget(account: AccountJson, formToken: string | undefined): SafeHtml {
  const { requestsPerSecond, burst, heldUntil, lastHour } = account;
  const limit =
    requestsPerSecond === undefined
      ? 'No limit for requests.'
      : `All runs together send at most ${requestsPerSecond} requests a second, ${burst ?? 1} at once.`;
  const hold =
    heldUntil === undefined
      ? emptyHtml
      : html` The service asked for a pause: no run sends anything until <time datetime="${heldUntil}">${heldUntil.slice(11, 19)} UTC</time>.`;
  return html`<p>
      ${limit} In the last hour: ${formatGroupedCount(lastHour.requests, 'request')},
      ${formatGroupedCount(lastHour.refusals, 'answer')} with 429.${hold}
    </p>
    ${formToken !== undefined && renderBudgetForm(account, formToken)}`;
}

function renderBudgetForm({ id, requestsPerSecond, burst }: AccountJson, token: string): SafeHtml {
  const content = html`<div class="form">
    <p>
      <label for="rate-${id}">Requests a second (empty: no limit)</label>
      <input id="rate-${id}" name="requestsPerSecond" inputmode="decimal" value="${requestsPerSecond}">
    </p>
    <p>
      <label for="burst-${id}">At once (empty: those of one second)</label>
      <input id="burst-${id}" name="burst" inputmode="numeric" value="${burst}">
    </p>
    <button>Save</button>
  </div>`;
  return html`<details class="more">
    <summary>Limit the requests</summary>
    ${renderForm(`/accounts/${id}`, token, content)}
  </details>`;
}

function renderQuota({ name, used, limit }: AccountJson['quotas'][number]): SafeHtml {
  const label = formatQuotaLabel(name as QuotaName);
  const share = limit <= 0 ? 1 : used / limit;
  const state = share >= 1 ? 'full' : share >= nearlyFull ? 'near' : 'fine';
  const note = state === 'full' ? ', full' : state === 'near' ? ', nearly full' : '';
  const width = Math.min(200, Math.round(share * 200));
  return html`<li class="gauge ${state}">
    <span>${label}</span><span class="figures">${used} of ${limit}${note}</span>
    <svg role="img" aria-label="${label}: ${used} of ${limit}" viewBox="0 0 200 8" preserveAspectRatio="none">
      <rect class="track" width="200" height="8"/>
      <rect class="used" width="${width}" height="8"/>
    </svg>
  </li>`;
}
