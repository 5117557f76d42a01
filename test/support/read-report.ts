// What a reader finds in a report, without a browser: its headings, figures and lines, as plain text.

/** What a browser shows of a piece of markup. */
export const readText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** One change of a report. */
export interface ReportChange {
  readonly address: string;
  readonly action: string;
  /** The line that is seen while it is closed. */
  readonly headline: string;
  /** Below it: reasons and losses. */
  readonly remarks: readonly string[];
  /** Of what changes, a line each: the name, and its cells. */
  readonly attributes: readonly string[];
}

/** One finding of a report. */
export interface ReportFinding {
  /** `Error: Too many cores [quota-exceeded]`. */
  readonly title: string;
  readonly address: string | undefined;
}

/** A report as its reader has it. */
export interface ReadReport {
  readonly title: string;
  readonly sections: readonly string[];
  /** `1 to add`. */
  readonly figures: readonly string[];
  readonly closing: readonly string[];
  readonly changes: readonly ReportChange[];
  readonly findings: readonly ReportFinding[];
}

/** Reads a report's page. */
export const readReport = (html: string): ReadReport => ({
  title: readText(/<h1>([^]*?)<\/h1>/.exec(html)?.[1] ?? ''),
  sections: texts(html, /<h2 [^>]*>([^]*?)<\/h2>/g),
  figures: texts(html, /<b>(\d+<\/b> <span>[^<]+)<\/span>/g),
  closing: texts(html, /<p class="closing-[^>]*>([^]*?)<\/p>/g),
  changes: pieces(html, /<li data-[^]*?<\/details><\/li>/g).map(readChange),
  findings: pieces(html, /<article class="finding [^]*?<\/article>/g).map(readFinding),
});

function readChange(whole: string): ReportChange {
  // Which they are is said by the address.
  const html = whole.replace(/<details class="fold members">[^]*?<\/details>/, '');
  const summary = /<summary>([^]*?)<\/summary>/.exec(html)?.[1] ?? '';
  return {
    address: readText(/<code>([^]*?)<\/code>/.exec(summary)?.[1] ?? ''),
    action: /data-action="([^"]*)"/.exec(html)?.[1] ?? '',
    headline: readText(parted(summary).replace('</span><code>', '</span> <code>')),
    remarks: texts(html, /<p class="(?:reason|loses)">([^]*?)<\/p>/g),
    attributes: pieces(html, /<tr(?! class="same)[^]*?<\/tr>/g).map((row) =>
      texts(parted(row), /<t[hd][^>]*>([^]*?)<\/t[hd]>/g).join(' | '),
    ),
  };
}

/** A tag is parted from what it stands behind by its frame: here by a dot. */
const parted = (html: string): string => html.replaceAll('<span class="tag', ' · $&');

function readFinding(html: string): ReportFinding {
  const address = /<p class="place">with (?:<a [^>]*>)?<code>([^]*?)<\/code>/.exec(html)?.[1];
  return {
    title: readText(/<h3>([^]*?)<\/h3>/.exec(html)?.[1] ?? ''),
    address: address === undefined ? undefined : readText(address),
  };
}

const pieces = (html: string, pattern: RegExp): string[] =>
  Array.from(html.matchAll(pattern), ([piece]) => piece);

const texts = (html: string, pattern: RegExp): string[] =>
  Array.from(html.matchAll(pattern), ([, text = '']) => readText(text));

/** The report as an outline: what a golden case keeps of it. */
export function outlineReport(html: string): string {
  const { title, sections, figures, closing, changes, findings } = readReport(html);
  return [
    `# ${title}`,
    sections.join(' · '),
    '',
    ...closing,
    figures.join(', '),
    '',
    ...findings.map(({ title: text, address }) =>
      address === undefined ? text : `${text} with ${address}`,
    ),
    ...changes.flatMap(({ headline, remarks, attributes }) => [
      '',
      headline,
      ...remarks.map((remark) => `  ${remark}`),
      ...attributes.map((attribute) => `    ${attribute}`),
    ]),
    '',
  ].join('\n');
}
