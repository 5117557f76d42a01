import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { renderPageTable } from '../parts/elements.ts';
import { renderTimeAgo } from '../parts/words.ts';

const heads = ['Number', 'Who', 'What', 'On what', 'From', 'When'];

/** Renders the audit log, the newest entries first. */
export function renderAuditPage(
  entries: readonly AuditEntry[],
  hasMore: boolean,
  now: number,
): SafeHtml {
  const last = entries.at(-1)?.seq;
  const rows = entries.map((entry) => renderRow(entry, now));
  const none = html`<p class="dim">There are no entries here.</p>`;
  const older = html`<p class="paging"><a class="button" rel="next" href="/audit?before=${last}">Older entries</a></p>`;
  return html`<div class="head">
      <h1>Audit</h1>
      <a class="button" href="/api/v1/audit" download="audit.jsonl">Export as JSON Lines</a>
    </div>
    <p class="dim">
      Who did what. Each entry holds the hash of the entry before it.
      <code>hostwright server --verify-audit</code> checks that nobody changed one.
    </p>
    ${entries.length === 0 ? none : renderPageTable('rows audit', heads, rows)}
    ${hasMore && last !== undefined && older}`;
}

function renderRow(
  { seq, at, actor, act, target, result, detail }: AuditEntry,
  now: number,
): SafeHtml {
  const { name, kind, address } = actor;
  const more =
    detail === '{}' ? emptyHtml : html`<span class="place"><code>${detail}</code></span>`;
  return html`<tr>
    <td>${seq}</td>
    <th scope="row">${name}${name !== kind && html` <span class="dim">${kind}</span>`}</th>
    <td><code>${act}</code> ${result === 'refused' && html`<span class="badge bad">refused</span>`}</td>
    <td><code>${target}</code>${more}</td>
    <td>${address}</td>
    <td>${renderTimeAgo(at, now)}</td>
  </tr>`;
}
