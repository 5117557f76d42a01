import type { ServerInfoJson } from '../../api/overview-routes.ts';
import {
  renderFactList,
  renderForm,
  renderServerHold,
  renderFormRefusal,
  renderPageTable,
  renderTextField,
} from '../parts/elements.ts';
import { html, type SafeHtml } from '../../../model/text/html.ts';
import { formatGroupedCount, renderTimeAgo } from '../parts/words.ts';

/** Renders the page about the server itself: version, workers, encryption key and browser sessions. */
export function renderSettingsPage(
  server: ServerInfoJson,
  formToken: string,
  now: number,
  fault?: string,
): SafeHtml {
  const { version, key, sessionCount, workers, hold, sweptAt } = server;
  const rotation =
    key.staleTexts === 0
      ? 'Variables, tokens, saved plans, logs, pages of plans, steps, comments and outputs are encrypted with it. Names, statuses, the addresses of changes, people, webhooks and the audit log are not; states are where a configuration says so.'
      : `${formatGroupedCount(key.staleTexts, 'text')} in the database ${key.staleTexts === 1 ? 'is' : 'are'} encrypted with an older key. Restart the server with both keys.`;
  const rows = workers.map(
    ({ id, host, version: own, startedAt, runCount }) => html`<tr>
      <th scope="row"><code title="${id}">${id.slice(0, 8)}</code></th>
      <td>${host}</td>
      <td>${own}</td>
      <td>${runCount === 0 ? 'idle' : formatGroupedCount(runCount, 'run')}</td>
      <td>${renderTimeAgo(startedAt, now)}</td>
    </tr>`,
  );
  const heads = ['Worker', 'Machine', 'Version', 'Runs', 'Started'];
  const leave = html`<button class="danger">Sign out everywhere</button>`;
  return html`<h1>Settings</h1>
    ${renderFormRefusal(fault)}
    <section aria-labelledby="server">
      <h2 id="server">Server</h2>
      ${renderFactList({ Version: version, Key: html`<code>${key.id}</code>`, 'Old logs deleted': sweptAt !== undefined && renderTimeAgo(sweptAt, now) })}
      <p>${rotation}</p>
    </section>
    <section aria-labelledby="hold">
      <h2 id="hold">Maintenance</h2>
      ${hold ? renderRelease(hold, formToken, now) : renderHoldForm(formToken)}
    </section>
    <section aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      <p class="dim">Processes that are connected to the database now, servers among them.</p>
      ${renderPageTable('rows workers', heads, rows)}
    </section>
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <p>
        ${formatGroupedCount(sessionCount, 'browser')} ${sessionCount === 1 ? 'is' : 'are'} signed in. A session
        ends after 8 hours without a request, and after 7 days at the latest.
      </p>
      ${renderForm('/sign-out-everywhere', formToken, leave)}
    </section>`;
}

function renderHoldForm(formToken: string): SafeHtml {
  const reason = renderTextField({
    name: 'reason',
    label: 'Reason',
    isRequired: true,
    maxLength: 500,
    hint: 'Everybody sees it.',
  });
  return html`<p class="dim">
      While the server is held, it plans and applies nothing. What is being applied goes on to its end.
    </p>
    ${renderForm('/server/hold', formToken, html`${reason}<button class="danger">Hold the server</button>`)}`;
}

function renderRelease(
  { reason, since }: NonNullable<ServerInfoJson['hold']>,
  formToken: string,
  now: number,
): SafeHtml {
  return html`${renderServerHold(reason)}
    <p class="dim">Held ${renderTimeAgo(since, now)}. Applies that were queued before begin once it is released: cancel those that should not.</p>
    ${renderForm('/server/release', formToken, html`<button class="primary">Release the server</button>`)}`;
}
