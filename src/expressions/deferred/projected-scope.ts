// The scope for policies, checks and outputs: resources as they are, or as they will be once a plan is applied.
import type { ResourceAddress } from '../../model/address.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type {
  EmptyBlockValue,
  ExpressionVisibleResource,
  ProjectedResource,
} from '../../model/state/projected-state.ts';
import { EvaluationBudget } from '../values/budget.ts';
import type { EvaluationOutcome } from '../evaluate/compile-expression.ts';
import { makeDeferredScope } from './deferred-scope.ts';
import { evaluateDeferred, type DeferredScope } from './evaluate-deferred.ts';
import { NameTree, Unknown, type ScopeValue } from '../values/scope.ts';

/** Result of one evaluation, with whether its text may be shown. */
export interface ProjectedEvaluation {
  readonly outcome: EvaluationOutcome;
  /** Tells whether the evaluation has read a sensitive attribute, so that its result is hidden. */
  readonly isSensitive: boolean;
  /** Tells whether the evaluation needs a resource that neither exists nor is made by the run. */
  readonly isLeftOut: boolean;
}

/** Scope for expressions over the resources as a plan leaves them; built once for any number of evaluations. */
export class ProjectedScope {
  readonly #list: () => readonly ProjectedResource[];
  readonly #emptyGroups: readonly EmptyBlockValue[];
  readonly #steps: EvaluationBudget;
  readonly #readNow: ((planned: ProjectedResource) => ProjectedResource) | undefined;
  #resources = new Map<ResourceAddress, ProjectedResource>();
  #scope: DeferredScope | undefined;
  #isTainted = false;

  /**
   * The resources are listed when the first expression is worked out. `steps` are those that are left of the run. With
   * `readNow` each is looked up once more whenever it is read.
   */
  constructor(
    list: () => readonly ProjectedResource[],
    emptyGroups: readonly EmptyBlockValue[] = [],
    steps = EvaluationBudget.ofRun(),
    readNow?: (planned: ProjectedResource) => ProjectedResource,
  ) {
    this.#steps = steps;
    this.#readNow = readNow;
    this.#list = list;
    this.#emptyGroups = emptyGroups;
  }

  /**
   * Returns a scope of the same resources for use during an apply, in which each resource is read by `readNow` when an
   * expression needs it.
   */
  asOf(readNow: (planned: ProjectedResource) => ProjectedResource): ProjectedScope {
    return new ProjectedScope(this.#list, this.#emptyGroups, this.#steps, readNow);
  }

  /** Evaluates a deferred value, with `names` beside `projects`. Never throws. */
  evaluate(
    deferred: DeferredValue,
    names: Readonly<Record<string, ScopeValue>> = {},
  ): ProjectedEvaluation {
    this.#scope ??= this.#makeScope();
    this.#isTainted = false;
    const outcome = evaluateDeferred(deferred, { ...this.#scope, names });
    return {
      outcome,
      isSensitive: this.#isTainted,
      isLeftOut: outcome.kind === 'unknown' && this.#isLeftOut(outcome.unknown),
    };
  }

  /** The attributes of one resource as a name of its own: `after`. */
  name(label: string, { names, values, unknown, sensitive }: ExpressionVisibleResource): NameTree {
    return new NameTree(
      label,
      () => names,
      (key) => {
        if (!names.includes(key)) return undefined;
        if (sensitive.includes(key)) this.#isTainted = true;
        return unknown.includes(key) ? new Unknown(`${label}.${key}`) : (values[key] ?? null);
      },
    );
  }

  #makeScope(): DeferredScope {
    this.#resources = new Map(this.#list().map((one) => [one.address, one]));
    const read = (address: ResourceAddress) => {
      const planned = this.#resources.get(address);
      return planned && (this.#readNow?.(planned) ?? planned);
    };
    return makeDeferredScope(this.#resources.keys(), read, {
      emptyGroups: this.#emptyGroups,
      steps: this.#steps,
      onRead: (address, name) => {
        if (this.#resources.get(address)?.sensitive.includes(name)) this.#isTainted = true;
      },
    });
  }

  #isLeftOut({ reference }: Unknown): boolean {
    return this.#resources.get(reference.slice(0, reference.lastIndexOf('.')))?.isMissing === true;
  }
}
