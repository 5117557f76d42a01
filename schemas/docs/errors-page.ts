// docs/errors.md, made from the catalogue of diagnostics: each code, what is said with it, and what helps.
import type { CatalogueEntry } from './collect-diagnostics.ts';
import { notes } from './diagnostic-notes.ts';
import { anchorOf, item, plain, sentence, wrap } from './markdown.ts';

const header = `# Errors, warnings and notes

<!-- Made by \`npm run generate\` from schemas/diagnostics.json. Do not edit. -->

Every message has a stable code in brackets, such as \`[unknown-key]\`. This page lists all codes.
A word in italics, or in angle brackets within code, stands for a value of your configuration
or account.

- An **error** stops the command. Nothing is changed by a plan with errors.
- A **warning** needs your attention. The command continues.
- A **note** explains what Hostwright does.

`;

/** Where users meet a message, and the folders of the source that report it there. */
const subjects: readonly (readonly [title: string, folders: readonly string[]])[] = [
  ['Configuration', ['config', 'expressions', 'modules']],
  ['Plan', ['plan', 'checks', 'kinds', 'live']],
  ['Apply', ['execute', 'engine']],
  ['State', ['state']],
  ['Service', ['api']],
  ['Commands', ['commands', 'cli', 'model']],
  ['Sandbox', ['sandbox']],
  ['Server', ['server']],
];

/** As many messages of one code are shown. */
const maxShown = 4;

/** The page. */
export function renderErrorsPage(catalogue: readonly CatalogueEntry[]): string {
  const sections = subjects.map(([title, folders]) => ({
    title,
    entries: catalogue.filter((entry) => folders.includes(entry.folders[0] ?? '')),
  }));
  const contents = sections.map(({ title, entries }) => {
    const links = entries.map(({ code }) => `[${code}](#${code})`);
    return item(`[${title}](#${anchorOf(title)}): ${links.join(', ')}`);
  });
  const bodies = sections.map(
    ({ title, entries }) => `## ${title}\n\n${entries.map(describe).join('\n')}`,
  );
  return `${header}${contents.join('\n')}\n\n${bodies.join('\n')}`;
}

function describe({ code, severities, summaries, hints }: CatalogueEntry): string {
  const { means, fix } = notes[code] ?? {};
  const fixes = [...(fix === undefined ? [] : [fix]), ...hints.map(show)].slice(0, maxShown);
  return [
    `### ${code}\n`,
    wrap(`**${sentence(severities.join(', '))}** ${means ?? ''}`.trim()),
    '',
    ...summaries.slice(0, maxShown).map((text) => item(sentence(show(text)))),
    ...(summaries.length > 0 ? [''] : []),
    ...showFixes(fixes),
  ].join('\n');
}

/** A message with its placeholders in italics. */
function show(text: string): string {
  // Of a number and its unit, the number is shown.
  const held = text.replace(/(<[^>]*>)(?:<[^>]*>)+/g, '$1').split(/(`[^`]*`)/);
  return held
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .split(/(<[^>]*>)/)
            .map((one, at) => (at % 2 === 1 ? showPlaceholder(one.slice(1, -1)) : plain(one)))
            .join(''),
    )
    .join('');
}

function showPlaceholder(name: string): string {
  return name === '…' ? name : `_${name.replace('#', '')}_`;
}

function showFixes(fixes: readonly string[]): readonly string[] {
  const [only, ...more] = fixes;
  if (only === undefined) return [];
  if (more.length === 0) return [wrap(`How to fix it: ${only}`), ''];
  return ['How to fix it, by what the message says:', '', ...fixes.map((one) => item(one)), ''];
}
