// Tests of a configuration as their files describe them: read, checked and located, and nothing of them done yet.
import type { CompiledExpression } from '../../expressions/evaluate/compile-expression.ts';
import type { Template } from '../../expressions/evaluate/template.ts';
import { accountAddress, type Address } from '../../model/address.ts';
import type { ReadyScript } from '../../model/plan/ready-script.ts';
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import type { Attributes } from '../../model/value.ts';
import type { LocatedNode, MapNode } from '../source/located-node.ts';

/** What tests call the account: in their files, and in their assertions. */
export const accountName = accountAddress;

/** What must be true after a step. */
export interface Assertion {
  readonly condition: CompiledExpression;
  /** What is said where it is not; undefined where nothing of its own is. */
  readonly message: Template | undefined;
  /** Where a part of the condition stands; the whole of it unless given. */
  locate(start?: number, end?: number): SourceRange;
}

/** The code of an error that a step is expected to end with. */
export interface ExpectedFailure {
  readonly code: string;
  readonly source: SourceRange;
}

/** A resource that somebody changes in the console. */
export interface ConsoleChange {
  readonly address: Address;
  /** In the terms of the configuration. */
  readonly attributes: Attributes;
  readonly source: SourceRange;
}

/** A resource that somebody deletes in the console. */
export type ConsoleDeletion = Pick<ConsoleChange, 'address' | 'source'>;

/** What a step does. */
export type StepAction =
  | {
      readonly kind: 'plan' | 'apply';
      readonly mode: PlanMode;
      readonly planOptions: PlanOptions;
      /** The answers to probes; each holds at once unless given. */
      readonly ready?: ReadyScript;
    }
  | {
      readonly kind: 'edit';
      readonly variables: LocatedNode | undefined;
      /** A merge patch of the configuration. */
      readonly patch: MapNode | undefined;
    }
  | {
      readonly kind: 'drift';
      readonly changes: readonly ConsoleChange[];
      readonly deletions: readonly ConsoleDeletion[];
    }
  | { readonly kind: 'wait'; readonly ms: number };

/** One step of a test. */
export interface TestStep {
  /** As the file calls it: `destroy` is an apply of a plan that destroys. */
  readonly name: string;
  readonly action: StepAction;
  readonly assertions: readonly Assertion[];
  readonly expectedFailures: readonly ExpectedFailure[];
  readonly source: SourceRange;
}

/** What there is before the first step. */
export interface StartingAccount {
  /** A configuration of live resources; undefined where there are none. */
  readonly tree: MapNode | undefined;
  readonly quotas: Readonly<Record<string, number>>;
  readonly nameLengths: Readonly<Record<string, number>>;
}

/** One test. */
export interface TestCase {
  readonly name: string;
  /** Maps of values for variables; a later one overrides those before it. */
  readonly variables: readonly LocatedNode[];
  /** What `env()` reads. */
  readonly environment: Readonly<Record<string, string>>;
  readonly account: StartingAccount;
  readonly steps: readonly TestStep[];
  readonly source: SourceRange;
}
