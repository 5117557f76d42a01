/** Milliseconds as whole seconds, the unit in which every duration is shown. */
export function roundSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000));
}

/** A time as Terraform prints it, in whole seconds: `3s`, `1m10s`, `1h0m5s`. */
export function formatElapsed(ms: number): string {
  const total = roundSeconds(ms);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const seconds = `${total % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/** Formats a time from the start of a run: `0:07`, `1:00:05`. */
export function formatTimeSinceRunStart(ms: number): string {
  const total = roundSeconds(ms);
  const pad = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor(total / 60) % 60];
  const start = hours > 0 ? `${hours}:${pad(minutes)}` : String(minutes);
  return `${start}:${pad(total % 60)}`;
}
