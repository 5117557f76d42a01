import type { QuotaName } from '../../../model/account/live.ts';
import { quotaLabel } from '../../../render/view/labels.ts';
import type { ShownAccount } from '../../api/overview-routes.ts';
import { html, nothing, type Html } from '../parts/markup.ts';
import { count, showAge } from '../parts/words.ts';

/** From this share of its limit on, a quota is nearly full. */
const nearlyFull = 0.8;

/** The accounts that workspaces share, with their quotas. */
export function renderAccounts(accounts: readonly ShownAccount[], now: number): Html {
  return html`<h1>Accounts</h1>
    ${
      accounts.length === 0
        ? html`<div class="empty">
            <h2>No account is known yet</h2>
            <p>The server learns of an account and its quotas when it plans a workspace.</p>
          </div>`
        : accounts.map((account) => renderAccount(account, now))
    }`;
}

function renderAccount(account: ShownAccount, now: number): Html {
  const { service, mark, quotas, seenAt, workspaces, workspaceCount } = account;
  const more = workspaceCount - workspaces.length;
  const id = `account-${mark}`;
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">
      ${service === '' ? 'Address from the configuration' : html`<code>${service}</code>`}
    </h2>
    <p class="dim">
      Token <code title="The beginning of a hash of the token">${mark}</code>,
      ${count(workspaceCount, 'workspace')}. Quotas as the last plan or apply knew them,
      ${showAge(seenAt, now)}.
    </p>
    <ul class="gauges">
      ${quotas.map(renderQuota)}
    </ul>
    <p class="names">
      ${workspaces.map((name) => html`<a href="/workspaces/${name}">${name}</a> `)}${more > 0 ? html`<span class="dim">and ${count(more, 'more workspace')}</span>` : nothing}
    </p>
  </section>`;
}

function renderQuota({ name, used, limit }: ShownAccount['quotas'][number]): Html {
  const label = quotaLabel(name as QuotaName);
  const share = limit <= 0 ? 1 : used / limit;
  const state = share >= 1 ? 'full' : share >= nearlyFull ? 'near' : 'fine';
  const note = state === 'full' ? ', full' : state === 'near' ? ', nearly full' : '';
  const width = Math.min(200, Math.round(share * 200));
  return html`<li class="gauge ${state}">
    <span>${label}</span><span class="figures">${used} of ${limit}${note}</span>
    <svg
      role="img"
      aria-label="${label}: ${used} of ${limit}"
      viewBox="0 0 200 8"
      preserveAspectRatio="none"
    >
      <rect class="track" width="200" height="8" />
      <rect class="used" width="${width}" height="8" />
    </svg>
  </li>`;
}
