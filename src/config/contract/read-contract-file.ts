// Reader of the contract file that `service.contract` names; its content is a binding.
import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import type { BoundContractFile } from '../../model/account/service.ts';
import type { ConfigurationFiles } from '../source/configuration-files.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import { decodeUtf8Text } from '../source/read-files.ts';
import { toSourceRange } from '../source/source-file.ts';
import { findContractFactsPath, maxContractFactsBytes, parseContractFacts } from './read-facts.ts';
import { maxBindingBytes, readBindingFrom } from './read-binding.ts';

/** The means of reading a contract file. */
interface ContractReadingContext {
  /** Absolute path of the configuration's directory. */
  readonly root: string;
  readonly files: ConfigurationFiles;
  readonly faults: ConfigurationFaultList;
  /** The directory that paths in messages are relative to; absolute. */
  readonly workingDirectory: string;
}

/** Reads the contract file of the given name; undefined where it cannot be used, which is reported. */
export function readContractFile(
  name: string,
  place: LocatedYamlNode,
  { root, files, faults, workingDirectory }: ContractReadingContext,
): BoundContractFile | undefined {
  const path = resolve(root, name);
  const content = files.read(path, maxBindingBytes);
  if ('refusal' in content) {
    const { code, why, hint } = content.refusal;
    faults.add({ code, summary: `The contract file ${name} cannot be read: ${why}`, hint, place });
    return undefined;
  }
  const shown = relative(workingDirectory, path);
  const file = decodeUtf8Text(content.bytes, shown, content.isInside, faults);
  const binding = file && readBindingFrom(file, faults);
  if (!binding) return undefined;
  const sha256 = createHash('sha256').update(content.bytes).digest('hex');
  const beside = files.read(findContractFactsPath(path), maxContractFactsBytes);
  const facts =
    'bytes' in beside
      ? parseContractFacts(Buffer.from(beside.bytes).toString(), binding)
      : undefined;
  return { file: name, binding, sha256, facts, source: toSourceRange(place) };
}
