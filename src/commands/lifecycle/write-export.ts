import { writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { formatYaml } from '../../config/format/format-yaml.ts';
import { readSystemErrorCode } from '../../config/source/configuration-files.ts';
import { defaultConfigurationSizeLimits } from '../../model/bounds.ts';
import type { ExportedAccount } from '../../model/account/exported.ts';
import type { Runtime } from '../../model/runtime.ts';
import {
  renderConfigurationYaml,
  type ExportedService,
} from '../../render/yaml/configuration-yaml.ts';
import { splitExportedYaml } from '../../render/yaml/split-export.ts';
import { makeDirectories } from '../../state/files/make-directories.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { ExportedProjects } from './export-projects.ts';

const mega = 1024 * 1024;

/** Renders YAML as `fmt` formats it, so that the first edit of a file changes nothing else in it. */
function renderCanonical(exported: ExportedAccount, service: ExportedService | undefined): string {
  const text = renderConfigurationYaml(exported, service);
  return formatYaml('export', text, { isOrdered: true }).text ?? text;
}

/** Renders an export as texts, each small enough to be read again; as few as possible. */
function renderParts(
  { bounds = defaultConfigurationSizeLimits }: Pick<Runtime, 'bounds'>,
  exported: ExportedAccount,
  service: ExportedService,
): readonly string[] {
  const { fileBytes } = bounds;
  for (let count = 1; ; count *= 2) {
    const parts = splitExportedYaml(exported, count);
    const texts = parts.map((part, index) =>
      renderCanonical(part, index === 0 ? service : undefined),
    );
    const isSmall = texts.every((text) => Buffer.byteLength(text) <= fileBytes);
    // A single resource cannot be split over files, however large it is.
    if (isSmall || parts.length < count) return texts;
  }
}

/** Renders an export as one text. @throws DiagnosticError where that would be too large to be read again */
export function renderWholeExport(
  runtime: Pick<Runtime, 'bounds'>,
  exported: ExportedAccount,
  service: ExportedService,
): string {
  const text = renderCanonical(exported, service);
  const { fileBytes } = runtime.bounds ?? defaultConfigurationSizeLimits;
  if (Buffer.byteLength(text) <= fileBytes) return text;
  throw createCommandRefusal('export-too-large', 'What was found is too much for one file', {
    detail: `A file of a configuration may have ${Math.floor(fileBytes / mega)} MB.`,
    hint: 'Write several files with --out DIR, or export fewer projects at a time.',
  });
}

/** The service as a configuration in `directory` has it: its contract file by the way from there. */
export function describeExportedService(
  directory: string,
  { service, contract }: Pick<ExportedProjects, 'service' | 'contract'>,
): ExportedService {
  return service.kind === 'remote' && contract !== undefined
    ? { ...service, contract: relative(directory, contract).replaceAll(sep, '/') }
    : service;
}

/** Renders an export as files, in as many as are needed: their names and texts. */
export function renderExportFiles(
  runtime: Pick<Runtime, 'bounds'>,
  exported: ExportedAccount,
  service: ExportedService,
): readonly (readonly [name: string, text: string])[] {
  const texts = renderParts(runtime, exported, service);
  return texts.map((text, index) => [index === 0 ? 'main.yaml' : `part-${index + 1}.yaml`, text]);
}

/**
 * Writes an export into a directory, in as many files as are needed.
 * @returns their paths, as the user would write them
 * @throws DiagnosticError where one of them is there already, or cannot be written
 */
export async function writeExport(
  runtime: Pick<Runtime, 'cwd' | 'bounds'>,
  directory: string,
  exported: ExportedAccount,
  service: ExportedService,
): Promise<readonly string[]> {
  const absolute = resolve(runtime.cwd, directory);
  const files = renderExportFiles(runtime, exported, service);
  for (const [name, text] of files) {
    try {
      makeDirectories(absolute);
      await writeFile(join(absolute, name), text, { flag: 'wx' });
    } catch (error) {
      const code = readSystemErrorCode(error);
      const why = code === 'EEXIST' ? 'is there already' : `cannot be written (${code})`;
      throw createCommandRefusal('cannot-write', `${join(directory, name)} ${why}`, {
        detail: 'Nothing is overwritten.',
        hint: 'Give a directory that is empty, or that there is none of.',
      });
    }
  }
  return files.map(([name]) => join(directory, name));
}
