import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { makePrintable } from './frame.ts';
import type { YamlEntry, LocatedYamlNode } from './located-node.ts';
import type { SourceTextRange } from './source-file.ts';

/** A value that the schema refuses, with its path from the top of the file. */
export interface RefusedSchemaValue {
  readonly path: readonly string[];
  readonly node: LocatedYamlNode;
  /** Place of the value's key; place of the value where it has no key. */
  readonly key: SourceTextRange;
}

/** Describes a path of the configuration in words: as an address where it is one. */
export function describeYamlPath(path: readonly string[]): string {
  if (path.length === 0) return 'the configuration';
  return path.reduce((all, step) => {
    if (/^\d+$/.test(step)) return `${all}[${step}]`;
    return all === '' ? makePrintable(step) : `${all}.${makePrintable(step)}`;
  }, '');
}

/** Finds the YAML node that a JSON Pointer of the schema validator names. */
export function findRefusedSchemaValue(
  tree: LocatedYamlNode,
  pointer: string,
  base: RefusedSchemaValue = { path: [], node: tree, key: { ...tree, end: tree.start } },
): RefusedSchemaValue | undefined {
  let subject = base;
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    const { node, path } = subject;
    const entry: YamlEntry | undefined = node.kind === 'map' ? node.entries.get(step) : undefined;
    const value = entry?.value ?? (node.kind === 'list' ? node.items[Number(step)] : undefined);
    if (!value) return undefined;
    subject = { path: [...path, step], node: value, key: entry?.key ?? value };
  }
  return subject;
}

/** Finds the address of the resource that a path of the configuration leads into; undefined where it leads into none. */
export function findResourceAddressOfPath(path: readonly string[]): ResourceAddress | undefined {
  for (let length = path.length; length >= 2; length -= 1) {
    const address = describeYamlPath(path.slice(0, length));
    if (parseResourceAddress(address)) return address;
  }
  return undefined;
}
