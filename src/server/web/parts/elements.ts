// Pieces that several pages are made of.
import { html, type SafeHtml, type HtmlTemplatePart } from '../../../model/text/html.ts';

/** Why the last form of a page was refused; nothing where it was not. */
export function renderFormRefusal(fault: string | undefined): SafeHtml {
  return html`${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}`;
}

/** Renders the notice that the server is held; nothing where it is not. */
export function renderServerHold(reason: string | undefined): SafeHtml {
  return html`${reason !== undefined && html`<p class="callout warn"><b>The server is held:</b> it plans, and applies nothing until an administrator releases it. ${reason}</p>`}`;
}

/** Renders a list of labels and values; a value that is undefined or false is left out. */
export function renderFactList(facts: Readonly<Record<string, HtmlTemplatePart>>): SafeHtml {
  const rows = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false);
  return html`<dl class="facts">${rows.map(([label, fact]) => html`<div><dt>${label}</dt><dd>${fact}</dd></div>`)}</dl>`;
}

/** Renders a table from its column headings and rows. */
export function renderPageTable(
  style: string,
  heads: readonly string[],
  rows: readonly SafeHtml[],
): SafeHtml {
  return html`<table class="${style}">
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;
}

/** Renders the text in the place of an empty list. */
export function renderEmptyList(...content: readonly SafeHtml[]): SafeHtml {
  return html`<div class="empty">${content}</div>`;
}

/** Renders a form that changes something, with the token that protects it. */
export function renderForm(action: string, formToken: string, content: SafeHtml): SafeHtml {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="formToken" value="${formToken}">${content}
  </form>`;
}

/** Renders the options of a select element, each with value and label. */
export function renderSelectOptions(
  options: readonly (readonly [value: string | number, label: string])[],
  selected: string | number,
): SafeHtml[] {
  return options.map(
    ([value, label]) =>
      html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`,
  );
}

/** Renders a checkbox with its label. */
export function renderCheckbox(
  name: string,
  label: HtmlTemplatePart,
  isChecked: boolean,
  { id = name, value = 'yes' } = {},
): SafeHtml {
  return html`<p class="check">
    <input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked && html` checked`}><label for="${id}">${label}</label>
  </p>`;
}

/** A one-line text field of a form. */
export interface TextFieldOptions {
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

/** Renders a one-line text field. It asks browsers neither to suggest values nor to send the text to a spelling service. */
export function renderTextField(field: TextFieldOptions): SafeHtml {
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
    <label for="${id}">${label}</label><input id="${id}" name="${name}" autocomplete="off" spellcheck="false"${attributes}>${renderFieldHint(id, hint)}
  </p>`;
}

/** Renders a text field with several lines. */
export function renderMultilineField(
  { name, id = name, label, hint = '', placeholder }: TextFieldOptions,
  rows: number,
  lines: SafeHtml,
): SafeHtml {
  return html`<p>
    <label for="${id}">${label}</label><textarea id="${id}" name="${name}" rows="${rows}"${placeholder !== undefined && html` placeholder="${placeholder}"`} autocomplete="off" spellcheck="false" aria-describedby="${id}-hint">
${lines}</textarea>${renderFieldHint(id, hint)}
  </p>`;
}

/** Renders the hint below a form's field. */
export function renderFieldHint(id: string, hint: string): SafeHtml {
  return html`${hint !== '' && html`<span class="hint" id="${id}-hint">${hint}</span>`}`;
}
