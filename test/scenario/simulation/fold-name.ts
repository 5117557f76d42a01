/** A name as any service shows it, whatever it does to names. The engine has its own: this one judges it. */
export function foldName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
