import type { Runtime } from '../../model/runtime.ts';
import { isPipeline, layoutFor } from './terminal.ts';

/** Asks whoever sits at the terminal whether something may pass; undefined where nobody does, as in a pipeline. */
export function openAsking(
  { isAttended, ask, stderr, env }: Pick<Runtime, 'isAttended' | 'ask' | 'stderr' | 'env'>,
  isColorRefused: boolean,
): Runtime['askLeave'] {
  if (isAttended !== true || isPipeline(env)) return undefined;
  const layout = layoutFor(stderr, env, isColorRefused);
  return async (doubt) => {
    const { renderDiagnosticsText } = await import('../../render/text/diagnostics-text.ts');
    const hint = 'If you know that it is right, answer yes: the answer is remembered.';
    stderr.write(renderDiagnosticsText([{ ...doubt, severity: 'warning', hint }], layout));
    stderr.write(`\n  Only 'yes' will be accepted to go on.\n\n`);
    const answer = await ask(`  ${layout.style.bold('Enter a value:')} `);
    stderr.write('\n');
    return answer?.trim() === 'yes';
  };
}
