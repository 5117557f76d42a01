import type { Runtime } from '../../model/runtime.ts';
import type { TextStyle } from '../../render/format/style.ts';

/**
 * Asks a question and reads a value. It stands on the stream that the rest of the command speaks to, but on standard error where
 * standard output leads away from the terminal: who is to answer must see it.
 * @returns undefined where standard input has ended
 */
export async function askForYes(
  { stdout, stderr, ask }: Pick<Runtime, 'stdout' | 'stderr' | 'ask'>,
  question: string,
  { style, stream }: { readonly style: TextStyle; readonly stream: 'stdout' | 'stderr' },
): Promise<boolean | undefined> {
  const isLedAway = !stdout.isTTY && stderr.isTTY;
  const shown = stream === 'stdout' && !isLedAway ? stdout : stderr;
  const prompt = `  ${style.bold('Enter a value:')} `;
  shown.write(question);
  // Lines are edited on standard output where that is the terminal.
  const isEdited = stdout.isTTY || shown === stdout;
  if (!isEdited) shown.write(prompt);
  const answer = await ask(isEdited ? prompt : '');
  shown.write('\n');
  return answer === undefined ? undefined : answer.trim() === 'yes';
}
