import { listTextsInValue } from '../../model/text/mask-texts.ts';
import type { Value } from '../../model/value.ts';
import type { Schemas } from '../contract.ts';

/** Environment variables of a workspace's runs. */
export type WorkspaceVariables = Readonly<Record<string, string>>;

/** Environment variables of a workspace's runs, or of a variable set, as the database keeps them. */
export interface StoredVariables {
  readonly values: WorkspaceVariables;
  /** Names of the variables whose values are masked in a run's output. */
  readonly secrets: readonly string[];
}

/** An edit of a variable: a value, which leaves a secret a secret; null, which removes it; or both of its parts. */
export type VariableEdit = Schemas['GivenVariable'];

/** Changes of a workspace's variables, by name. */
export type VariableEdits = Readonly<Record<string, VariableEdit>>;

/** Reads the new value of a variable; undefined where none is given. */
export function readVariableEditValue(given: VariableEdit): string | undefined {
  return typeof given === 'string' ? given : given?.value;
}

/** Applies changes to a workspace's variables. */
export function applyVariableEdits(kept: StoredVariables, given: VariableEdits): StoredVariables {
  const values = new Map(Object.entries(kept.values));
  const secrets = new Set(kept.secrets);
  for (const [name, one] of Object.entries(given)) {
    const value = readVariableEditValue(one);
    const isSecret = typeof one === 'object' ? one?.secret : undefined;
    if (value !== undefined) values.set(name, value);
    if (one === null) values.delete(name);
    if (isSecret === true) secrets.add(name);
    if (isSecret === false || one === null) secrets.delete(name);
  }
  return { values: Object.fromEntries(values), secrets: [...secrets].sort() };
}

/** Merges variables: of those with one name, the last counts, also in whether it is a secret. */
export function mergeVariables(layers: readonly StoredVariables[]): StoredVariables {
  const values = new Map<string, string>();
  const secrets = new Set<string>();
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer.values)) {
      values.set(name, value);
      if (layer.secrets.includes(name)) secrets.add(name);
      else secrets.delete(name);
    }
  return { values: Object.fromEntries(values), secrets: [...secrets].sort() };
}

/** Replaces all variables: a given name without a value keeps its present value, and names that are not given are removed. */
export function replaceVariables(kept: StoredVariables, given: VariableEdits): StoredVariables {
  const dropped = Object.keys(kept.values).filter((name) => !Object.hasOwn(given, name));
  const removals = dropped.map((name) => [name, null] as const);
  return applyVariableEdits(kept, { ...given, ...Object.fromEntries(removals) });
}

/** The reason why a variable cannot be set so; undefined where it can. */
export function explainVariableEdit(
  { values, secrets }: StoredVariables,
  name: string,
  given: VariableEdit,
): string | undefined {
  if (given === null || readVariableEditValue(given) !== undefined) return undefined;
  if (!Object.hasOwn(values, name)) return 'it has no value. Give `value`';
  const isOpened = typeof given === 'object' && given.secret === false && secrets.includes(name);
  return isOpened ? 'it is a secret. Give its `value` again, or another one' : undefined;
}

/**
 * Lists every text that is masked in a run's output: the secret values, the parts of those that are lists or maps, and the token.
 */
export function listRunSecrets({ values, secrets }: StoredVariables): readonly string[] {
  return [...secrets, 'HOSTWRIGHT_TOKEN'].flatMap((name) => {
    const text = values[name];
    return text === undefined ? [] : [text, ...listParts(text)];
  });
}

function listParts(text: string): readonly string[] {
  try {
    return [...listTextsInValue(JSON.parse(text) as Value)];
  } catch {
    return [];
  }
}
