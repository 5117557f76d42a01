// The facts beside a contract file: its document in brief, so that no plan reads that.
import type { Binding } from '../../model/account/binding.ts';
import type { ContractFacts } from '../../model/account/contract-lines.ts';
import { isRecord } from '../../model/wire/decode-fields.ts';

/** The largest file, in bytes. */
export const mostFactsBytes = 1_048_576;

/** The path of the facts of a contract file. */
export function factsPath(path: string): string {
  return `${path.replace(/\.ya?ml$/, '')}.json`;
}

/** The facts of the document that a binding was made from; undefined for those of another, and for what is none. */
export function readFacts(text: string, { document }: Binding): ContractFacts | undefined {
  const read = parse(text);
  if (!isRecord(read) || read.version !== 1 || read.document !== document?.sha256) return undefined;
  const { confirmed, required } = read;
  return {
    confirmed: Array.isArray(confirmed) ? confirmed.filter(isText) : [],
    required: (Array.isArray(required) ? (required as unknown[]) : []).flatMap((one) => {
      if (!isRecord(one) || !isText(one.operation) || !isText(one.at)) return [];
      const place = one.in === 'query' ? 'query' : 'body';
      return [{ operation: one.operation, at: one.at, in: place }];
    }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
