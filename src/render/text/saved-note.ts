import { escapeUntrustedText, quoteText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';

/** File of a saved plan, with the arguments to apply it. */
export interface SavedPlanNote {
  readonly file: string;
  /** Further arguments of the apply, quoted for the shell. */
  readonly flags: readonly string[];
  /** Sensitive variables that were set on the command line and must be set again. */
  readonly unset: readonly string[];
}

const notSaved =
  "Note: You didn't use the --out option to save this plan, so Hostwright can't guarantee to take exactly " +
  'these actions if you run "hostwright apply" now.';

/**
 * Renders the note below a plan that a run of the team server has saved: its file is gone with the run, so an apply
 * names the run's `id`.
 */
export function renderServerSavedPlanNote(id: string, layout: TextLayout): string {
  return renderNote(layout, [
    ...wrapText(
      'To perform exactly these actions, apply the plan on the page of this run, or send this to the API:',
      layout.columns,
    ),
    `    POST /api/v1/runs { "operation": "apply", "plan": "${id}" }`,
  ]);
}

/** Renders the note below a plan: its file, or that it was not saved. */
export function renderSavedPlanNote(saved: SavedPlanNote | undefined, layout: TextLayout): string {
  const { columns } = layout;
  return renderNote(layout, saved ? describeSaved(saved, columns) : wrapText(notSaved, columns));
}

function renderNote({ columns, style }: TextLayout, note: readonly string[]): string {
  const rule = style.dim('─'.repeat(Number.isFinite(columns) ? columns : 78));
  return ['', rule, '', ...note].map((line) => `${line}\n`).join('');
}

function describeSaved({ file, flags, unset }: SavedPlanNote, columns: number): string[] {
  const variables = unset.map((name) => `HOSTWRIGHT_VAR_${name}`).join(', ');
  const advice =
    unset.length === 0
      ? 'To perform exactly these actions, run the following command to apply:'
      : `The plan holds no sensitive values. To perform exactly these actions, set ${variables} in the environment and run the following command to apply:`;
  return [
    `Saved the plan to: ${escapeUntrustedText(file)}`,
    '',
    ...wrapText(escapeUntrustedText(advice), columns),
    `    ${['hostwright apply', quoteText(file), ...flags].join(' ')}`,
  ];
}
