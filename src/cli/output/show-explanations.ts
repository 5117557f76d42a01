import { hasErrors } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { describeExplanation } from '../../render/explain/explanation-json.ts';
import { renderExplanationText } from '../../render/explain/explanation-text.ts';
import type { Explanation } from '../../render/explain/view-explanation.ts';
import type { Layout } from '../../render/format/style.ts';

/** Output of `plan --explain`, as text or JSON. */
export function renderExplanations(
  plan: Plan,
  explained: readonly Explanation[],
  isJson: boolean,
  layout: Layout,
): string {
  const isApplyable = !hasErrors(plan.findings);
  if (isJson) {
    const explanations = explained.map(describeExplanation);
    const shown = { format_version: '1.0', applyable: isApplyable, explanations };
    return `${JSON.stringify(shown, undefined, 2)}\n`;
  }
  const texts = explained.map((one) => renderExplanationText(one, layout));
  const refused =
    'The plan has errors and cannot be applied: run it without --explain to see them.';
  return [...texts, ...(isApplyable ? [] : [`${refused}\n`])].join('\n');
}
