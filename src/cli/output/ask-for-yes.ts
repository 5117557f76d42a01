import type { Runtime } from '../../model/runtime.ts';
import type { TextStyle } from '../../render/format/style.ts';
import { isCiPipeline, chooseTextLayout } from './terminal.ts';

/**
 * Asks a question that only the answer `yes` confirms. The question goes to the stream that the rest of the command writes to, or
 * to standard error where standard output is not the terminal, so that the person sees it.
 * @returns undefined where standard input has ended
 */
export async function askForConfirmation(
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

/**
 * Makes `Runtime.askPermission`, which asks the person at the terminal to allow something that is otherwise refused. Undefined
 * where nobody sits there, as in a pipeline.
 */
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
    return (await askForConfirmation(runtime, question, { style, stream: 'stderr' })) === true;
  };
}
