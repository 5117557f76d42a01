import type { TextStyle } from './style.ts';

/** Width of a gauge in terminal cells. */
export const quotaGaugeWidth = 20;

/** Share of its limit from which a quota is painted as nearly full. */
const nearlyFull = 0.8;

/** Colours the use of a quota: green while enough is left, yellow when nearly full, red when over the limit. */
export function paintQuotaUse(text: string, used: number, limit: number, style: TextStyle): string {
  if (used > limit) return style.red(text);
  return used >= limit * nearlyFull ? style.yellow(text) : style.green(text);
}

/**
 * Draws a quota's use before and after a plan as a bar, `██▓▓▓░░░░░`: solid for what is used now and stays so, dense
 * for what the plan takes, light for what it gives back, the faintest for what is free.
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
