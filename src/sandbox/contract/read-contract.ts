// Reads the contract from its YAML file. In a bundle the parsed contract itself takes the place of this file.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** Reads `schemas/openapi.yaml`, which takes a fifth of a second. */
export async function readServiceContract(): Promise<unknown> {
  const file = new URL('../../../schemas/openapi.yaml', import.meta.url);
  return parse(await readFile(file, 'utf8'));
}
