import type { Binding } from '../../model/account/binding.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { findSchemaViolations } from '../schema/shape-errors.ts';
import { reportSchemaViolations } from '../schema/explain-shape-error.ts';
import { ConfigurationFaultList } from '../source/fault-list.ts';
import { findYamlMapChild, type LocatedYamlNode, toPlainValue } from '../source/located-node.ts';
import { readYamlTree } from '../source/read-tree.ts';
import { SourceFile } from '../source/source-file.ts';
import { findBindingLineFaults } from './check-binding.ts';
import { readSimpleYaml } from './read-plain-lines.ts';

/** The largest file of a binding, in bytes: one with a line for all there is has a tenth of it. */
export const maxBindingBytes = 262_144;

/** The content of a contract file, with its faults. */
export interface ReadBindingResult {
  /** The parsed contract file; undefined where it has any fault. */
  readonly binding: Binding | undefined;
  /** Every fault of the contract file, sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a contract file from YAML; `path` is its name in messages. */
export function readBinding(text: string, path: string): ReadBindingResult {
  const faults = new ConfigurationFaultList();
  const binding = readBindingFrom(new SourceFile(path, text), faults);
  return { binding, diagnostics: faults.toDiagnostics() };
}

/** Reads a binding from an opened contract file; undefined where it has a fault, which is reported. */
export function readBindingFrom(
  file: SourceFile,
  faults: ConfigurationFaultList,
): Binding | undefined {
  const before = faults.size;
  const binding = readLines(file, faults);
  return faults.size === before ? binding : undefined;
}

function readLines(file: SourceFile, faults: ConfigurationFaultList): Binding | undefined {
  // Nearly all files are plain and right. Only a fault needs the places of lines, and is found once more to be told.
  const plain = readSimpleYaml(file.text) as Binding | undefined;
  const isShaped = isJsonObject(plain) && findSchemaViolations('contract', plain).length === 0;
  if (isShaped && findBindingLineFaults(plain).length === 0) return plain;
  const before = faults.size;
  const tree = readYamlTree(file, faults)?.tree;
  if (!tree) {
    if (faults.size === before) {
      const summary = `${file.path} is empty`;
      const hint = 'Write `version: 1`, or make it by `hostwright contract bind DOCUMENT`.';
      faults.add({ code: 'missing-key', summary, hint, place: { file, start: 0, end: 0 } });
    }
    return undefined;
  }
  reportSchemaViolations('contract', tree, faults);
  if (faults.size > before) return undefined;
  // Copied by way of JSON, so that it equals the copy in a state: maps read from YAML have no prototype.
  const binding = JSON.parse(JSON.stringify(toPlainValue(tree))) as Binding;
  for (const { path, ...fault } of findBindingLineFaults(binding)) {
    const place = findNode(tree, path) ?? findNode(tree, path.slice(0, -1)) ?? tree;
    faults.add({ code: 'contract-invalid', ...fault, place });
  }
  return binding;
}

function findNode(tree: LocatedYamlNode, path: readonly string[]): LocatedYamlNode | undefined {
  return path.reduce<LocatedYamlNode | undefined>(findYamlMapChild, tree);
}
