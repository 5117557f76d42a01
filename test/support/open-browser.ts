import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

/** Debian's, or the one that is named. */
const browserPath = process.env.HOSTWRIGHT_CHROMIUM ?? '/usr/bin/chromium';

/** Whoever has no Chromium sees tests in a browser counted as skipped; CI has to have one. */
export const hasBrowser = existsSync(browserPath) || process.env.CI === 'true';

/** A Chromium with a profile of its own. */
export interface Browser {
  readonly context: BrowserContext;
  /** Ends it and removes its profile. */
  close(): Promise<void>;
}

/** Starts a Chromium that nobody sees and that asks nobody for anything. */
export async function openBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'hostwright-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath,
    headless: true,
    viewport: { width: 1200, height: 900 },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--no-first-run'],
    ],
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
