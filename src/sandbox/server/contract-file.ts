import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { InternalError } from '../../model/errors.ts';
import type { Store } from '../store/store.ts';

/** A JSON Schema, or a reference to one. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter of a path or of a query. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

/** An answer with one status. */
export interface ContractResponse {
  readonly description: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface ContractOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly 'x-evidence': string;
  readonly 'x-evidence-note'?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ContractResponse | { readonly $ref: string }>>;
}

/** The parts of `schemas/openapi.yaml` that the sandbox reads. */
export interface Contract {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, ContractResponse>>;
  };
}

/** The part that a reference leads to, by the last step of its path. */
export function resolvePart<Part extends object>(
  parts: Readonly<Record<string, Part>>,
  part: Part | { readonly $ref: string },
): Part {
  if (!('$ref' in part)) return part;
  const found = parts[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new InternalError(`The contract has no ${part.$ref}.`);
  return found;
}

/** The contract's text, from the package that this program belongs to: as sources and as a bundle. */
function readContractText(): string {
  let folder = new URL('.', import.meta.url);
  for (;;) {
    const parent = new URL('..', folder);
    try {
      const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as unknown;
      const isOurs = (manifest as { name?: unknown }).name === 'hostwright';
      if (isOurs) return readFileSync(new URL('schemas/openapi.yaml', folder), 'utf8');
    } catch (cause) {
      if (parent.href === folder.href) {
        const start = fileURLToPath(import.meta.url);
        throw new InternalError(`There is no schemas/openapi.yaml above ${start}.`, { cause });
      }
    }
    if (parent.href === folder.href)
      throw new InternalError('The package hostwright is incomplete.');
    folder = parent;
  }
}

let parsed: { readonly digest: string; readonly contract: Contract } | undefined;

/**
 * The contract. Parsing its YAML takes a fifth of a second, so the data file keeps what came of it, under the
 * digest of the text.
 */
export async function loadContract(store: Store): Promise<Contract> {
  const text = readContractText();
  const digest = createHash('sha256').update(text).digest('hex');
  if (parsed?.digest === digest) return parsed.contract;
  if (store.setting('contractDigest') === digest) {
    const kept = JSON.parse(store.setting('contract') ?? 'null') as Contract;
    parsed = { digest, contract: kept };
    return kept;
  }
  const { parse } = await import('yaml');
  const contract = parse(text) as Contract;
  store.transaction(() => {
    store.keepSetting('contract', JSON.stringify(contract));
    store.keepSetting('contractDigest', digest);
  });
  parsed = { digest, contract };
  return contract;
}
