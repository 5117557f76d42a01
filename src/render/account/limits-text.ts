import { kindRegistry } from '../../kinds/registry.ts';
import { kindNames } from '../../model/kind-places.ts';
import { quotaNames } from '../../model/account/live.ts';
import type {
  AccountLimits,
  MaximumNameLengths,
  Quota,
  QuotaName,
} from '../../model/account/live.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { drawQuotaGauge, paintQuotaUse } from '../format/gauge.ts';
import { formatQuotaLabel } from '../view/labels.ts';
import type { TextLayout } from '../format/style.ts';
import { drawTable } from '../format/table.ts';

/** Narrowest output, in columns, that has a gauge; in a narrower one it would break its line. */
const gaugeColumns = 68;

const lengthLabels = new Map<string, string>(
  kindNames.flatMap((kind) =>
    Object.values(kindRegistry[kind].fields).flatMap(({ cap }) =>
      cap ? [[cap.name, cap.label]] : [],
    ),
  ),
);

/** Renders the account's limits (quotas) with their use. A dash marks a value that the service does not report. */
export function renderLimitsText(
  limits: AccountLimits,
  lengths: MaximumNameLengths,
  layout: TextLayout,
): string {
  const { style } = layout;
  const dim = (cells: string[]) => cells.map(style.dim);
  const quotas = quotaNames.flatMap((name) => {
    const quota = limits.quotas[name];
    return quota ? [drawQuota(name, quota, layout)] : [];
  });
  const out = [
    style.bold('Quotas:'),
    ...drawTable(
      [dim(['', 'used', 'limit', 'remaining']), ...quotas],
      ['left', 'right', 'right', 'right', 'left'],
      { columns: layout.columns, hasHead: true },
    ),
    '',
    style.bold('SSH keys in a project:'),
    `  at most ${formatCap(limits.maxSshKeysPerProject)}`,
    '',
    style.bold('Longest names, in characters:'),
    ...drawTable(
      Object.entries({ ...lengths }).flatMap(([name, cap]) =>
        isJsonObject(cap) ? [] : [[lengthLabels.get(name) ?? name, formatCap(cap)]],
      ),
      ['left', 'right'],
      { columns: layout.columns },
    ),
  ];
  return `${out.join('\n')}\n`;
}

/** Renders the JSON of `limits --json`: the quotas with their use, and the maximum lengths of names. */
export function renderLimitsJson(limits: AccountLimits, nameLengths: MaximumNameLengths): object {
  const { belowZero: limitsBelow, ...told } = limits;
  const { belowZero: lengthsBelow, ...lengths } = nameLengths;
  const belowZero = { ...limitsBelow, ...lengthsBelow };
  return {
    format_version: '1.0',
    ...told,
    nameLengths: lengths,
    ...(Object.keys(belowZero).length > 0 && { belowZero }),
  };
}

function formatCap(value: number | null): string {
  return value === null ? '-' : String(value);
}

function drawQuota(name: QuotaName, quota: Quota, { columns, style }: TextLayout): string[] {
  const { used, limit, remaining } = quota;
  const gauge =
    used === null || columns < gaugeColumns ? '' : drawQuotaGauge(used, used, limit, style);
  return [
    formatQuotaLabel(name),
    used === null ? '-' : paintQuotaUse(String(used), used, limit, style),
    String(limit),
    formatCap(remaining),
    gauge,
  ];
}
