import type {
  Catalog,
  CatalogConfiguration,
  CatalogImage,
  CatalogTariff,
} from '../../model/account/live.ts';
import { formatCents, roundToCents } from '../../model/cost/money.ts';
import { calculateMonthlyPrice } from '../../model/cost/price.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { measureTerminalWidth, wrapText } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { drawTable, type CellAlignment } from '../format/table.ts';

/** The lists of a catalog, in the order in which they are shown. */
export const catalogListNames = ['images', 'configurations', 'tariffs'] as const;
export type CatalogListName = (typeof catalogListNames)[number];

/** Selection of the catalog to show: one list, or all lists where `list` is undefined. */
export interface CatalogSelection {
  readonly catalog: Catalog;
  readonly list: CatalogListName | undefined;
  /** Tells whether the prices are invented, as those of the sandbox are. */
  readonly arePricesAssumed: boolean;
}

/** One fact of an entry: the head of its column and its value, and the same in words for where columns have no room. */
interface Fact {
  readonly head: string;
  readonly side: CellAlignment;
  readonly cell: string;
  readonly words: string;
}

interface Entry {
  readonly name: string;
  readonly facts: readonly Fact[];
}

/**
 * Renders the images, configurations and tariffs that can be ordered, list by list. A dash marks a value that the
 * service does not report.
 */
export function renderCatalogText(
  { catalog, list, arePricesAssumed }: CatalogSelection,
  layout: TextLayout,
): string {
  const all: Readonly<Record<CatalogListName, readonly Entry[]>> = {
    images: catalog.images.map(describeImage),
    configurations: catalog.configurations.map(describeConfiguration),
    tariffs: catalog.tariffs.map(describeTariff),
  };
  const lists = list ? [list] : catalogListNames;
  const parts = lists.map((name) => [
    layout.style.bold(`${name.charAt(0).toUpperCase()}${name.slice(1)}:`),
    ...drawEntries(all[name], layout),
  ]);
  const isPriced = lists.includes('tariffs') && catalog.tariffs.some(({ price }) => price);
  if (isPriced && arePricesAssumed) parts.push(['The prices are assumed by the sandbox.']);
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`;
}

function describeImage({ name, os }: CatalogImage): Entry {
  return { name, facts: [text('system', os)] };
}

function describeConfiguration(configuration: CatalogConfiguration): Entry {
  const { name, cpu, ram, disk, availability, maxCount } = configuration;
  return {
    name,
    facts: [
      number('cores', cpu, formatCountWithNoun('core', cpu)),
      number('RAM (GB)', ram, `${ram} GB RAM`),
      number('disk (GB)', disk, `${disk} GB disk`),
      text('availability', availability),
      number('at most', maxCount, `at most ${maxCount}`),
    ],
  };
}

function describeTariff({ name, price }: CatalogTariff): Entry {
  const monthly = price && calculateMonthlyPrice(price);
  const say = (amount: string | undefined) => amount && `${amount} ${price?.currency}`;
  const cents = monthly === undefined ? undefined : formatCents(roundToCents(monthly));
  return {
    name,
    facts: [
      { ...text('price', say(price?.amount)), side: 'right' },
      { ...text('for each', price?.period), words: price ? `for each ${price.period}` : '' },
      {
        ...text('a month', say(cents)),
        side: 'right',
        words: cents === undefined ? '' : `${say(cents)} a month`,
      },
    ],
  };
}

function text(head: string, value: string | null | undefined): Fact {
  const words = value === null || value === undefined ? '' : escapeUntrustedText(value);
  return { head, side: 'left', cell: words || '-', words };
}

function number(head: string, value: string | number | null | undefined, words: string): Fact {
  const isKnown = value !== null && value !== undefined;
  return { head, side: 'right', cell: isKnown ? String(value) : '-', words: isKnown ? words : '' };
}

/** Entries as a table where that fits the width; else each entry's facts below its name. */
function drawEntries(entries: readonly Entry[], { columns, style }: TextLayout): string[] {
  const [first] = entries;
  if (!first) return ['  none'];
  const head = ['name', ...first.facts.map((fact) => fact.head)].map(style.dim);
  const rows = entries.map(({ name, facts }) => [
    escapeUntrustedText(name),
    ...facts.map(({ cell }) => cell),
  ]);
  const table = drawTable([head, ...rows], ['left', ...first.facts.map(({ side }) => side)]);
  if (table.every((line) => measureTerminalWidth(line) <= columns)) return table;
  return entries.flatMap(({ name, facts }) => {
    const words = facts.map((fact) => fact.words).filter((one) => one !== '');
    return [
      `  ${escapeUntrustedText(name)}`,
      ...(words.length > 0 ? wrapText(`    ${words.join(', ')}`, columns) : []),
    ];
  });
}

/** The answer of `catalog --json`: each list by its name, or the one that was asked for. */
export function renderCatalogJson({ catalog, list, arePricesAssumed }: CatalogSelection): object {
  const all = {
    images: catalog.images.map(({ id, name, os }) => ({ id, name, os: os ?? null })),
    configurations: catalog.configurations,
    tariffs: catalog.tariffs.map(describeTariffJson),
  };
  return {
    format_version: '1.0',
    ...(list ? { [list]: all[list] } : all),
    pricesAssumed: arePricesAssumed,
  };
}

function describeTariffJson({ id, name, price }: CatalogTariff): object {
  const monthly = price && calculateMonthlyPrice(price);
  return {
    id,
    name,
    price: price?.amount ?? null,
    currency: price?.currency ?? null,
    period: price?.period ?? null,
    monthly: monthly === undefined ? null : formatCents(roundToCents(monthly)),
  };
}
