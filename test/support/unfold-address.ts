/** The addresses that one with ranges stands for: `web[0..2, 7]` is `web[0]`, `web[1]`, `web[2]` and `web[7]`. */
export function unfoldAddress(address: string): string[] {
  const item = String.raw`(?:\d+(?:\.\.\d+)?|"(?:[^"\\]|\\.)*")`;
  const folded = [...address.matchAll(new RegExp(`\\[(${item}(?:, ${item})*)\\]`, 'g'))].at(-1);
  if (folded?.[1] === undefined) return [address];
  const keys = folded[1].match(new RegExp(item, 'g')) ?? [];
  return keys.flatMap(unfoldKey).map((key) => {
    const end = address.slice(folded.index + folded[0].length);
    return `${address.slice(0, folded.index)}[${key}]${end}`;
  });
}

function unfoldKey(key: string): string[] {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(key) ?? [];
  if (from === undefined || to === undefined) return [key];
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) =>
    String(Number(from) + index),
  );
}
