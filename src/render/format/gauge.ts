import type { TextStyle } from './style.ts';

/** Width of a gauge in terminal cells. */
export const quotaGaugeWidth = 20;

/** Share of its limit from which a quota is painted as nearly full. */
const nearlyFull = 0.8;

/** Colours the use of a quota: green while there is room, yellow when nearly full, red when over the limit. */
export function paintQuotaUse(text: string, used: number, limit: number, style: TextStyle): string {
  if (used > limit) return style.red(text);
  return used >= limit * nearlyFull ? style.yellow(text) : style.green(text);
}

/**
 * Bar of a quota's use before and after a plan: `██▓▓▓░░░░░`. Solid is used now and stays, dense is taken in addition,
 * light is given back, and the faintest is free.
 */
export function drawQuotaGauge(
  used: number,
  after: number,
  limit: number,
  style: TextStyle,
): string {
  const cells = (amount: number) =>
    limit <= 0
      ? quotaGaugeWidth * Number(amount > 0)
      : // Any use at all gets a cell, however small its share is.
        Math.min(
          quotaGaugeWidth,
          Math.max(Math.round((amount / limit) * quotaGaugeWidth), Number(amount > 0)),
        );
  const [now, then] = [cells(used), cells(after)];
  const solid = '█'.repeat(Math.min(now, then));
  const moved = (then > now ? '▓' : '▒').repeat(Math.abs(then - now));
  const free = '░'.repeat(quotaGaugeWidth - Math.max(now, then));
  return paintQuotaUse(solid + moved, after, limit, style) + style.dim(free);
}
