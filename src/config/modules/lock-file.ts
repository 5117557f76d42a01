// `hostwright.lock.yaml`: the commit to which each module from git is pinned, with the hash of its content. The file is
// committed beside the configuration. Text in, text out.
import { stringify } from 'yaml';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import {
  listYamlMapEntries,
  findYamlMapChild,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { readYamlTree } from '../source/read-tree.ts';
import type { SourceTextRange, SourceFile } from '../source/source-file.ts';

/**
 * Name of the lock file with the pins of modules. The file is beside the YAML files of the configuration, but is not
 * one of them.
 */
export const moduleLockFileName = 'hostwright.lock.yaml';

/** The commit that the lock file pins for a repository and ref. */
export interface ModulePin {
  /** Full hash of the pinned commit. */
  readonly commit: string;
  /** Hash over the module's files, as hash-content.ts computes it, to notice changes. */
  readonly content: string;
}

/** The pins by repository and ref: `git::https://example.com/group/repo.git?ref=v1.2.0`. */
export type ModulePins = ReadonlyMap<string, ModulePin>;

const header = `# The modules that come from git, and what they are pinned to. \`hostwright init\` writes this file:
# commit it, and do not edit it. \`hostwright init --upgrade\` moves the pins to what each ref names by then.
`;

const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const contentPattern = /^sha256:[0-9a-f]{64}$/;

/** Writes the text of the lock file, the same for the same pins. */
export function formatModulePins(pins: ModulePins): string {
  const sorted = [...pins].sort(([a], [b]) => (a < b ? -1 : 1));
  const modules = Object.fromEntries(
    sorted.map(([pin, { commit, content }]) => [pin, { commit, content }]),
  );
  return header + stringify({ version: 1, modules }, { lineWidth: 0 });
}

/** Reads a lock file; undefined when it cannot be used, which is reported. */
export function parseModulePins(
  file: SourceFile,
  faults: ConfigurationFaultList,
): ModulePins | undefined {
  const before = faults.size;
  const tree = readYamlTree(file, faults)?.tree;
  if (faults.size > before) return undefined;
  const whole = { file, start: 0, end: 0 };
  const version = findYamlMapChild(tree, 'version');
  if (version?.kind !== 'scalar' || version.value !== 1) {
    refuse('It must begin with `version: 1`.', version ?? whole, faults);
    return undefined;
  }
  const pins = new Map<string, ModulePin>();
  for (const [pin, entry] of listYamlMapEntries(findYamlMapChild(tree, 'modules'))) {
    const commit = textOf(findYamlMapChild(entry.value, 'commit'));
    const content = textOf(findYamlMapChild(entry.value, 'content'));
    if (!commitPattern.test(commit) || !contentPattern.test(content)) {
      refuse('A module has a `commit` and the hash of its `content`.', entry.key, faults);
      return undefined;
    }
    pins.set(pin, { commit, content });
  }
  return pins;
}

function textOf(node: LocatedYamlNode | undefined): string {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
}

function refuse(detail: string, place: SourceTextRange, faults: ConfigurationFaultList): void {
  faults.add({
    code: 'invalid-lock-file',
    summary: `${moduleLockFileName} cannot be read`,
    detail,
    hint: `Restore it from version control, or remove it and run \`hostwright init\`.`,
    place,
  });
}
