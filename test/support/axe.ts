import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong with a page, by all its rules or by one. Its script is put in from outside, since the policy of our
 * pages lets no script of others in.
 */
export async function findBarriers(page: Page, rule?: string): Promise<string[]> {
  await page.evaluate(source);
  const options = rule === undefined ? {} : { runOnly: [rule] };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
