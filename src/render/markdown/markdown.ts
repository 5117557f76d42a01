// A plan as a comment on a pull request: the most important facts first, and never more characters than a comment may hold.
import { parseResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addEffectCounts, countEffects, type EffectCounts } from '../../model/effects.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { DriftChoice } from '../../model/plan/drift-choice.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { State } from '../../model/state/state.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { escapeUntrustedText, formatMarkdownInlineCode } from '../format/escape.ts';
import { describeGoneAddresses, drawChange } from '../text/change-text.ts';
import { describePlanClosing } from '../text/closing.ts';
import type { PlannedWriteToCommand } from '../../model/write-to.ts';
import {
  commandsTitle,
  drawPlannedCommands,
  probesTitle,
  sequentialModulesTitle,
} from '../text/commands-text.ts';
import { describeNonzeroEffectCounts, listEffectColumns } from '../text/counts-text.ts';
import { drawOutputChanges } from '../text/outputs-text.ts';
import { hasQuotaPeak } from '../text/plan-tables.ts';
import { renderResourceText } from '../text/state-text.ts';
import { countFoldedChanges, foldChanges } from '../view/fold-changes.ts';
import { minFoldedInstances } from '../view/fold-instances.ts';
import { viewFoldedPlan } from '../view/fold-findings.ts';
import { joinAddresses } from '../view/instance-texts.ts';
import { formatKindCount, formatKindLabel, formatQuotaLabel } from '../view/labels.ts';
import { formatCostColumnHead, formatPlanCostChange } from '../view/plan-cost.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';
import { listPendingCreates, sortStateResources } from '../view/state-view.ts';
import { type ChangeView, type PlanView } from '../view/view.ts';
import {
  removeColorMarks,
  fenceMarkdownLines,
  markdownFenceLayout,
  moveDiffSymbolToStart,
} from './diff-fence.ts';
import { fitMarkdownBlocks, type MarkdownListPart } from './markdown-blocks.ts';
import { drawDriftMarkdown } from './markdown-drift.ts';
import { drawFindings } from './markdown-findings.ts';
import {
  drawPlanAlerts,
  drawFailureCommentTitle,
  drawPageLink,
  drawPlanCommentTitle,
} from './markdown-top.ts';

/** Contents of a Markdown comment that are not part of its plan. */
export interface PlanCommentOptions {
  /** Directory, service and commit of the plan: plans of several configurations have a comment each. */
  readonly identity?: PlanIdentity | undefined;
  /** URL of the plan's HTML page; undefined without one. */
  readonly pageUrl?: string | undefined;
  /** Set to show every change on its own, equal changes of instances too. */
  readonly isVerbose?: boolean;
  readonly rehearsal?: Rehearsal | undefined;
  /** Drift with the three ways to resolve each. */
  readonly drift?: readonly DriftChoice[];
}

/** Most characters that code hosts such as GitHub allow in a comment. */
const maxCharacters = 65_536;
/** Most characters of the findings, so that room is left for the changes. */
const maxFindingCharacters = 24_000;
/** The most lines of outputs in a comment. */
const maxOutputLines = 60;
/** Characters kept free for the closing lines and for the frame of each group of changes. */
const reserve = 1_000;

/** Renders a plan as a Markdown comment of at most 65,536 characters; ends with a line end. */
export function renderPlanMarkdown(
  plan: Plan,
  { identity, pageUrl, isVerbose = false, rehearsal, drift = [] }: PlanCommentOptions = {},
): string {
  const view = viewFoldedPlan(plan, isVerbose);
  const head = [
    ...drawPlanCommentTitle(view, identity),
    ...drawPlanAlerts(view, isVerbose),
    ...drawCost(view),
    ...drawDowntime(view),
    ...drawPageLink(pageUrl),
    ...(rehearsal ? drawRehearsal(rehearsal) : []),
    ...drawFindings(view.findings, maxFindingCharacters),
    ...drawDriftMarkdown(drift),
    ...drawShell(commandsTitle, view.commands),
    ...drawShell(probesTitle, view.probes),
    ...drawShell(sequentialModulesTitle, view.turns),
    ...drawGone(view, isVerbose),
    ...drawQuotas(view),
    ...drawProjects(view),
    ...drawOutputs(view),
  ];
  const text = head.map((line) => `${line}\n`).join('');
  const shown = view.mode === 'refresh' ? view.drift : view.changes;
  const changes = drawChanges(
    isVerbose ? shown : foldChanges(shown),
    maxCharacters - reserve - text.length,
  );
  const { counts } = describePlanClosing(view);
  const closing = counts === undefined ? '' : `\n\n${counts}`;
  return `${(text + changes).trimEnd()}${closing}\n`;
}

/** Renders the diagnostics that kept a plan from being made, as the comment of that plan: a pipeline has to report these, too. */
export function renderFailureMarkdown(
  diagnostics: readonly Diagnostic[],
  identity?: PlanIdentity,
): string {
  const lines = [
    ...drawFailureCommentTitle(identity),
    ...drawFindings(diagnostics, maxCharacters - reserve),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Most characters of the commands: a plan with more of them cannot be applied, and the checks say so. */
const maxCommandCharacters = 18_000;

/** Commands are shown whole: a part that the comment leaves out would run all the same. */
function drawShell(title: string, commands: readonly PlannedWriteToCommand[]): string[] {
  if (commands.length === 0) return [];
  const lines: string[] = [];
  drawPlannedCommands(lines, commands, markdownFenceLayout);
  const shown = fenceMarkdownLines(lines.map(removeColorMarks));
  const isTooLong = shown.join('\n').length > maxCommandCharacters;
  const why = 'They are more than a comment holds. `hostwright plan` shows them.';
  return [`**${title}:**`, '', ...(isTooLong ? [why] : shown), ''];
}

function drawGone({ gone, mode }: PlanView, isVerbose: boolean): string[] {
  if (gone.length === 0 || mode === 'refresh') return [];
  const joined = joinAddresses(gone, isVerbose ? Infinity : minFoldedInstances);
  const shown = joined
    .slice(0, 50)
    .map((one) => `# ${escapeUntrustedText(one.address)} ${describeGoneAddresses(one)}`);
  const left = joined.slice(50).reduce((sum, { members }) => sum + members.length, 0);
  const rest = left > 0 ? [`# and ${left} more`] : [];
  return ['**Changed outside of Hostwright:**', '', ...fenceMarkdownLines([...shown, ...rest]), ''];
}

function drawCost({ cost }: PlanView): string[] {
  if (!cost) return [];
  const lines = cost.lines.flatMap((line) => [`**${line}**`, '']);
  return [...lines, ...cost.notes.flatMap((note) => [note, ''])];
}

/** The most rows of expected downtime in a comment; further rows are counted. */
const mostDowntimeRows = 20;

/** Draws expected downtime, one row for each block and port forward. */
function drawDowntime({ downtime }: PlanView): string[] {
  if (!downtime) return [];
  const { title, rows } = downtime;
  const shown = rows.slice(0, mostDowntimeRows);
  const left = rows.length - shown.length;
  return [
    `| ${title} | |`,
    '| --- | --- |',
    ...shown.map(({ label, text }) => `| ${formatMarkdownInlineCode(label)} | ${text} |`),
    ...(left > 0 ? [`| and ${left} more | |`] : []),
    '',
  ];
}

function drawQuotas({ quotas }: PlanView): string[] {
  if (quotas.length === 0) return [];
  const withPeak = hasQuotaPeak(quotas);
  const mark = (amount: number, limit: number) => (amount > limit ? `**${amount}**` : `${amount}`);
  const rows = quotas.map(
    ({ name, used, peak, after, limit }) =>
      `| ${formatQuotaLabel(name)} | ${used} |${withPeak ? ` ${mark(peak, limit)} |` : ''} ${mark(after, limit)} | ${limit} |`,
  );
  return [
    `| quota | now |${withPeak ? ' peak |' : ''} after | limit |`,
    `| --- | ---: |${withPeak ? ' ---: |' : ''} ---: | ---: |`,
    ...rows,
    '',
  ];
}

/** Counts by project and kind, without zeros. */
function drawProjects({ projects }: PlanView): string[] {
  if (projects.length === 0) return [];
  const shown = projects.slice(0, 50);
  const columns = listEffectColumns(addEffectCounts(projects), []);
  const costs = (projects[0]?.costs ?? []).map(formatCostColumnHead);
  const drawRow = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rows = shown.map((row) =>
    drawRow([
      formatMarkdownInlineCode(row.project),
      ...columns.map((effect) => row[effect] || ''),
      ...row.costs.map(formatPlanCostChange),
      row.kinds.map(({ kind, count }) => formatKindCount(kind, count)).join(', '),
    ]),
  );
  const rest = projects.length - shown.length;
  return [
    drawRow([formatKindLabel(projectKind), ...columns, ...costs, 'kinds']),
    drawRow(['---', ...[...columns, ...costs].map(() => '---:'), '---']),
    ...rows,
    ...(rest > 0
      ? [
          drawRow([
            formatCountWithNoun(`more ${formatKindLabel(projectKind)}`, rest),
            ...[...columns, ...costs, 'kinds'].map(() => ''),
          ]),
        ]
      : []),
    '',
  ];
}

/** The outputs that change; of very many, only the first lines. */
function drawOutputs({ outputs }: PlanView): string[] {
  if (outputs.length === 0) return [];
  const lines: string[] = [];
  drawOutputChanges(lines, outputs, markdownFenceLayout);
  const shown = lines.slice(0, maxOutputLines).map(moveDiffSymbolToStart);
  const rest =
    lines.length > shown.length ? [`# and ${lines.length - shown.length} more lines`] : [];
  return [...fenceMarkdownLines([...shown, ...rest]), ''];
}

/** Part of the list for a change: losses stand apart from other changes, and creates are folded, since no data is at stake. */
function partChange({ action, effects }: ChangeView): MarkdownListPart {
  if (action === 'create' || action === 'import' || action === 'move') return 'folded';
  return effects.some((effect) => effect === 'rebuild' || effect === 'destroy') ? 'first' : 'open';
}

/** Draws the changes by project, as many as fit into the comment. */
function drawChanges(changes: readonly ChangeView[], room: number): string {
  const { text, omitted } = fitMarkdownBlocks(changes, room, {
    draw(change) {
      const lines: string[] = [];
      drawChange(lines, change, [], markdownFenceLayout);
      return lines.map(moveDiffSymbolToStart);
    },
    describe: describeGroup,
    projectOf: ({ project }) => project,
    partOf: partChange,
  });
  if (omitted.length === 0) return text;
  // Left-out changes are counted by effect, so that nobody overlooks a destroy.
  const counts = describeGroup(omitted);
  return `${text}**${sumMembers(omitted)} of ${formatCountWithNoun('change', sumMembers(changes))} left out here** (${counts}): a comment holds no more. The counts above are of all of them; \`hostwright show PLANFILE\` shows every one.`;
}

/** The state in Markdown, at most 65,536 characters; ends with a line end. */
export function renderStateMarkdown(state: State): string {
  const resources = sortStateResources(state);
  const pending = listPendingCreates(state);
  const heading = `## Hostwright state: ${formatCountWithNoun('resource', resources.length)}\n\n`;
  const { text, omitted } = fitMarkdownBlocks(resources, maxCharacters - reserve - heading.length, {
    draw: (resource) =>
      renderResourceText(resource, markdownFenceLayout).trimEnd().split('\n').map(removeColorMarks),
    describe: (group) => formatCountWithNoun('resource', group.length),
    projectOf: ({ address }) => parseResourceAddress(address)?.project ?? address,
  });
  const notes = [
    ...(omitted.length > 0
      ? [`**${formatCountWithNoun('more resource', omitted.length)} left out here.**`]
      : []),
    ...(pending.length > 0
      ? [`${formatCountWithNoun('create', pending.length)} sent, not yet seen in the account.`]
      : []),
  ];
  return `${(heading + text + notes.join('\n\n')).trimEnd()}\n`;
}

/** `2 to add, 1 to destroy`; the number of changes where none of them counts as an effect, such as moves. */
function describeGroup(changes: readonly ChangeView[]): string {
  return (
    describeNonzeroEffectCounts(countViews(changes)) ||
    formatCountWithNoun('change', sumMembers(changes))
  );
}

function countViews(changes: readonly ChangeView[]): EffectCounts {
  return countEffects(
    changes.flatMap((change) =>
      Array.from({ length: countFoldedChanges(change) }, () => change.effects),
    ),
  );
}

function sumMembers(changes: readonly ChangeView[]): number {
  return changes.reduce((sum, change) => sum + countFoldedChanges(change), 0);
}

/** Result of a rehearsal: a line, and below it the problems that keep the plan from ending whole. */
function drawRehearsal(rehearsal: Rehearsal): string[] {
  const { headline, lines } = describeRehearsal(rehearsal);
  const problems = lines
    .filter(({ isProblem }) => isProblem)
    .map(({ label, text }) => `! ${label}: ${escapeUntrustedText(text)}`);
  return [
    `**Rehearsal:** ${headline}`,
    '',
    ...(problems.length > 0 ? [...fenceMarkdownLines(problems), ''] : []),
  ];
}
