import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the index for language models lists the pages of the README, with their questions', async () => {
  const [, title, summary] =
    /^# (.+)\n+(?:!?\[.*\n+)*([^#!\n][^]*?)\n\n/m.exec(read('README.md')) ?? [];
  const rows = [
    ...read('README.md').matchAll(/^\| \[([^\]]+)\]\(docs\/([\w-]+\.md)\) +\| (.+?) *\|$/gm),
  ];
  expect(rows.length).toBeGreaterThan(20);
  const lines = rows.map(([, name, file, question]) => `- [${name!}](${file!}): ${question!}`);
  const index = `# ${title!}\n\n> ${summary!.replaceAll('\n', ' ')}\n\n## Docs\n\n${lines.join('\n')}\n`;
  await expect(index).toMatchFileSnapshot('../../../docs/llms.txt');
});
