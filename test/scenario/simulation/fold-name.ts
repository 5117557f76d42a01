/** A name as any service shows it, whatever it does to names. The engine has its own: this one judges it. */
export const foldName = (name: string): string => name.trim().normalize('NFC').toLowerCase();
