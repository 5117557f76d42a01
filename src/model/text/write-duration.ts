const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Writes a duration as a configuration has it: `5m`, `1h30m`. */
export function formatConfigDuration(ms: number): string {
  let left = ms;
  const parts = units.map(([unit, unitMs]) => {
    const count = unit === 's' ? left / unitMs : Math.floor(left / unitMs);
    left -= count * unitMs;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.join('') || '0s';
}
