import { resolve } from 'node:path';
import { defaultBounds, type Bounds } from '../../model/bounds.ts';
import { ConfigurationFiles } from './configuration-files.ts';
import { FaultList } from './fault-list.ts';
import type { Reading } from './read-source.ts';

/** What reading is made of; see `LoadOptions`. */
interface ReadingOptions {
  readonly directory: string;
  readonly workingDirectory: string;
  readonly allowsOutsideFiles?: boolean;
  readonly bounds?: Bounds | undefined;
  readonly secrets?: readonly string[];
  readonly variables?: { readonly files?: readonly string[] };
}

/** What one reading of a configuration works with, before anything was read. */
export function makeReading(options: ReadingOptions): Reading {
  const { workingDirectory, allowsOutsideFiles = false, bounds, variables } = options;
  const directory = resolve(workingDirectory, options.directory);
  return {
    workingDirectory,
    root: directory,
    faults: new FaultList(options.secrets),
    files: new ConfigurationFiles(directory, allowsOutsideFiles),
    modules: new Map(),
    fileBytes: bounds?.fileBytes ?? defaultBounds.fileBytes,
    variableFiles: new Set(variables?.files?.map((path) => resolve(workingDirectory, path))),
  };
}
