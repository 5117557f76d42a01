import { renderCheck } from '../parts/check-box.ts';
import { html, type Html } from '../../../model/text/html.ts';

/** What was typed about approvals. */
export interface ApprovalFields {
  readonly approvals: { readonly count: number; readonly byAuthor: boolean };
  readonly applyWhenApproved: boolean;
}

/** The rule of a workspace: who has to say yes before a plan is applied. */
export function renderApprovalFields({ approvals, applyWhenApproved }: ApprovalFields): Html {
  return html`<fieldset>
    <legend>Approvals</legend>
    <p>
      <label for="approvals">How many people have to approve a plan</label
      ><input
        id="approvals"
        name="approvals"
        type="number"
        min="0"
        max="10"
        value="${approvals.count}"
        required
      />
    </p>
    ${renderCheck('byAuthor', 'Whoever started the plan counts, too', approvals.byAuthor)}${renderCheck('applyWhenApproved', 'Apply a plan as soon as it has its approvals', applyWhenApproved)}
  </fieldset>`;
}
