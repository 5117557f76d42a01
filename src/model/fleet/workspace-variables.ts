// Names of the variables that workspaces of a server, and sets of variables, may have.

/** Variables that a workspace may set for its runs. None of them allows more than a stranger's YAML may have. */
const allowed =
  /^HOSTWRIGHT_(?:TOKEN|BASE_URL|VAR_\w+|STATE|STATE_(?:POSTGRES_URL|HTTP_USERNAME|HTTP_PASSWORD|PASSPHRASE|PASSPHRASE_PREVIOUS))$|^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|REGION|DEFAULT_REGION)$/;

/** Those that are credentials by their names. */
const credentials =
  /^HOSTWRIGHT_(?:TOKEN|STATE_(?:POSTGRES_URL|HTTP_PASSWORD|PASSPHRASE|PASSPHRASE_PREVIOUS))$|^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)$/;

/** Tells whether a workspace may set an environment variable of this name. */
export function isVariableAllowed(name: string): boolean {
  return allowed.test(name);
}

/** Tells by its name whether a variable is a credential, whatever it is marked as. */
export function isCredentialVariable(name: string): boolean {
  return credentials.test(name);
}
