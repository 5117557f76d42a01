import type { Binding } from '../../model/account/binding.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { reportShapeErrors } from '../schema/explain-shape-error.ts';
import { FaultList } from '../source/fault-list.ts';
import { toPlainValue } from '../source/located-node.ts';
import { readYamlTree } from '../source/read-tree.ts';
import { SourceFile } from '../source/source-file.ts';
import { checkBindingLines } from './check-binding.ts';

/** The largest file of a binding, in bytes: one with a line for all there is has a tenth of it. */
export const mostBindingBytes = 262_144;

/** The content of a contract file, with its faults. */
export interface ReadBinding {
  /** The parsed contract file; undefined where it has any fault. */
  readonly binding: Binding | undefined;
  /** Every fault of the contract file, sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a contract file from YAML; `path` is its name in messages. */
export function readBinding(text: string, path: string): ReadBinding {
  const faults = new FaultList();
  const binding = readBindingFrom(new SourceFile(path, text), faults);
  return { binding, diagnostics: faults.toDiagnostics() };
}

/** Reads a binding from a file that was opened already. Undefined where it has a fault, which is reported. */
export function readBindingFrom(file: SourceFile, faults: FaultList): Binding | undefined {
  const before = faults.size;
  const binding = readLines(file, faults);
  return faults.size === before ? binding : undefined;
}

function readLines(file: SourceFile, faults: FaultList): Binding | undefined {
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
  reportShapeErrors('contract', tree, faults);
  if (faults.size > before) return undefined;
  // As a state has kept it: with objects that compare as equal.
  const binding = JSON.parse(JSON.stringify(toPlainValue(tree))) as Binding;
  checkBindingLines(binding, tree, faults);
  return binding;
}
