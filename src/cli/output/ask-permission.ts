import type { Runtime } from '../../model/runtime.ts';
import { askForYes } from './ask-for-yes.ts';
import { isCiPipeline, chooseTextLayout } from './terminal.ts';

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
