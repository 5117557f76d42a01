// Facts beside a contract file: its document in brief, which is faster to read, and the members that answers have had.
import type { Binding } from '../../model/account/binding.ts';
import type { ContractFacts } from '../../model/account/contract-lines.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Largest facts file of a contract that is read, in bytes. */
export const maxContractFactsBytes = 1_048_576;

/** The path of the facts file that belongs to a contract file. */
export function findContractFactsPath(path: string): string {
  return `${path.replace(/\.ya?ml$/, '')}.json`;
}

/**
 * Parses the facts file of a contract: the facts about the API document, if it is still the same one, and those about
 * observed responses. Undefined for a file without facts.
 */
export function parseContractFacts(text: string, { document }: Binding): ContractFacts | undefined {
  const read = parse(text);
  if (!isJsonObject(read) || read.version !== 1) return undefined;
  const observed = readObserved(read.observed);
  if (read.document !== document?.sha256) return { confirmed: [], required: [], observed };
  const { confirmed, required } = read;
  return {
    observed,
    confirmed: Array.isArray(confirmed) ? confirmed.filter(isText) : [],
    required: (Array.isArray(required) ? required : []).flatMap((one) => {
      if (!isJsonObject(one) || !isText(one.operation) || !isText(one.at)) return [];
      const place = one.in === 'query' ? 'query' : 'body';
      return [{ operation: one.operation, at: one.at, in: place }];
    }),
  };
}

/** Formats the text of a contract's facts file. `document` is the SHA-256 of the API document; absent where there is none. */
export function formatContractFacts({
  document,
  confirmed,
  required,
  observed,
}: ContractFacts & { readonly document: string | undefined }): string {
  const seen = Object.entries(observed).sort(([one], [other]) => (one < other ? -1 : 1));
  const facts = {
    version: 1,
    document,
    confirmed: [...confirmed].sort(),
    required,
    ...(seen.length > 0 && { observed: Object.fromEntries(seen) }),
  };
  return `${JSON.stringify(facts, null, 2)}\n`;
}

function readObserved(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => isText(entry[1])));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
