import { createHash } from 'node:crypto';
import { serverPageStyle } from '../style/page-style.ts';
import { runLogScript } from '../scripts/log-script.ts';

/** A file that pages load: a script or a style sheet. */
interface Asset {
  readonly type: string;
  readonly text: string;
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3"
 fill="#0550ae"/><path d="M4 3v10M12 3v10M4 8h8" stroke="#fff" stroke-width="2" fill="none"/></svg>`;

const assets: Readonly<Record<string, Asset>> = {
  'pages.css': { type: 'text/css; charset=utf-8', text: serverPageStyle },
  'log.js': { type: 'text/javascript; charset=utf-8', text: runLogScript },
  'favicon.svg': { type: 'image/svg+xml', text: favicon },
};

const digests = new Map(
  Object.entries(assets).map(([name, { text }]) => [
    name,
    createHash('sha256').update(text).digest('hex').slice(0, 12),
  ]),
);

/**
 * Finds the path of a script or style sheet of the pages. It changes with the content, so that browsers may cache the file for
 * long.
 */
export function findAssetPath(name: string): string {
  return `/assets/${name}?v=${digests.get(name) ?? ''}`;
}

/** Answers the request for a file of the pages; undefined where there is none. */
export function answerWithAsset(name: string): Response | undefined {
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  return (
    asset &&
    new Response(asset.text, {
      headers: {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
      },
    })
  );
}
