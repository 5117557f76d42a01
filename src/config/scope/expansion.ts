import { defaultBounds, type Bounds } from '../../model/bounds.ts';
import type { FaultList } from '../source/fault-list.ts';
import type { LocatedNode } from '../source/located-node.ts';
import type { Place } from '../source/source-file.ts';

/** How many values, on average, a module may have for each instance that there may be. */
const valuesPerInstance = 300;

const sizes = new WeakMap<LocatedNode, number>();

/** How many values are in a tree. */
function countValues(node: LocatedNode): number {
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

/** Counts what a configuration stands for before it is written out, and refuses what is too much. */
export class Expansion {
  readonly #faults: FaultList;
  readonly #bounds: Bounds;
  #resources = 0;
  #moduleInstances = 0;
  #values = 0;
  #isExceeded = false;

  constructor(faults: FaultList, bounds: Bounds = defaultBounds) {
    this.#faults = faults;
    this.#bounds = bounds;
  }

  /** True once anything was refused: what there is by then is a part, and says nothing about the whole. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** Takes so many resources down; false, and a fault, where they are too many. */
  claimResources(count: number, place: Place): boolean {
    const { resources } = this.#bounds;
    this.#resources += count;
    if (this.#resources <= resources) return true;
    return this.#refuse('too-many-resources', 'resources', resources, '--max-resources', place);
  }

  /** Takes so many instances of a module down; false, and a fault, where they are too many. */
  claimModules(count: number, tree: LocatedNode | undefined, place: Place): boolean {
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

  #refuse(code: string, what: string, most: number, flag: string, place: Place): false {
    // The first is enough: where one is too large, all that follow are.
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
