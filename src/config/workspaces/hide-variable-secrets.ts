// Secrets in a file of workspaces, which has none where it is right: no message may show one.
import { isCredentialVariable } from '../../model/workspaces/workspace-variables.ts';
import type { SecretMasker } from '../source/secrets.ts';
import type { LocatedYamlNode, YamlMapNode, YamlScalarNode } from '../source/located-node.ts';

/** Names of environment variables, which messages may say. */
const envName = /^[A-Za-z_]\w*$/;

/**
 * Masks in messages whatever may be a secret in an invalid file of workspaces, in any part of it: each value below the
 * name of a credential, each value of a variable that is marked as a secret or written as a map, and addresses with a
 * password.
 */
export function hideVariableSecrets(node: LocatedYamlNode, secrets: SecretMasker): void {
  if (node.kind === 'list') for (const item of node.items) hideVariableSecrets(item, secrets);
  if (node.kind === 'scalar') hideAssignment(node, secrets);
  if (node.kind !== 'map') return;
  for (const [key, { value }] of node.entries)
    if (isCredentialVariable(key.trim().toUpperCase()) || isSecretVariable(value)) {
      value.file.hide(value);
      addScalars(value, secrets);
    } else if (isAddressWithCredentials(value)) value.file.hide(value);
    else hideVariableSecrets(value, secrets);
}

function isAddressWithCredentials({ kind, file, start, end }: LocatedYamlNode): boolean {
  const text = file.text.slice(start, end);
  const scheme = text.indexOf('://');
  return kind === 'scalar' && scheme >= 0 && text.lastIndexOf('@') > scheme;
}

/** Hides `HOSTWRIGHT_TOKEN=…`, as a file of an environment has it, and what a forgotten blank makes of a map. */
function hideAssignment(node: YamlScalarNode, secrets: SecretMasker): void {
  for (const [, name = '', value] of String(node.value).matchAll(
    /\b(\w+)\b[ \t]*[:=][ \t]*(\S+)/g,
  )) {
    if (!isCredentialVariable(name.toUpperCase())) continue;
    node.file.hide(node);
    secrets.add(value);
  }
}

function isSecretVariable(node: LocatedYamlNode): node is YamlMapNode {
  return node.kind === 'map' && (node.entries.has('secret') || node.entries.has('value'));
}

function addScalars(node: LocatedYamlNode, secrets: SecretMasker): void {
  if (node.kind === 'list') for (const item of node.items) addScalars(item, secrets);
  if (node.kind === 'map')
    for (const [key, { value }] of node.entries)
      if (key !== 'env' || value.kind !== 'scalar' || !envName.test(String(value.value)))
        addScalars(value, secrets);
  if (node.kind !== 'scalar' || typeof node.value === 'boolean' || node.value === null) return;
  secrets.add(node.value);
  // Source text of the value, besides the parsed one: a number may be written 0x1F, or with a trailing zero.
  secrets.add(node.file.text.slice(node.start, node.end));
}
