import type { Runtime } from '../../model/runtime.ts';
import type { TextStyle } from '../../render/format/style.ts';
import { isCiPipeline, chooseTextLayout } from './terminal.ts';

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

/** Asks whoever sits at the terminal whether something may pass; undefined where nobody does, as in a pipeline. */
export function openPermissionPrompt(
  runtime: Pick<Runtime, 'isAttended' | 'ask' | 'stdout' | 'stderr' | 'env'>,
  isColorRefused: boolean,
): Runtime['askPermission'] {
  const { isAttended, stderr, env } = runtime;
  if (isAttended !== true || isCiPipeline(env)) return undefined;
  const layout = chooseTextLayout(stderr, env, isColorRefused);
  return async (doubt) => {
    const { renderDiagnosticsText } = await import('../../render/text/diagnostics-text.ts');
    const hint = 'If you know that it is right, answer yes: the answer is remembered.';
    stderr.write(renderDiagnosticsText([{ ...doubt, severity: 'warning', hint }], layout));
    const { style } = layout;
    const question = "\n  Only 'yes' will be accepted to go on.\n\n";
    return (await askForYes(runtime, question, { style, stream: 'stderr' })) === true;
  };
}
