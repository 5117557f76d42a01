import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import type { ApprovalJson } from '../../api/approval-routes.ts';
import { ignoredDecisionReasons } from '../../store/approvals.ts';
import { renderForm } from '../parts/elements.ts';
import { formatGroupedCount, renderTimeAgo } from '../parts/words.ts';

/** Renders the decisions about a plan, and the form to decide. */
export function renderPlanApproval(
  runId: string,
  approval: ApprovalJson,
  formToken: string,
  now: number,
): SafeHtml {
  const { state, decisions, mayDecide, isOwn, note, replaced } = approval;
  if (state === 'notNeeded' || (state === 'closed' && decisions.length === 0)) return emptyHtml;
  const fields = renderFields(isOwn && note === undefined);
  return html`<section class="card approval" aria-labelledby="approval">
    <h2 id="approval">Approval</h2>
    <p>${describe(approval)}</p>
    ${note !== undefined && html`<p class="callout warn" role="status">${note}</p>`}
    ${replaced && renderReplaced(replaced)}
    ${decisions.length > 0 && html`<ul class="decisions">${decisions.map((one) => renderDecision(one, now))}</ul>`}
    ${mayDecide && renderForm(`/runs/${runId}/approvals`, formToken, fields)}
  </section>`;
}

function renderReplaced({ id, number, approvedBy }: NonNullable<ApprovalJson['replaced']>) {
  return html`<p>
    ${approvedBy.join(', ')} approved <a href="/runs/${id}">plan #${number}</a>. This plan differs
    from it, so approvals begin anew. The differences are below.
  </p>`;
}

function describe({ state, needed, policies, given, applyWhenApproved }: ApprovalJson): string {
  const asked = policies.length === 0 ? '' : `, as the policy ${policies.join(', ')} asks`;
  const figures = `${given} of ${formatGroupedCount(needed, 'approval')}${asked}`;
  switch (state) {
    case 'approved':
      return `${figures}: the plan can be applied.`;
    case 'rejected':
      return 'Somebody said no: the plan cannot be applied.';
    case 'waiting':
      return applyWhenApproved
        ? `${figures}. The server applies the plan as soon as it has all of them.`
        : `${figures}. The plan can be applied once it has all of them.`;
    default:
      return 'The plan is not open any more.';
  }
}

function renderDecision(
  { name, decision, comment, at, ignored, carriedFrom, review }: ApprovalJson['decisions'][number],
  now: number,
): SafeHtml {
  const badge =
    decision === 'yes'
      ? html`<span class="badge good"><span aria-hidden="true">✓</span> Yes</span>`
      : html`<span class="badge bad"><span aria-hidden="true">✕</span> No</span>`;
  const why =
    ignored && html` <span class="dim">does not count: ${ignoredDecisionReasons[ignored]}</span>`;
  const by =
    review &&
    html` <span class="dim">by a review of pull request #${review.pull} at ${review.connection}</span>`;
  const of =
    carriedFrom &&
    html` <span class="dim">(<a href="/runs/${carriedFrom.id}">plan #${carriedFrom.number}</a>, the same)</span>`;
  return html`<li>
    ${badge} <b>${name}</b>${by}${of}
    <span class="dim">${renderTimeAgo(at, now)}</span>${why}${comment !== '' && html`<br>${comment}`}
  </li>`;
}

function renderFields(isOwn: boolean): SafeHtml {
  return html`<label for="comment">Comment</label><textarea id="comment" name="comment" rows="2" maxlength="2000"></textarea>
    ${isOwn && html`<p class="dim">You started this plan: your yes does not count.</p>`}
    <div class="actions"><button name="decision" value="yes" class="primary">Approve</button><button name="decision" value="no" class="danger">Reject</button></div>`;
}
