// Pieces that several pages are made of.
import { html, type Html, type HtmlPart } from '../../../model/text/html.ts';

/** Why the last form of a page was refused; nothing where it was not. */
export function renderRefusal(fault: string | undefined): Html {
  return html`${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}`;
}

/** Renders the notice that the server is held; nothing where it is not. */
export function renderHold(reason: string | undefined): Html {
  return html`${reason !== undefined && html`<p class="callout warn"><b>The server is held:</b> it plans, and applies nothing until an administrator releases it. ${reason}</p>`}`;
}

/** Facts by their labels; what is undefined or false is left out. */
export function renderFacts(facts: Readonly<Record<string, HtmlPart>>): Html {
  const rows = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false);
  return html`<dl class="facts">${rows.map(([label, fact]) => html`<div><dt>${label}</dt><dd>${fact}</dd></div>`)}</dl>`;
}

/** Renders a table from its column headings and rows. */
export function renderPageTable(
  style: string,
  heads: readonly string[],
  rows: readonly Html[],
): Html {
  return html`<table class="${style}">
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;
}

/** Renders the text in the place of an empty list. */
export function renderEmpty(...content: readonly Html[]): Html {
  return html`<div class="empty">${content}</div>`;
}

/** Renders a form that changes something, with the token that protects it. */
export function renderForm(action: string, formToken: string, content: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="formToken" value="${formToken}">${content}
  </form>`;
}

/** Renders the options of a select element, each with value and label. */
export function renderOptions(
  options: readonly (readonly [value: string | number, label: string])[],
  selected: string | number,
): Html[] {
  return options.map(
    ([value, label]) =>
      html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`,
  );
}

/** Renders a checkbox with its label. */
export function renderCheck(
  name: string,
  label: HtmlPart,
  isChecked: boolean,
  { id = name, value = 'yes' } = {},
): Html {
  return html`<p class="check">
    <input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked && html` checked`}><label for="${id}">${label}</label>
  </p>`;
}

/** A one-line text field of a form. */
export interface TextField {
  readonly name: string;
  /** HTML id of the field, where several have one name; the name when absent. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string | undefined;
  /** Hint below the field; none where it is empty. */
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** Regular expression that the whole text must match. */
  readonly pattern?: string;
}

/** Renders it. Browsers suggest nothing for it, and send its words to no spelling service. */
export function renderTextField(field: TextField): Html {
  const { name, id = name, label, value, hint = '', placeholder, isRequired } = field;
  const { maxLength, pattern } = field;
  const attributes = [
    value !== undefined && html` value="${value}"`,
    placeholder !== undefined && html` placeholder="${placeholder}"`,
    hint !== '' && html` aria-describedby="${id}-hint"`,
    isRequired === true && html` required`,
    maxLength !== undefined && html` maxlength="${maxLength}"`,
    pattern !== undefined && html` pattern="${pattern}"`,
  ];
  return html`<p>
    <label for="${id}">${label}</label><input id="${id}" name="${name}" autocomplete="off" spellcheck="false"${attributes}>${renderHint(id, hint)}
  </p>`;
}

/** Renders a text field with several lines. */
export function renderLinesField(
  { name, id = name, label, hint = '', placeholder }: TextField,
  rows: number,
  lines: Html,
): Html {
  return html`<p>
    <label for="${id}">${label}</label><textarea id="${id}" name="${name}" rows="${rows}" placeholder="${placeholder}" autocomplete="off" spellcheck="false" aria-describedby="${id}-hint">
${lines}</textarea>${renderHint(id, hint)}
  </p>`;
}

/** Renders the hint below a form's field. */
export function renderHint(id: string, hint: string): Html {
  return html`${hint !== '' && html`<span class="hint" id="${id}-hint">${hint}</span>`}`;
}
