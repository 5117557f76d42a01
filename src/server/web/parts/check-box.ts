import { html, nothing, type Html } from '../../../model/text/html.ts';

/** A box of a form with its label. */
export function renderCheck(name: string, label: string, isChecked: boolean): Html {
  return html`<p class="check">
    <input
      type="checkbox"
      id="${name}"
      name="${name}"
      value="yes"
      ${isChecked ? html` checked` : nothing}
    /><label for="${name}">${label}</label>
  </p>`;
}
