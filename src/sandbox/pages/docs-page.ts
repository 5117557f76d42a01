import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Contract } from '../contract-file.ts';

/** Files of the viewer's package that the page needs. */
export const viewerFiles = {
  '/docs/swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  '/docs/swagger-ui.css': 'swagger-ui.css',
} as const;

/** The text of a file of `swagger-ui-dist`, from wherever that package is installed. */
export async function readViewerFile(path: keyof typeof viewerFiles): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  return readFile(join(dirname(manifest), viewerFiles[path]), 'utf8');
}

/**
 * The contract as the viewer takes it: requests go to this very sandbox, and the token is given as it is, because
 * nobody here issues one by OAuth2.
 */
export function describeForViewer(contract: Contract): string {
  const bearer = {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token that the sandbox printed when it started.',
  };
  return JSON.stringify({
    ...contract,
    servers: [{ url: '/v1', description: 'This sandbox' }],
    components: { ...contract.components, securitySchemes: { oauth2: bearer } },
  });
}

export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>API reference - Hostwright sandbox</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/page.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/page.js" defer></script>
  </head>
  <body>
    <nav aria-label="Pages"><a href="/">Live page of this sandbox</a></nav>
    <main id="viewer"><p>The reference needs JavaScript.</p></main>
  </body>
</html>
`;

export const docsStyle = `
body { margin: 0; background: #fff; }
nav { max-width: 1460px; margin: 0 auto; padding: .75rem 20px 0; font: 15px/1.4 system-ui, sans-serif; }
nav a { color: #1d5fa8; }
html.dark-mode body { background: #1c2022; }
html.dark-mode nav a { color: #7cb8f5; }
`;

/** Opens the viewer, in the colours that the reader's system asks for. */
export const docsScript = `
const night = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', night.matches);
follow();
night.addEventListener('change', follow);
SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
  persistAuthorization: false,
});
`;
