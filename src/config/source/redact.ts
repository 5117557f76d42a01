// Masks of secrets in a quoted file: values of telling keys, private keys, and credentials in URLs.

/** A key that holds a secret, with the rest of its line. */
const secretLine = /((?:^|[\s{,"'])[\w-]*(?:token|password|secret)["']?[ \t]*:[ \t]+)([^\n]*)/gim;
/** Private keys: PEM and OpenSSH, PuTTY, and the encoded part of an OpenSSH one without its frame. */
const privateKeys = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$(?![\s\S]))/g,
  /Private-Lines:[\s\S]*?(?:Private-MAC:|$(?![\s\S]))/g,
  /b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]*/g,
];
const urlCredentials = /(:\/\/)([^\s/@'"]+)(@)/g;

function mask(text: string): string {
  return text.replace(/\S/g, '*');
}

/** Masks the lines below a key that are indented more than the key: the block of `token: |`. */
function maskBlocks(text: string): string {
  if (!/^[ \t-]*[\w-]*(?:token|password|secret)["']?[ \t]*:/im.test(text)) return text;
  let secretIndent: number | undefined;
  const lines = text.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length;
    if (secretIndent !== undefined && (indent > secretIndent || line.trim() === '')) {
      return mask(line);
    }
    secretIndent = /^[ \t-]*[\w-]*(?:token|password|secret)["']?[ \t]*:/i.test(line)
      ? indent
      : undefined;
    return line;
  });
  return lines.join('\n');
}

/**
 * Masks tokens, passwords, private keys and the credentials of URLs by `*`, keeping length and lines. It reads text, not
 * YAML, so that it also serves where the YAML is broken.
 */
export function maskSecrets(text: string): string {
  const withoutKeys = privateKeys.reduce((all, key) => all.replace(key, mask), text);
  return maskBlocks(withoutKeys)
    .replace(secretLine, (_all, key: string, value: string) => key + mask(value))
    .replace(urlCredentials, (_all, before: string, value: string, after: string) => {
      return before + mask(value) + after;
    });
}
