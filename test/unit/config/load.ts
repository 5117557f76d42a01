import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import {
  loadConfiguration,
  type ConfigurationLoadOptions,
  type ConfigurationLoadResult,
} from '../../../src/config/load-configuration.ts';
import type { DesiredGraph } from '../../../src/model/resource.ts';

export const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID1HwMGhbgIVDueZmLc9wqqDpEIQmF5s/EcC6dr/jcxK alice';

/** Writes files into a fresh directory, loads it with its directories of policies, and removes it again. */
export async function loadFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ConfigurationLoadOptions> = {},
): Promise<ConfigurationLoadResult> {
  const room = await mkdtemp(join(tmpdir(), 'hostwright-config-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(room, name)), { recursive: true });
      await writeFile(join(room, name), content);
    }
    const policyDirectories = options.policyDirectories?.map((one) => join(room, one));
    const given = { ...options, ...(policyDirectories && { policyDirectories }) };
    return await loadConfiguration({ directory: room, workingDirectory: room, ...given });
  } finally {
    await rm(room, { recursive: true });
  }
}

/** Loads one file called a.yaml. */
export const loadText = (
  text: string,
  options: Partial<ConfigurationLoadOptions> = {},
): Promise<ConfigurationLoadResult> => loadFiles({ 'a.yaml': text }, options);

/** The graph of one file called a.yaml, or of several files, about which there is nothing to be said. */
export async function loadGraph(
  given: string | Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ConfigurationLoadOptions> = {},
): Promise<DesiredGraph> {
  const files = typeof given === 'string' ? { 'a.yaml': given } : given;
  const { configuration, diagnostics } = await loadFiles(files, options);
  expect(diagnostics).toEqual([]);
  return configuration!.graph;
}

/** What went wrong, one line each: `a.yaml:3:5 code`. */
export const listFaults = ({ diagnostics }: ConfigurationLoadResult): string[] =>
  diagnostics.map(({ code, source }) =>
    source ? `${source.file}:${source.line}:${source.column} ${code}` : code,
  );

/** A body of `projects.shop`, indented by four. */
export function inShop(body: string): string {
  const lines = body.replace(/^\n/, '').trimEnd().split('\n');
  return `version: 1\nprojects:\n  shop:\n${lines.map((line) => `    ${line}`).join('\n')}\n`;
}

/** The required fields of a VM in flow style, without the braces. */
export const vmFields = 'image: u, configuration: c, tariff: t';
