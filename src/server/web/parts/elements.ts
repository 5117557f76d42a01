// Pieces that several pages are made of.
import { html, type Html, type HtmlPart } from '../../../model/text/html.ts';

/** Why the last form of a page was refused; nothing where it was not. */
export function renderRefusal(fault: string | undefined): Html {
  return html`${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}`;
}

/** That the server is held; nothing where it is not. */
export function renderHold(reason: string | undefined): Html {
  return html`${reason !== undefined && html`<p class="callout warn"><b>The server is held:</b> it plans, and applies nothing until an administrator releases it. ${reason}</p>`}`;
}

/** Facts by their labels; what is undefined or false is left out. */
export function renderFacts(facts: Readonly<Record<string, HtmlPart>>): Html {
  const rows = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== false);
  return html`<dl class="facts">${rows.map(([label, fact]) => html`<div><dt>${label}</dt><dd>${fact}</dd></div>`)}</dl>`;
}

/** A table: the heads of its columns, and its rows. */
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

/** The text in place of a list that has nothing in it. */
export function renderEmpty(...content: readonly Html[]): Html {
  return html`<div class="empty">${content}</div>`;
}

/** A form that changes something. */
export function renderForm(action: string, formToken: string, content: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="formToken" value="${formToken}">${content}
  </form>`;
}

/** The choices of a select: a value and its label each. */
export function renderOptions(
  options: readonly (readonly [value: string | number, label: string])[],
  selected: string | number,
): Html[] {
  return options.map(
    ([value, label]) =>
      html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`,
  );
}

/** A box of a form with its label. */
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

/** A line of text in a form. */
export interface TextField {
  readonly name: string;
  /** Told apart from others of the name; the name unless given. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string | undefined;
  /** Below it; nothing where it is empty. */
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** A regular expression that the whole of it fits. */
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

/** Several lines of text in a form. */
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

/** The words below a field. */
export function renderHint(id: string, hint: string): Html {
  return html`${hint !== '' && html`<span class="hint" id="${id}-hint">${hint}</span>`}`;
}
