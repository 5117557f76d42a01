// A plan in a line for each resource: symbol, address, losses and changed attributes. Parts that must be seen whole are
// below, as in the text of a plan: commands and findings.
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { State } from '../../model/state/state.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { cutTextEnd, measureTerminalWidth, padLeft } from '../format/measure.ts';
import { createAnsiStyle, type TextLayout } from '../format/style.ts';
import { viewFoldedPlan } from '../view/fold-findings.ts';
import { drawActionSymbol } from '../view/symbols.ts';
import { listAttributeNotes } from '../view/attribute-notes.ts';
import { listPendingCreates, sortStateResources } from '../view/state-view.ts';
import type { AttributeView, ChangeView } from '../view/view.ts';
import { listChangeRemarks } from './change-text.ts';
import {
  commandsTitle,
  drawPlannedCommands,
  probesTitle,
  sequentialModulesTitle,
} from './commands-text.ts';
import { drawDiagnostics } from './diagnostics-text.ts';
import { drawDowntime } from './downtime-text.ts';
import { describeInlineDiff, drawInlineValue } from './inline-value.ts';
import { drawPlanClosing, drawRehearsal } from './text.ts';

export interface OnelineLayout extends TextLayout {
  /** Cells after which a line is cut; `Infinity` where it goes into a pipe. */
  readonly room: number;
}

const plain = createAnsiStyle(false);

/** Renders the plan with a line for each resource that changes; ends with a line end. */
export function renderPlanOneline(
  plan: Plan,
  layout: OnelineLayout,
  rehearsal?: Rehearsal,
): string {
  const view = viewFoldedPlan(plan, layout.isVerbose);
  const gone = view.mode === 'refresh' ? [] : view.gone;
  const changes = [...view.drift, ...view.changes];
  const width = Math.max(0, ...changes.map((one) => symbolOf(one).length));
  const out = changes.map((change) => drawLine(change, width, layout));
  const lead = `${padLeft('-', width)} `;
  out.push(
    ...gone.map((address) =>
      cutTextEnd(`${lead}${escapeUntrustedText(address)}  deleted outside`, layout.room),
    ),
  );
  if (out.length > 0) out.push('');
  for (const [title, listed] of [
    [commandsTitle, view.commands],
    [probesTitle, view.probes],
    [sequentialModulesTitle, view.turns],
  ] as const) {
    if (listed.length === 0) continue;
    out.push(`${title}:`, '');
    drawPlannedCommands(out, listed, layout);
    out.push('');
  }
  drawDiagnostics(out, view.findings, layout);
  if (view.findings.length > 0) out.push('');
  drawDowntime(out, view.downtime, layout);
  drawPlanClosing(out, view, layout);
  if (rehearsal) drawRehearsal(out, rehearsal, layout);
  return `${out.join('\n')}\n`;
}

/** Renders the state with a line for each resource: its address and its id. */
export function renderStateOneline(state: State, { room }: Pick<OnelineLayout, 'room'>): string {
  const lines = sortStateResources(state).map(({ address, id }) => `${address}  ${id}`);
  const pending = listPendingCreates(state).map(
    (address) => `${address}  sent, not yet seen in the account`,
  );
  return [...lines, ...pending]
    .map((line) => `${cutTextEnd(escapeUntrustedText(line), room)}\n`)
    .join('');
}

function symbolOf({ action }: ChangeView): string {
  return drawActionSymbol(action, plain).trim();
}

/** A piece of a line with the function that colours it. */
type Piece = readonly [text: string, paint: (text: string) => string];

function drawLine(change: ChangeView, width: number, { style, room }: OnelineLayout): string {
  const symbol = symbolOf(change);
  const lead = ' '.repeat(width - symbol.length);
  const painted = drawActionSymbol(change.action, style).trimStart();
  const none = (text: string) => text;
  const what = describeChange(change);
  const pieces: Piece[] = [
    [escapeUntrustedText(change.address), style.bold],
    ...change.losses.map((loss): Piece => [`  ! ${escapeUntrustedText(loss)}`, style.red]),
    ...(what === '' ? [] : [[`  ${what}`, none] as const]),
  ];
  return `${lead}${painted}${width === 0 ? '' : ' '}${fit(pieces, room - width - 1)}`;
}

/** The first pieces of a line that fit its room, the last one cut. */
function fit(pieces: readonly Piece[], room: number): string {
  const whole = pieces.reduce((sum, [text]) => sum + measureTerminalWidth(text), 0);
  if (whole <= room) return pieces.map(([text, paint]) => paint(text)).join('');
  let left = room;
  let line = '';
  for (const [text, paint] of pieces) {
    const width = measureTerminalWidth(text);
    if (width >= left) return line + paint(cutTextEnd(`${text} `, left));
    line += paint(text);
    left -= width;
  }
  return line;
}

/** Attributes named on a line: those that change, the forcing ones first. Of a create only the name, of a delete none. */
function listTold({ action, attributes }: ChangeView): readonly AttributeView[] {
  switch (action) {
    case 'create':
    case 'import':
      return attributes.filter(({ name }) => name === 'name');
    case 'delete':
    case 'expire':
    case 'due':
    case 'gone':
    case 'forget':
    case 'move':
      return [];
    default: {
      // The id of a new resource is left out, as the symbol shows that it is new.
      const told = attributes.filter(
        ({ name, diff, waiting }) =>
          name !== 'id' && (diff.mark !== 'none' || waiting !== undefined),
      );
      const isForcing = ({ forces }: AttributeView) => forces !== undefined;
      return [...told.filter(isForcing), ...told.filter((one) => !isForcing(one))];
    }
  }
}

/** Words behind the address in a one-line plan, without losses. */
function describeChange(change: ChangeView): string {
  const fields = listTold(change).map(describeAttribute).join(', ');
  const moved =
    change.action === 'move' ? `moved from ${escapeUntrustedText(change.movedFrom ?? '')}` : '';
  const remarks = listChangeRemarks(change).map(escapeUntrustedText);
  return [moved, fields, ...remarks].filter((text) => text !== '').join(' ');
}

function describeAttribute(attribute: AttributeView): string {
  const { name, diff } = attribute;
  const remarks = listAttributeNotes(attribute).map(({ words }) => words);
  const remark = remarks.length > 0 ? ` (${remarks.join(', ')})` : '';
  const told =
    diff.mark === 'none' ? `${name}: ${drawInlineValue(diff)}` : describeInlineDiff(name, diff);
  return `${told}${remark}`;
}
