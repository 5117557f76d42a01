import { html, nothing, type Html } from '../../../model/text/html.ts';

/** A line of text in a form. */
export interface TextField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** What is said below it; nothing where it is empty. */
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
}

/** Renders it. Browsers suggest nothing for it, and send its words to no spelling service. */
export function renderTextField(field: TextField): Html {
  const { name, label, value, hint = '', placeholder, isRequired = false } = field;
  return html`<p>
    <label for="${name}">${label}</label
    ><input
      id="${name}"
      name="${name}"
      value="${value}"
      autocomplete="off"
      spellcheck="false"
      ${placeholder === undefined ? nothing : html` placeholder="${placeholder}"`}
      ${hint === '' ? nothing : html` aria-describedby="${name}-hint"`}
      ${isRequired ? html` required` : nothing}
    />${hint === '' ? nothing : html`<span class="hint" id="${name}-hint">${hint}</span>`}
  </p>`;
}
