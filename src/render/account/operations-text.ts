import type { OperationWithAddresses } from '../../model/account/vm-work.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { formatAge, formatIsoTime } from '../format/moment.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { drawColumnList, type ListColumn } from '../format/table.ts';

/**
 * Renders operations as a table in the given order, with their age at `now`, and below a failed operation the reason of
 * its failure.
 */
export function renderOperationsText(
  operations: readonly OperationWithAddresses[],
  now: number,
  { columns, style }: TextLayout,
): string {
  if (operations.length === 0) return 'There are no such operations.\n';
  const all: readonly ListColumn<OperationWithAddresses>[] = [
    ['age', ({ createdAt }) => formatAge(createdAt, now), 'right'],
    ['type', ({ type }) => escapeUntrustedText(type)],
    ['status', ({ status }) => paintStatus(status, style)],
    ['took', formatDuration, 'right'],
    ['resource', nameSubject],
  ];
  const [first = '', ...lines] = drawColumnList(operations, all, { columns }, style.dim);
  const out = [first];
  operations.forEach(({ failureCode }, index) => {
    out.push(lines[index] ?? '');
    if (failureCode !== null) out.push(style.red(`         ${escapeUntrustedText(failureCode)}`));
  });
  return `${out.join('\n')}\n`;
}

function paintStatus(status: string, style: TextStyle): string {
  const text = escapeUntrustedText(status);
  if (status.toLowerCase() === 'failed') return style.red(text);
  return status.toLowerCase() === 'succeeded' ? style.green(text) : style.yellow(text);
}

function formatDuration({ createdAt, completedAt }: OperationWithAddresses): string {
  return createdAt === null || completedAt === null ? '-' : formatElapsed(completedAt - createdAt);
}

/** Address of an operation's resource; its type and id where the state does not know the resource. */
function nameSubject({ address, resourceType, resourceId }: OperationWithAddresses): string {
  if (address !== null) return escapeUntrustedText(address);
  return escapeUntrustedText(
    [resourceType, resourceId].filter((part) => part !== null).join(' ') || '-',
  );
}

/**
 * The answer of `operations --json`: `operations`, the newest first, each with `id`, `type`, `status`, `project`,
 * `address` (null for what is not in the state), `resourceType`, `resourceId`, `createdAt`, `completedAt`, `failureCode`.
 */
export function renderOperationsJson(operations: readonly OperationWithAddresses[]): object {
  return {
    format_version: '1.0',
    operations: operations.map((operation) => ({
      id: operation.id,
      type: operation.type,
      status: operation.status,
      project: operation.project,
      address: operation.address,
      resourceType: operation.resourceType,
      resourceId: operation.resourceId,
      createdAt: formatIsoTime(operation.createdAt),
      completedAt: formatIsoTime(operation.completedAt),
      failureCode: operation.failureCode,
    })),
  };
}
