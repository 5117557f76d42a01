import {
  maxBackupsPerVm,
  sortBackupsNewestFirst,
  type Backup,
  type ListedBackup,
} from '../../model/account/vm-work.ts';
import { formatLifetime } from '../../model/text/lifetime.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import { formatTime, formatIsoTime } from '../format/moment.ts';
import type { TextLayout } from '../format/style.ts';
import { drawColumnList, type ListColumn } from '../format/table.ts';

/** A backup in a sentence: `the backup bkp-1 of 2026-11-21 12:00:05 UTC (16 GB)`. */
export function describeBackup({ id, createdAt, size }: Backup): string {
  const when = createdAt === null ? '' : ` of ${formatTime(createdAt)}`;
  return `the backup ${escapeUntrustedText(id)}${when}${size === null ? '' : ` (${size} GB)`}`;
}

/** Renders the backups of a VM as a table, in the given order. */
export function renderBackupsText(
  address: string,
  backups: readonly ListedBackup[],
  { columns, style }: TextLayout,
): string {
  if (backups.length === 0) return `${escapeUntrustedText(address)} has no backups.\n`;
  const all: readonly ListColumn<ListedBackup>[] = [
    ['id', ({ id }) => escapeUntrustedText(id)],
    ['created', ({ createdAt }) => formatTime(createdAt)],
    ['age', ({ ageMs }) => (ageMs === null ? '-' : formatLifetime(ageMs)), 'right'],
    ['size', ({ size }) => (size === null ? '-' : `${size} GB`), 'right'],
    ['status', ({ status }) => escapeUntrustedText(status)],
    ['image', ({ sourceImage }) => escapeUntrustedText(sourceImage ?? '-')],
  ];
  const out = [
    style.bold(`Backups of ${escapeUntrustedText(address)}:`),
    ...drawColumnList(backups, all, { columns }, style.dim),
    '',
    ...wrapText(sayRoom(backups), columns),
  ];
  return `${out.join('\n')}\n`;
}

function sayRoom(backups: readonly Backup[]): string {
  const oldest = sortBackupsNewestFirst(backups).at(-1);
  const count = `${backups.length} of at most ${maxBackupsPerVm}.`;
  if (backups.length < maxBackupsPerVm || !oldest) return count;
  return `${count} The next one deletes the oldest, ${escapeUntrustedText(oldest.id)}.`;
}

/** A backup for machines: `id`, `status`, `createdAt` (ISO 8601 or null), `size` (GB or null), `sourceImageId`. */
export function describeBackupJson({ id, status, createdAt, size, sourceImageId }: Backup): object {
  return { id, status, createdAt: formatIsoTime(createdAt), size, sourceImageId };
}

/** The answer of `vm backups --json`: `address` and `backups`, the newest first, each with its age and the name of its image. */
export function renderBackupsJson(address: string, backups: readonly ListedBackup[]): object {
  const described = backups.map((backup) => ({
    ...describeBackupJson(backup),
    ageSeconds: backup.ageMs === null ? null : Math.round(backup.ageMs / 1_000),
    sourceImage: backup.sourceImage,
  }));
  return { format_version: '1.0', address, backups: described };
}
