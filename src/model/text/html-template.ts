/** Markup that may stand in a page as it is. */
export interface Html {
  readonly markup: string;
}

/** What a template takes: text and numbers, markup, lists of these; nothing for what there is not. */
export type HtmlPart = string | number | undefined | Html | readonly HtmlPart[];

/** A template of markup. */
export type HtmlTemplate = (strings: TemplateStringsArray, ...parts: HtmlPart[]) => Html;

/** Makes a template in which every text is escaped by a function, unless it is markup itself. */
export function createHtmlTemplate(escape: (text: string) => string): HtmlTemplate {
  const write = (part: HtmlPart): string => {
    if (part === undefined) return '';
    if (typeof part === 'number') return String(part);
    if (typeof part === 'string') return escape(part);
    return 'markup' in part ? part.markup : part.map(write).join('');
  };
  return (strings, ...parts) => ({
    markup: strings.map((text, index) => text + write(parts[index])).join(''),
  });
}
