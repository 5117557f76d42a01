// Reads the contract of the server's API. In a bundle the parsed contract itself takes the place of this file.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** Reads the OpenAPI contract of this server's own API, `schemas/server.yaml`. */
export async function readServerContract(): Promise<unknown> {
  const file = new URL('../../../schemas/server.yaml', import.meta.url);
  return parse(await readFile(file, 'utf8'));
}
