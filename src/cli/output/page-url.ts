import type { Reporter } from '../../commands/session/reporter.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Variable in which a pipeline keeps the address of the plan's page, for the comment to link to. */
const variable = 'HOSTWRIGHT_PAGE_URL';

/**
 * Reads `HOSTWRIGHT_PAGE_URL`, the address of the plan's HTML page that a comment links to; undefined where it is not set. A text
 * that is no web address is left out with a warning: a comment without a link is better than none.
 */
export function readPageUrl(
  { env }: Pick<Runtime, 'env'>,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): string | undefined {
  const text = (env[variable] ?? '').trim();
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  if (isUsable) {
    // Characters that `URL` leaves unescaped, and that would end a link in Markdown or have a meaning there.
    return url.href.replace(
      /[()<>\\`]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  }
  reporter.showDiagnostics([
    {
      severity: 'warning',
      code: 'page-url-unusable',
      summary: `${variable} is not an address that a comment can link to`,
      detail: 'The comment has no link to the page.',
      hint: 'Give an address that begins with https:// or http://, without a user name.',
    },
  ]);
  return undefined;
}
