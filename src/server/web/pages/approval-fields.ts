import { html, nothing, type Html } from '../parts/markup.ts';

/** What stands in the form: what was typed, but for variables, which are never shown. */
export interface WorkspaceFields {
  readonly name: string;
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly poll: boolean;
  readonly connection?: string | null | undefined;
  readonly applyOnMerge: boolean;
  readonly approvals: { readonly count: number; readonly byAuthor: boolean };
  readonly applyWhenApproved: boolean;
}

/** The rule of a workspace: who has to say yes before a plan is applied. */
export function renderApprovalFields({
  approvals,
  applyWhenApproved,
}: Pick<WorkspaceFields, 'approvals' | 'applyWhenApproved'>): Html {
  const box = (name: string, label: string, isChecked: boolean) =>
    html`<p class="check">
      <input
        type="checkbox"
        id="${name}"
        name="${name}"
        value="yes"
        ${isChecked ? html` checked` : nothing}
      /><label for="${name}">${label}</label>
    </p>`;
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
    ${box('byAuthor', 'Whoever started the plan counts, too', approvals.byAuthor)}${box('applyWhenApproved', 'Apply a plan as soon as it has its approvals', applyWhenApproved)}
  </fieldset>`;
}
