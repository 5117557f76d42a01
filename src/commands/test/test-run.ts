// The steps of one test, one after the other: plans and applies in its account, and assertions about them.
import {
  loadConfiguration,
  type Configuration,
  type ConfigurationLoadResult,
} from '../../config/load-configuration.ts';
import type { LocatedYamlNode, YamlMapNode } from '../../config/source/located-node.ts';
import { prepareTestConfiguration } from '../../config/tests/prepare-test-configuration.ts';
import { loadConfigurationFromYamlTree } from '../../config/tests/load-tree.ts';
import {
  testAccountName,
  type TestCase,
  type TestStep,
  type TestStartingAccount,
} from '../../config/tests/test-file.ts';
import type { Catalog } from '../../model/account/live.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { type Plan, noPlanOptions } from '../../model/plan/plan.ts';
import type { Runtime, OutsideFilesPermission } from '../../model/runtime.ts';
import { copySourceRange } from '../../model/source.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { FinishedTestStep, TestResult } from '../../model/test-result.ts';
import { openMemoryState, type MemoryStateStore } from '../../state/memory-store.ts';
import { attemptTestStep, type TestStepResult } from './attempt-step.ts';
import {
  checkAssertions,
  listMissingFailures,
  listUnexpectedErrors,
  makeAssertionBudget,
} from './check-step.ts';
import { applyInTestAccount, planInTestAccount } from './run-engine.ts';
import type { TestAccount } from './test-account.ts';
import { makeTestScope } from './test-scope.ts';
import { makeWebConsoleChanges, type ResourcesByAddress } from './work-in-console.ts';

/** Members of the runtime that a test uses. */
export type TestRuntime = Pick<
  Runtime,
  'clock' | 'cwd' | 'variables' | 'bounds' | 'allowsOutsideFiles' | 'policyDirectories'
>;

/** Runs one test, step by step, with the state that its steps share. */
export class TestRun {
  readonly #runtime: TestRuntime;
  readonly #test: TestCase;
  readonly #account: TestAccount;
  readonly #directory: string;
  readonly #budget = makeAssertionBudget();
  #variables: readonly LocatedYamlNode[];
  #patches: readonly YamlMapNode[] = [];
  #loaded: ConfigurationLoadResult | undefined;
  /** True while the configuration is loaded for a destroy, which tolerates failed `data` queries. */
  #isForDestroy = false;
  #store: MemoryStateStore | undefined;
  #plan: Plan | undefined;
  #catalog: Catalog | undefined;
  /** Configuration from which `#plan` was made. */
  #planned: Configuration | undefined;
  #isApplied = false;
  #furnished: readonly ManagedResource[] = [];

  /** @param directory absolute path of the configuration's directory. */
  constructor(runtime: TestRuntime, test: TestCase, account: TestAccount, directory: string) {
    this.#runtime = runtime;
    this.#test = test;
    this.#account = account;
    this.#directory = directory;
    this.#variables = test.variables;
  }

  async carryOut(): Promise<Pick<TestResult, 'steps' | 'diagnostics'>> {
    const { steps } = this.#test;
    const faults = await this.#furnish();
    if (faults.length > 0) return { steps: steps.map(skip), diagnostics: faults };
    const results: FinishedTestStep[] = [];
    for (const [index, step] of steps.entries()) {
      const { result, isOver } = await this.#runStep(step);
      results.push(result);
      if (isOver)
        return { steps: [...results, ...steps.slice(index + 1).map(skip)], diagnostics: [] };
    }
    return { steps: results, diagnostics: [] };
  }

  async #furnish(): Promise<readonly Diagnostic[]> {
    const { cwd, allowsOutsideFiles = false } = this.#runtime;
    const where = { directory: this.#directory, workingDirectory: cwd, allowsOutsideFiles };
    const { diagnostics, value } = await attemptTestStep(this.#test.source, () =>
      furnishAccount(this.#account, this.#test.account, where),
    );
    if (!value) return diagnostics.map(copyPlace);
    this.#furnished = value.resources;
    return value.faults.map(copyPlace);
  }

  async #runStep(step: TestStep): Promise<{ result: FinishedTestStep; isOver: boolean }> {
    const { name, source, assertions } = step;
    const { diagnostics, isAborted } = await this.#perform(step);
    const unexpected = listUnexpectedErrors(step, diagnostics);
    const failures = [...unexpected, ...listMissingFailures(step, diagnostics)];
    // Assertions are not evaluated after a step that failed, as they would prove nothing.
    const isJudged = unexpected.length === 0 && isAborted !== true;
    if (isJudged) failures.push(...(await this.#classify(step, diagnostics)));
    const status = failures.length === 0 ? 'pass' : 'fail';
    const place = (one: Diagnostic): Diagnostic => {
      const masked = this.#loaded?.mask(one) ?? one;
      return { ...masked, source: copySourceRange(masked.source ?? source) };
    };
    return {
      result: {
        name,
        status,
        source: copySourceRange(source),
        assertions: isJudged ? assertions.length : 0,
        diagnostics: failures.map(place),
      },
      isOver: !isJudged,
    };
  }

  async #classify(
    step: TestStep,
    diagnostics: readonly Diagnostic[],
  ): Promise<readonly Diagnostic[]> {
    const { assertions, source } = step;
    if (assertions.length === 0) return [];
    const readsAccount = assertions.some(({ condition, message }) =>
      [condition, ...(message?.parts ?? []).map(({ expression }) => expression)].some(
        ({ references }) => references.some(({ root }) => root === testAccountName),
      ),
    );
    const read = async () => (readsAccount ? await this.#account.readAll() : undefined);
    const { value: live, diagnostics: faults } = await attemptTestStep(source, () =>
      this.#account.run(read),
    );
    if (faults.length > 0) return faults;
    const [store, loaded] = await Promise.all([this.#openStore(), this.#load()]);
    const known = this.#listKnown(store);
    const emptyGroups = loaded.readable().graph.emptyGroups ?? [];
    const scope = makeTestScope({
      loaded,
      plan: this.#plan,
      catalog: this.#catalog,
      planned: this.#planned,
      isApplied: this.#isApplied,
      diagnostics,
      state: store.state,
      account: live && {
        live,
        known,
        emptyGroups,
        isOwn: (one) => this.#account.isOwn(one),
      },
    });
    return checkAssertions(assertions, scope, this.#budget);
  }

  async #perform({ action, source }: TestStep): Promise<TestStepResult> {
    switch (action.kind) {
      case 'edit':
        if (action.variables) this.#variables = [...this.#variables, action.variables];
        if (action.patch) this.#patches = [...this.#patches, action.patch];
        this.#loaded = undefined;
        return { diagnostics: [] };
      case 'wait':
        return attemptTestStep(source, () =>
          this.#account.run(() => this.#account.clock.sleep(action.ms), action.ms),
        );
      case 'drift': {
        const known = this.#listKnown(await this.#openStore());
        return attemptTestStep(source, () =>
          this.#account.run(() => makeWebConsoleChanges(this.#account, known, action)),
        );
      }
      case 'plan':
      case 'apply':
        return this.#runEngine(action, source);
    }
  }

  async #runEngine(
    action: Extract<TestStep['action'], { kind: 'plan' | 'apply' }>,
    source: TestStep['source'],
  ): Promise<TestStepResult> {
    const isForDestroy = action.mode === 'destroy';
    if (isForDestroy !== this.#isForDestroy) this.#loaded = undefined;
    this.#isForDestroy = isForDestroy;
    const { configuration, diagnostics } = await this.#load();
    if (!configuration || hasErrors(diagnostics)) return { diagnostics };
    const isApply = action.kind === 'apply';
    const store = await this.#openStore();
    const work = isApply ? applyInTestAccount : planInTestAccount;
    const { value, ...done } = await attemptTestStep(source, () =>
      this.#account.run(() => work(this.#account, store, { ...action, configuration })),
    );
    if (!value) return done;
    this.#plan = value.planned.plan;
    this.#catalog = value.planned.live.catalog;
    // After a destroy, outputs are read with the configuration of the plan before it.
    if (!isForDestroy || !this.#planned) this.#planned = value.configuration;
    this.#isApplied = isApply;
    // The state is read back, as the next run of the program would.
    if (isApply) this.#store = await store.reopen();
    return { diagnostics: [...diagnostics, ...value.diagnostics] };
  }

  async #load(): Promise<ConfigurationLoadResult> {
    const { cwd, variables, bounds, allowsOutsideFiles = false, policyDirectories } = this.#runtime;
    this.#loaded ??= await loadConfiguration({
      directory: this.#directory,
      workingDirectory: cwd,
      bounds,
      allowsOutsideFiles,
      policyDirectories,
      variables: {
        given: variables ?? [],
        env: this.#test.environment,
        readableEnv: 'all',
        trees: this.#variables,
      },
      isForDestroy: this.#isForDestroy,
      amend: (tree, faults) => prepareTestConfiguration(tree, this.#patches, faults),
    });
    return this.#loaded;
  }

  async #openStore(): Promise<MemoryStateStore> {
    this.#store ??= await openMemoryState();
    return this.#store;
  }

  /** Resources by the addresses that the test may use: those its account began with, and those of the state. */
  #listKnown({ state }: MemoryStateStore): ResourcesByAddress {
    return new Map([
      ...this.#furnished.map((one) => [one.address, one] as const),
      ...state.resources,
    ]);
  }
}

/** Copies the source position, so that the diagnostic can be sent between threads. */
function copyPlace(diagnostic: Diagnostic): Diagnostic {
  const { source } = diagnostic;
  return source ? { ...diagnostic, source: copySourceRange(source) } : diagnostic;
}

function skip({ name, source }: TestStep): FinishedTestStep {
  return { name, status: 'skip', assertions: 0, diagnostics: [], source: copySourceRange(source) };
}

/** Resources that were created for a test before its first step. */
interface FurnishedAccount {
  /** Resources, with the addresses that the test gives them. */
  readonly resources: readonly ManagedResource[];
  /** Errors of creating the resources; empty where all exist. */
  readonly faults: readonly Diagnostic[];
}

/** Directories of the files that an account names. */
interface FurnishOptions {
  /** The directory of the configuration; absolute. */
  readonly directory: string;
  readonly workingDirectory: string;
  readonly allowsOutsideFiles: OutsideFilesPermission;
}

/** Makes the live resources that a test starts with. No state knows them afterwards. */
async function furnishAccount(
  account: TestAccount,
  { tree }: Pick<TestStartingAccount, 'tree'>,
  options: FurnishOptions,
): Promise<FurnishedAccount> {
  if (!tree) return { resources: [], faults: [] };
  const { configuration, diagnostics } = await loadConfigurationFromYamlTree(tree, options);
  if (!configuration) return { resources: [], faults: listErrors(diagnostics) };
  const store = await openMemoryState();
  const request = { mode: 'apply', planOptions: noPlanOptions, configuration } as const;
  const result = await account.run(() => applyInTestAccount(account, store, request));
  const faults = hasErrors(result.diagnostics) ? listErrors(result.diagnostics) : [];
  return { resources: [...store.state.resources.values()], faults };
}

function listErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
