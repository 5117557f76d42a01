// Tests of a configuration as data: read from their files, checked and located, and not run yet.
import type { CompiledExpression } from '../../expressions/evaluate/compile-expression.ts';
import type { Template } from '../../expressions/evaluate/template.ts';
import { accountAddress, type ResourceAddress } from '../../model/address.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { ProbeReadinessScript } from '../../model/plan/ready-script.ts';
import type { PlanMode, PlanOptions } from '../../model/plan/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import type { Attributes } from '../../model/value.ts';
import type { LocatedYamlNode, YamlMapNode } from '../source/located-node.ts';

/** Address of the account in test files and in their assertions. */
export const testAccountName = accountAddress;

/** A condition that must hold after a step of a test. */
export interface Assertion {
  readonly condition: CompiledExpression;
  /** Message for a condition that does not hold; undefined for the standard one. */
  readonly message: Template | undefined;
  /** Position of a part of the condition; of the whole condition unless given. */
  locate(start?: number, end?: number): SourceRange;
}

/** The code of an error that a test step is expected to end with. */
export interface ExpectedTestStepError {
  readonly code: string;
  readonly source: SourceRange;
}

/** A change to a live resource, as made in the service's console. */
export interface WebConsoleChange {
  readonly address: ResourceAddress;
  /** New values of attributes, in the spelling of the configuration. */
  readonly attributes: Attributes;
  readonly source: SourceRange;
}

/** A deletion of a live resource, as made in the service's console. */
export type WebConsoleDeletion = Pick<WebConsoleChange, 'address' | 'source'>;

/** The action of a test step: a plan, an apply, a change in the console, and so on. */
export type TestStepAction =
  | {
      readonly kind: 'plan' | 'apply';
      readonly mode: PlanMode;
      readonly planOptions: PlanOptions;
      /** Scripted answers to probes; every probe succeeds at once unless given. */
      readonly ready?: ProbeReadinessScript;
    }
  | {
      readonly kind: 'edit';
      readonly variables: LocatedYamlNode | undefined;
      /** JSON Merge Patch that the step applies to the configuration; undefined for none. */
      readonly patch: YamlMapNode | undefined;
    }
  | {
      readonly kind: 'drift';
      readonly changes: readonly WebConsoleChange[];
      readonly deletions: readonly WebConsoleDeletion[];
    }
  | { readonly kind: 'wait'; readonly ms: number };

/** One step of a test: an action and its assertions. */
export interface TestStep {
  /** Name in the file: `destroy` is an apply of a plan that destroys. */
  readonly name: string;
  readonly action: TestStepAction;
  readonly assertions: readonly Assertion[];
  readonly expectedFailures: readonly ExpectedTestStepError[];
  readonly source: SourceRange;
}

/** The account of a test before the first step. */
export interface TestStartingAccount {
  /** A configuration of live resources; undefined where there are none. */
  readonly tree: YamlMapNode | undefined;
  readonly quotas: Readonly<Record<string, number>>;
  readonly nameLengths: Readonly<Record<string, number>>;
  /** The catalog to order from; the sandbox's own unless given. */
  readonly catalog?: Catalog;
}

/** A test: its starting account, variables and steps. */
export interface TestCase {
  readonly name: string;
  /** Maps of values for variables; a later one overrides those before it. */
  readonly variables: readonly LocatedYamlNode[];
  /** Variables of the environment that `env()` reads in the test. */
  readonly environment: Readonly<Record<string, string>>;
  readonly account: TestStartingAccount;
  readonly steps: readonly TestStep[];
  readonly source: SourceRange;
}
