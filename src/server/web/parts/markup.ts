import { createHtmlTemplate, type Html } from '../../../model/text/html-template.ts';
import { escapeMarkup } from '../../../render/format/escape-markup.ts';

export type { Html } from '../../../model/text/html-template.ts';

/**
 * A template of markup for the pages of the server. Names, reasons and addresses come from strangers: what is not to be seen
 * or would turn the reading direction stands as its number.
 */
export const html = createHtmlTemplate(escapeMarkup);

/** Nothing. */
export const nothing: Html = html``;
