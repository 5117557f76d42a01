// Names of the variables that workspaces of a server, and sets of variables, may have.

/** Variables that a workspace may set for its runs. None of them allows more than a stranger's YAML may have. */
const allowed =
  /^HOSTWRIGHT_(?:TOKEN|BASE_URL|VAR_\w+|STATE|STATE_(?:POSTGRES_URL|HTTP_USERNAME|HTTP_PASSWORD|PASSPHRASE|PASSPHRASE_PREVIOUS))$|^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|REGION|DEFAULT_REGION)$/;

/** Variables that are credentials by their names: no value of theirs is ever shown. */
const credentials =
  /^HOSTWRIGHT_(?:TOKEN|STATE_(?:POSTGRES_URL|HTTP_PASSWORD|PASSPHRASE|PASSPHRASE_PREVIOUS))$|^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)$/;

/** Environment variable with the address of the service. Its value is shown, since people know an account by it. */
export const serviceAddressVariable = 'HOSTWRIGHT_BASE_URL';

/** Tells whether a workspace may set an environment variable of this name. */
export function isVariableAllowed(name: string): boolean {
  return allowed.test(name);
}

/** Tells by its name whether a variable is a credential, whatever it is marked as. */
export function isCredentialVariable(name: string): boolean {
  return credentials.test(name);
}

/** Linux starts no process with a longer one; with the name, the `=` and the end. */
const mostVariableBytes = 128 * 1024;

/** The reason why no process can have such a variable; undefined where it can. */
export function explainUnfitVariable(name: string, value: string): string | undefined {
  if (value.includes('\0')) return 'it has the character NUL';
  const bytes = Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
  return bytes > mostVariableBytes ? 'it is longer than 128 KB' : undefined;
}

/** The most characters of a value that the API takes. */
const mostValueCharacters = 65_536;

/** The reason why a server refuses such a variable of a workspace; undefined where it takes it. */
export function explainRefusedVariable(name: string, value: string): string | undefined {
  return Array.from(value).length > mostValueCharacters
    ? `it has more than ${mostValueCharacters} characters`
    : explainUnfitVariable(name, value);
}
