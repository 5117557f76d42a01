// The canonical form of a YAML file: order of keys, indentation, quotes, with every comment in its place. It does not depend
// on the file's meaning, and each time compares the values of the new text with those of the old one.
import { FaultList } from '../source/fault-list.ts';
import { parseYaml } from '../source/parse-yaml.ts';
import { readTree } from '../source/read-tree.ts';
import { SourceFile } from '../source/source-file.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { UnknownLayout } from './layout.ts';
import { orderKeys } from './order-keys.ts';
import { readLayout } from './read-layout.ts';
import { listTokens, hasSameYamlContent } from './says-the-same.ts';
import { writeLayout } from './write-layout.ts';

/** A file in its canonical form; without a text where it is broken, or has none. */
export interface Formatted {
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface FormatOptions {
  /** True to put the keys of maps in the order of the schema. */
  readonly isOrdered: boolean;
  /** Secrets that messages must not show. */
  readonly secrets?: readonly string[];
}

/** Formats the YAML text of a file; `path` is its name in messages. */
export function formatYaml(
  path: string,
  written: string,
  { isOrdered, secrets = [] }: FormatOptions,
): Formatted {
  const text = written.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const faults = new FaultList(secrets);
  const file = new SourceFile(path, text, { secrets: faults.secrets });
  readTree(file, faults);
  if (!faults.isEmpty) return { diagnostics: faults.toDiagnostics() };
  const before = parseYaml(file, faults);
  if (!before) return { text: writeLayout(readLayout(text)), diagnostics: [] };
  // An alias stands for the last anchor of its name above it, which another order would change.
  const anchors = listTokens(text, 'anchor');
  const mayOrder = isOrdered && new Set(anchors).size === anchors.length;
  for (const orders of mayOrder ? [true, false] : [false]) {
    const after = writeOnce(text, orders);
    if (after !== undefined && hasSameYamlContent({ text, document: before }, after)) {
      return { text: after, diagnostics: [] };
    }
  }
  return { diagnostics: [keep(path)] };
}

function writeOnce(text: string, orders: boolean): string | undefined {
  try {
    const layout = readLayout(text);
    if (orders) orderKeys(layout);
    return writeLayout(layout);
  } catch (error) {
    if (error instanceof UnknownLayout) return undefined;
    throw error;
  }
}

function keep(path: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'format-unknown',
    summary: `${path} is left as it is: it has YAML for which there is no canonical form`,
    detail: 'Examples are keys that begin with `?`, and keys over several lines.',
    hint: 'Write it without them, as the pages of the language do.',
  };
}
