import {
  defaultConfigurationSizeLimits,
  type ConfigurationSizeLimits,
} from '../../model/bounds.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import type { SourceTextRange } from '../source/source-file.ts';

/** Average number of values that a module may have for each allowed instance. */
const valuesPerInstance = 300;

const sizes = new WeakMap<LocatedYamlNode, number>();

/** Counts the values in a tree of YAML, for the limit on expansion. */
function countValues(node: LocatedYamlNode): number {
  const known = sizes.get(node);
  if (known !== undefined) return known;
  const parts =
    node.kind === 'list'
      ? node.items
      : node.kind === 'map'
        ? [...node.entries.values()].map(({ value }) => value)
        : [];
  const size = parts.reduce((sum, part) => sum + countValues(part), 1);
  sizes.set(node, size);
  return size;
}

/** Counts the resources and module instances of a configuration before they are made, and refuses too many. */
export class ExpansionCounter {
  readonly #faults: ConfigurationFaultList;
  readonly #bounds: ConfigurationSizeLimits;
  #resources = 0;
  #moduleInstances = 0;
  #values = 0;
  #isExceeded = false;

  constructor(
    faults: ConfigurationFaultList,
    bounds: ConfigurationSizeLimits = defaultConfigurationSizeLimits,
  ) {
    this.#faults = faults;
    this.#bounds = bounds;
  }

  /** Tells whether anything was refused; the resources so far are then only a part of the configuration. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Counts resources; false, with a fault, where they are too many. */
  claimResources(count: number, place: SourceTextRange): boolean {
    const { resources } = this.#bounds;
    this.#resources += count;
    if (this.#resources <= resources) return true;
    return this.#refuse('too-many-resources', 'resources', resources, '--max-resources', place);
  }

  /** Counts instances of a module; false, with a fault, where they are too many. */
  claimModules(count: number, tree: LocatedYamlNode | undefined, place: SourceTextRange): boolean {
    const { moduleInstances } = this.#bounds;
    this.#moduleInstances += count;
    this.#values += tree ? count * countValues(tree) : 0;
    const flag = '--max-module-instances';
    const code = 'too-many-module-instances';
    if (this.#moduleInstances > moduleInstances) {
      return this.#refuse(code, 'module instances', moduleInstances, flag, place);
    }
    const values = moduleInstances * valuesPerInstance;
    return (
      this.#values <= values ||
      this.#refuse(code, 'values in module instances', values, flag, place)
    );
  }

  #refuse(code: string, what: string, most: number, flag: string, place: SourceTextRange): false {
    // Only the first excess is reported: behind it, every further block exceeds the limit, too.
    if (!this.#isExceeded) {
      this.#faults.add({
        code,
        summary: `The configuration has more than ${most.toLocaleString('en')} ${what}`,
        detail: 'It was not expanded any further.',
        hint: `Lower \`count\` or \`forEach\` here or around it, or raise the bound with ${flag}.`,
        place,
      });
    }
    this.#isExceeded = true;
    return false;
  }
}
