import { isJsonObject, type JsonObject } from '../../model/json-object.ts';
/** Keys and indexes that lead to a value of a fault script. */
export type FaultScriptPath = readonly (string | number)[];

/** Problem in a fault script, such as an unknown key. */
export interface FaultScriptProblem {
  readonly path: FaultScriptPath;
  /** A sentence about the value at the path, or about the key itself. */
  readonly message: string;
  /** Tells whether the last key of the path is wrong, and not its value. */
  readonly isKey?: boolean;
}

/** Formats a place in a fault script: `rules[2].then.answer`, or `the file` for its top. */
export const formatFaultScriptPath = (path: FaultScriptPath): string =>
  path.length === 0
    ? 'the file'
    : path
        .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
        .join('')
        .slice(1);

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function parseDuration(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value) : null;
  return match ? Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0) : undefined;
}

/** VM sizes that a fault script may name, by id or name; `any` while the account was not read yet. */
export type FaultScriptVmSizes = readonly { readonly id: string; readonly name: string }[] | 'any';

/** Reads the values of a fault script and collects all problems. An invalid value reads as undefined. */
export class FaultScriptReader {
  readonly problems: FaultScriptProblem[] = [];
  readonly sizes: FaultScriptVmSizes;

  constructor(sizes: FaultScriptVmSizes) {
    this.sizes = sizes;
  }

  refuse(path: FaultScriptPath, message: string, isKey = false): void {
    this.problems.push({ path, message, ...(isKey && { isKey }) });
  }

  /** Reads a map that has only the given keys; an invalid one reads as empty. */
  map(value: unknown, path: FaultScriptPath, keys?: readonly string[]): JsonObject {
    if (!isJsonObject(value)) {
      this.refuse(path, 'must be a map.');
      return {};
    }
    for (const key of Object.keys(value)) {
      if (keys && !keys.includes(key)) {
        this.refuse([...path, key], `is not a valid key; valid keys: ${keys.join(', ')}.`, true);
      }
    }
    return value;
  }

  list(value: unknown, path: FaultScriptPath): readonly unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.refuse(path, 'must be a list.');
    return [];
  }

  text(value: unknown, path: FaultScriptPath): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '') return value;
    this.refuse(path, 'must be a text.');
    return undefined;
  }

  number(
    value: unknown,
    path: FaultScriptPath,
    { least, most = Infinity, isWhole = true }: { least: number; most?: number; isWhole?: boolean },
  ): number | undefined {
    if (value === undefined) return undefined;
    const fits =
      typeof value === 'number' &&
      value >= least &&
      value <= most &&
      (!isWhole || Number.isSafeInteger(value));
    if (fits) return value;
    const range = most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`;
    this.refuse(path, `must be a ${isWhole ? 'whole ' : ''}number ${range}.`);
    return undefined;
  }

  flag(value: unknown, path: FaultScriptPath): boolean {
    if (value === undefined || typeof value === 'boolean') return value ?? false;
    this.refuse(path, 'must be true or false.');
    return false;
  }

  /** Reads a duration in milliseconds: `500ms`, `2s`, `5m`, `1h`. */
  duration(value: unknown, path: FaultScriptPath): number | undefined {
    if (value === undefined) return undefined;
    const ms = parseDuration(value);
    if (ms === undefined) this.refuse(path, 'must be a duration such as 500ms, 2s or 5m.');
    return ms;
  }

  choice<Choice extends string>(
    value: unknown,
    path: FaultScriptPath,
    choices: readonly Choice[],
  ): Choice | undefined {
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.refuse(path, `must be one of ${choices.join(', ')}.`);
    return found;
  }
}
