// Reader of a catalog that `hostwright catalog --json` wrote: a sandbox and a test offer what it lists.
import { relative, resolve } from 'node:path';
import type { Catalog, CatalogConfiguration, CatalogEntry } from '../model/account/live.ts';
import { DiagnosticError } from '../model/errors.ts';
import { reportSchemaViolations } from './schema/explain-shape-error.ts';
import type { ConfigurationFiles } from './source/configuration-files.ts';
import { ConfigurationFaultList } from './source/fault-list.ts';
import { findYamlMapChild, toPlainValue, type LocatedYamlNode } from './source/located-node.ts';
import { decodeUtf8Text } from './source/read-files.ts';
import { readYamlTree } from './source/read-tree.ts';
import { SourceFile } from './source/source-file.ts';

/** The largest file of a catalog, in bytes: one of 10,000 entries has less. */
const mostCatalogBytes = 4 * 1024 * 1024;

/** The content of the file; entries that may be untold are null there. */
interface CatalogContent {
  readonly images: readonly (CatalogEntry & { readonly os?: string | null })[];
  readonly configurations: readonly (Omit<CatalogConfiguration, 'availability'> & {
    readonly availability?: string | null;
  })[];
  readonly tariffs: readonly (CatalogEntry & {
    readonly price: string | null;
    readonly currency: string | null;
    readonly period: string | null;
  })[];
}

/** Directory, files and fault list for reading a catalog that a configuration or a test names. */
export interface CatalogReadingContext {
  /** The directory of the configuration; absolute. */
  readonly root: string;
  readonly files: ConfigurationFiles;
  readonly faults: ConfigurationFaultList;
  /** The directory that paths in messages are relative to; absolute. */
  readonly workingDirectory: string;
}

/** Reads the catalog of this name, relative to the root. Undefined where it cannot be used, which is reported. */
export function readCatalogFile(
  name: string,
  place: LocatedYamlNode,
  { root, files, faults, workingDirectory }: CatalogReadingContext,
): Catalog | undefined {
  const path = resolve(root, name);
  const content = files.read(path, mostCatalogBytes);
  if ('refusal' in content) {
    const { code, why, hint } = content.refusal;
    faults.add({ code, summary: `The catalog ${name} cannot be read: ${why}`, hint, place });
    return undefined;
  }
  const shown = relative(workingDirectory, path);
  const file = decodeUtf8Text(content.bytes, shown, content.isInside, faults);
  return file && readCatalogFrom(file, faults);
}

/** Parses a catalog from the text of a file, whose path for messages is `path`. @throws DiagnosticError with every fault */
export function parseCatalog(text: string, path: string): Catalog {
  const faults = new ConfigurationFaultList();
  const catalog = readCatalogFrom(new SourceFile(path, text), faults);
  if (catalog === undefined) throw new DiagnosticError(faults.toDiagnostics());
  return catalog;
}

function readCatalogFrom(file: SourceFile, faults: ConfigurationFaultList): Catalog | undefined {
  const before = faults.size;
  const tree = readYamlTree(file, faults)?.tree;
  if (!tree) {
    if (faults.size === before) {
      const summary = `${file.path} is empty`;
      const hint = 'Write it by `hostwright catalog --json`.';
      faults.add({ code: 'missing-key', summary, hint, place: { file, start: 0, end: 0 } });
    }
    return undefined;
  }
  reportSchemaViolations('catalog', tree, faults);
  if (faults.size > before) return undefined;
  for (const list of ['images', 'configurations', 'tariffs']) refuseTwins(list, tree, faults);
  return faults.size > before ? undefined : toCatalog(toPlainValue(tree) as CatalogContent);
}

/** Reports entries of one id, which nothing tells apart. Entries of one name are allowed: accounts may have them. */
function refuseTwins(list: string, tree: LocatedYamlNode, faults: ConfigurationFaultList): void {
  const entries = findYamlMapChild(tree, list);
  const seen = new Map<unknown, number>();
  for (const [index, entry] of (entries?.kind === 'list' ? entries.items : []).entries()) {
    const id = findYamlMapChild(entry, 'id');
    if (id?.kind !== 'scalar') continue;
    const first = seen.get(id.value);
    if (first === undefined) {
      seen.set(id.value, index);
      continue;
    }
    const summary = `${list}[${index}].id is that of ${list}[${first}], too`;
    const hint = 'Remove one of the two entries.';
    faults.add({ code: 'invalid-value', summary, hint, place: id });
  }
}

/** The catalog of the file. A price without its currency or its period is none. */
function toCatalog({ images, configurations, tariffs }: CatalogContent): Catalog {
  return {
    images: images.map(({ id, name, os }) => ({ id, name, ...(os && { os }) })),
    configurations: configurations.map(
      ({ id, name, cpu, ram, disk, maxCount, availability = null }) => ({
        id,
        name,
        cpu,
        ram,
        disk,
        maxCount,
        availability,
      }),
    ),
    tariffs: tariffs.map(({ id, name, price, currency, period }) => ({
      id,
      name,
      ...(price && currency && period && { price: { amount: price, currency, period } }),
    })),
  };
}
