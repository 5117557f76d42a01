import { html, type SafeHtml } from '../../model/text/html.ts';

/** Parts in which the sandbox's pages differ. */
export interface SandboxPageParts {
  readonly title: string;
  /** Folder of the page's `page.css` and `page.js`: '' or '/docs'. */
  readonly folder: '' | '/docs';
  readonly body: SafeHtml;
}

/** Renders a page of the sandbox: the common head with the page's own body. */
export function renderSandboxPage({ title, folder, body }: SandboxPageParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg">
        <link rel="stylesheet" href="${folder}/page.css">
        <script src="${folder}/page.js" defer></script>
      </head>
      <body>${body}</body>
    </html>`.markup;
}
