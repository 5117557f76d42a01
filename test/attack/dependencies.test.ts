// What an install brings along, as the lock file and the manifest say. `test/cli/package.ci.test.ts` installs it.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { answerSandboxPageRequest } from '../../src/sandbox/pages/pages.ts';

const root = resolve(import.meta.dirname, '../..');
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

interface Locked {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

describe('attack r: a dependency that runs a script at install, or phones home', () => {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, Locked> };
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);

  it('is not among them, but for the SQLite binding, whose script need not run', () => {
    const running = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(running.map(([path]) => path)).toEqual(['node_modules/@photostructure/sqlite']);
    expect(installed.map(([path]) => path).filter((path) => /scarf|telemetry/i.test(path))).toEqual(
      [],
    );
  });

  it('is not this package itself', () => {
    const { scripts } = readJson('package.json') as { scripts: Record<string, string> };
    for (const name of ['preinstall', 'install', 'postinstall']) {
      expect(scripts).not.toHaveProperty(name);
    }
    // Of a repository, `prepare` builds what pre-commit installs; what was packed is built, and nothing runs.
    expect(scripts['prepare']).toMatch(/^test -e dist\/main\.js \|\| /);
  });

  it('shows no page: what a browser is given comes from the sandbox alone', async () => {
    const sandbox = await openSandbox({ dataFile: ':memory:', now: () => 0 });
    for (const path of ['/', '/docs', '/page.css', '/docs/page.css', '/page.js', '/docs/page.js']) {
      const page = answerSandboxPageRequest(sandbox, {
        method: 'GET',
        url: new URL(`http://127.0.0.1:8080${path}`),
      });
      const text = page?.text ?? '';
      expect(text.length, path).toBeGreaterThan(300);
      const loaded = [...text.matchAll(/(?:src|href|url|import)\s*[=(]\s*["']?([^"')>\s]+)/g)];
      const outside = loaded.map(([, url = '']) => url).filter((url) => !/^[/#]/.test(url));
      expect(outside, path).toEqual([]);
      const policy = page?.headers['Content-Security-Policy'];
      expect(policy).toContain("default-src 'none'; script-src 'self';");
    }
    sandbox.close();
  });
});
