import type { Style } from './style.ts';

/** Width of a gauge in terminal cells. */
export const gaugeWidth = 20;

/** Share of its limit from which a quota is painted as nearly full. */
const nearlyFull = 0.8;

/** Colours the use of a quota: green while there is room, yellow when nearly full, red when over the limit. */
export function paintUse(text: string, used: number, limit: number, style: Style): string {
  if (used > limit) return style.red(text);
  return used >= limit * nearlyFull ? style.yellow(text) : style.green(text);
}

/**
 * Bar of a quota's use before and after a plan: `██▓▓▓░░░░░`. Solid is used now and stays, dense is taken in addition,
 * light is given back, and the faintest is free.
 */
export function drawGauge(used: number, after: number, limit: number, style: Style): string {
  const cells = (amount: number) =>
    limit <= 0
      ? gaugeWidth * Number(amount > 0)
      : // Any use at all gets a cell, however small its share is.
        Math.min(
          gaugeWidth,
          Math.max(Math.round((amount / limit) * gaugeWidth), Number(amount > 0)),
        );
  const [now, then] = [cells(used), cells(after)];
  const solid = '█'.repeat(Math.min(now, then));
  const moved = (then > now ? '▓' : '▒').repeat(Math.abs(then - now));
  const free = '░'.repeat(gaugeWidth - Math.max(now, then));
  return paintUse(solid + moved, after, limit, style) + style.dim(free);
}
