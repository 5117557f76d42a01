import { hasErrors } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { describeChangeExplanation } from '../../render/explain/explanation-json.ts';
import { renderChangeExplanationText } from '../../render/explain/explanation-text.ts';
import type { ChangeExplanation } from '../../render/explain/view-explanation.ts';
import type { TextLayout } from '../../render/format/style.ts';

/** Renders the explanations of `plan --explain` as text or JSON. */
export function renderPlanExplanations(
  plan: Plan,
  explained: readonly ChangeExplanation[],
  isJson: boolean,
  layout: TextLayout,
): string {
  const isApplyable = !hasErrors(plan.findings);
  if (isJson) {
    const explanations = explained.map(describeChangeExplanation);
    const shown = { format_version: '1.0', applyable: isApplyable, explanations };
    return `${JSON.stringify(shown, undefined, 2)}\n`;
  }
  const texts = explained.map((one) => renderChangeExplanationText(one, layout));
  const refused =
    'The plan has errors and cannot be applied: run it without --explain to see them.';
  return [...texts, ...(isApplyable ? [] : [`${refused}\n`])].join('\n');
}
