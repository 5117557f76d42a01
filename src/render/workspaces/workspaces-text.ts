// The plan for the workspaces of a server, in Terraform's symbols.
import type {
  WorkspacesChange,
  WorkspaceFieldChange,
  WorkspacesPlan,
  WorkspacesResult,
  WorkspaceVariableChange,
} from '../../model/workspaces/workspaces-plan.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { escapeUntrustedText, formatValueAsJsonLine } from '../format/escape.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';

const nothing = 'No changes. The server matches the file.';

/** Renders the plan of `server plan`: each change of the team server's workspaces, then the counts. */
export function renderWorkspacesPlan(plan: WorkspacesPlan, { style }: TextLayout): string {
  const { changes, unlisted } = plan;
  const left = Object.entries(unlisted).filter(([, names]) => names.length > 0);
  const notes = left.map(
    ([kind, names]) =>
      `${formatCountWithNoun(kind, names.length)} of the server ${names.length === 1 ? 'is' : 'are'} not in the file: ${names.length === 1 ? 'it stays' : 'they stay'} as ${names.length === 1 ? 'it is' : 'they are'}.`,
  );
  const note = notes.length === 0 ? '' : `\n${notes.map(style.dim).join('\n')}\n`;
  if (changes.length === 0) return `${style.bold(nothing)}\n${note}`;
  const blocks = changes.map((change) => drawChange(change, style));
  const { create, update } = countActions(changes);
  return `Hostwright will perform the following actions on the server:\n\n${blocks.join('\n\n')}\n\n${style.bold('Plan:')} ${create} to add, ${update} to change, 0 to destroy.\n${note}`;
}

/** Renders the end of `server apply`; empty where there was nothing to change, as the plan has said so. */
export function renderWorkspacesApplyEnd(
  { made, plan }: WorkspacesResult,
  { style }: TextLayout,
): string {
  if (!made) return '';
  const { create, update } = countActions(made);
  const counts = `${create} added, ${update} changed, 0 destroyed.`;
  const open = plan.changes.length - made.length;
  return open === 0
    ? `\n${style.bold(style.green(`Apply complete! ${counts}`))}\n`
    : `\n${style.bold(style.red(`Apply incomplete: ${counts}`))} ${formatCountWithNoun('change', open)} not made.\n`;
}

/** Renders the JSON of `server plan --json` and `server apply --json`; values of variables are in neither. */
export function renderWorkspacesJson({ plan, made, isDeclined }: WorkspacesResult): object {
  const describe = ({ kind, name, action, fields, variables }: WorkspacesChange): object => ({
    kind,
    name,
    action,
    fields,
    variables: variables.map(({ isSecret, ...one }) => ({ ...one, secret: isSecret })),
  });
  const { 'variable set': variableSets, workspace: workspaces } = plan.unlisted;
  return {
    format_version: '1.0',
    changes: plan.changes.map(describe),
    unlisted: { workspaces, variableSets },
    ...(made && { made: made.map(({ kind, name }) => ({ kind, name })) }),
    ...(isDeclined === true && { declined: true }),
  };
}

/** Renders the line about a finished change of the team server's workspaces. */
export function renderWorkspacesChangeDone({ kind, name, action }: WorkspacesChange): string {
  return `${kind} ${name}: ${action === 'create' ? 'created' : 'changed'}`;
}

function countActions(changes: readonly WorkspacesChange[]) {
  const count = (action: WorkspacesChange['action']) =>
    changes.filter((one) => one.action === action).length;
  return { create: count('create'), update: count('update') };
}

function drawChange(
  { kind, name, action, fields, variables }: WorkspacesChange,
  style: TextStyle,
): string {
  const isNew = action === 'create';
  const symbol = isNew ? style.green('+') : style.yellow('~');
  const words = isNew ? 'will be created' : 'will be updated in-place';
  return [
    `  ${symbol} ${style.bold(`${kind} ${name}`)} ${words}`,
    ...fields.map((one) => `      ${drawField(one, isNew, style)}`),
    ...variables.map((one) => `      ${drawVariable(one, style)}`),
  ].join('\n');
}

function drawField(
  { name, before, after }: WorkspaceFieldChange,
  isNew: boolean,
  style: TextStyle,
): string {
  const value = escapeUntrustedText(formatValueAsJsonLine(after));
  if (isNew) return `${style.green('+')} ${name}: ${value}`;
  return `${style.yellow('~')} ${name}: ${escapeUntrustedText(formatValueAsJsonLine(before ?? null))} -> ${value}`;
}

function drawVariable(
  { name, action, isSecret }: WorkspaceVariableChange,
  style: TextStyle,
): string {
  const symbols = { add: style.green('+'), change: style.yellow('~'), remove: style.red('-') };
  return `${symbols[action]} ${name} (${isSecret ? 'secret' : 'value not shown'})`;
}
