// Secrets that no output may show, however they are encoded.

/** The access token of every case. */
export const plantedToken = 'tok_Pl4nted+T0ken/9f3a=';
/** What the sensitive variable `secret` is set to; it stands in no file. */
const plantedValue = 'Hunter2;Pl4nted Value"<&>';

/** The environment of every case. */
export const plantedEnvironment = {
  HOSTWRIGHT_TOKEN: plantedToken,
  HOSTWRIGHT_VAR_secret: plantedValue,
};

function encode(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const json = JSON.stringify(secret).slice(1, -1);
  const markup = secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return [
    secret,
    json,
    markup,
    encodeURIComponent(secret),
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ];
}

const tokens = encode(plantedToken);
const values = encode(plantedValue);

/** True where the files say that the variable is sensitive, and nowhere anything else of it. */
function isDeclaredSensitive(texts: readonly string[]): boolean {
  const all = texts.join('\n');
  const declarations = all.match(/["']?secret["']?\s*:\s*\{[^}\n]*\}/g) ?? [];
  const isAll = declarations.every(
    (one) => /["']?sensitive["']?:\s*true\b/.test(one) && /type/.test(one),
  );
  return (
    declarations.length > 0 &&
    isAll &&
    !/["']?secret["']?\s*:\s*(?!\s*\{)/.test(all.replaceAll(/secret: "\$\{var\.secret\}"/g, ''))
  );
}

/** The secrets that an output shows; `texts` are the files of the configuration. */
export function findLeaks(output: string, texts: readonly string[]): string[] {
  const leaked = tokens.some((one) => output.includes(one)) ? ['the access token'] : [];
  const shows = values.some((one) => output.includes(one));
  return shows && isDeclaredSensitive(texts) ? [...leaked, 'a sensitive variable'] : leaked;
}
