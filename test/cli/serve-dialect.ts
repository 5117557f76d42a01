// A service that spells the contract otherwise, for a page of the documentation that shows the way to one.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Binding } from '../../src/model/account/binding.ts';
import { buildDialectDocument } from '../support/dialects/build-dialect-document.ts';
import { serve } from './run-in-process.ts';

const dialects = resolve(import.meta.dirname, '../scenario/dialects');

/** Such a service, over HTTP. */
export interface ServedDialect {
  readonly baseUrl: string;
  readonly token: string;
  /** Its OpenAPI document. Nothing in it is called as in the contract but by chance. */
  readonly document: string;
  stop(): Promise<void>;
}

/** Serves a dialect of `test/scenario/dialects`. */
export async function serveDialect(name: string): Promise<ServedDialect> {
  const file = join(dialects, `${name}.contract.yaml`);
  const binding = parse(await readFile(file, 'utf8')) as Binding;
  const sandbox = await serve('--speed', '1000000', '--contract', file);
  const { HOSTWRIGHT_BASE_URL: baseUrl = '', HOSTWRIGHT_TOKEN: token = '' } = sandbox.env;
  const document = JSON.stringify(buildDialectDocument(binding));
  const stop = async () => {
    await sandbox.stop();
  };
  return { baseUrl, token, document, stop };
}
