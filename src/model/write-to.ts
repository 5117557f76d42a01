import type { Change } from './plan/plan.ts';
import type { Attributes } from './value.ts';

/** Destination of a secret that the service shows once: a file, or the standard input of a command. */
export interface SecretDestination {
  /** Path of the secret's file, relative to the directory of the configuration. */
  readonly file?: string;
  /** Command line for the shell, which gets the secret on its standard input. */
  readonly command?: string;
}

/** Reads `writeTo` from attributes; empty where it is absent or not known. */
export function readSecretDestination(
  attributes: Attributes | null | undefined,
): SecretDestination {
  const value = attributes?.writeTo;
  if (typeof value !== 'object' || value === null) return {};
  const { file, command } = value as { file?: unknown; command?: unknown };
  return {
    ...(typeof file === 'string' && { file }),
    ...(typeof command === 'string' && { command }),
  };
}

/** Tells whether a change creates a secret, which must be written somewhere. */
export function isSecretCreatingChange({
  action,
  after,
}: Pick<Change, 'action' | 'after'>): boolean {
  return after?.writeTo !== undefined && (action === 'create' || action === 'replace');
}

/** A command of `writeTo` that applying the plan runs. */
export interface PlannedWriteToCommand {
  readonly address: string;
  /** Full text of the command; of a sensitive one a placeholder, and no plan with it passes. */
  readonly command: string;
}

/** The most characters that a command takes where it is shown: indented, escaped, within a fence. */
export function measureWriteToCommand({ address, command }: PlannedWriteToCommand): number {
  const room: Readonly<Record<string, number>> = { '\n': 5, '`': 3 };
  const takes = (character: string) =>
    room[character] ?? (/[ -~]/.test(character) ? 1 : '\\u{10ffff}'.length);
  return Array.from(`${address}\n${command}\n`).reduce((sum, one) => sum + takes(one), 0);
}

/** The commands of the configuration that an apply of these changes runs. */
export function listWriteToCommands(changes: readonly Change[]): readonly PlannedWriteToCommand[] {
  return changes.flatMap((change) => {
    const { command } = isSecretCreatingChange(change) ? readSecretDestination(change.after) : {};
    if (command === undefined) return [];
    const isHidden = change.sensitive.includes('writeTo');
    return [{ address: change.address, command: isHidden ? '(sensitive value)' : command }];
  });
}
