// The only reader of YAML: files in, a desired graph out, or every fault with its place. It asks nothing of the service
// and decides nothing about changes. Nothing here throws on any text.
import { isDeepStrictEqual } from 'node:util';
import type { EvaluationBudget } from '../expressions/values/budget.ts';
import type { ScopeValue } from '../expressions/values/scope.ts';
import { describeNameScope } from '../kinds/once-claims.ts';
import { kindRegistry } from '../kinds/registry.ts';
import type { ServiceSection } from '../model/account/service.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { DataQueryOutcome, DataQuery } from '../model/data.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ValueOrigin } from '../model/provenance.ts';
import type { DesiredGraph } from '../model/resource.ts';
import type { StateSettings } from '../model/state/state-settings.ts';
import { foldNameForComparison } from '../model/text/fold-name.ts';
import type { Value } from '../model/value.ts';
import { EditableYamlValues } from './accept/written-values.ts';
import { ConsoleExpressionEvaluator } from './console/typed-expressions.ts';
import { bindFoundDataEntries } from './data/bind-found.ts';
import { readDataQueries, reportFailedDataQueries } from './data/read-queries.ts';
import { makeFileAndEnvironmentFunctions } from './functions/host-functions.ts';
import { checkResourceCycles } from './graph/check-circles.ts';
import { checkReferences } from './graph/check-references.ts';
import { checkUniqueness, describeFirstClaim } from './graph/check-uniqueness.ts';
import { expandResources } from './graph/expand-resources.ts';
import { readDesiredGraph } from './graph/read-graph.ts';
import { openConfigurationReading, type ConfigurationSourceOptions } from './load-sources.ts';
import { LockedModuleFinder } from './modules/git-modules.ts';
import {
  addPolicyDirectory,
  readSourceDirectory,
  type SourceDirectoryFiles,
  type ConfigurationReadingContext,
} from './modules/read-source.ts';
import { traceValueOrigins } from './provenance/trace-values.ts';
import { readServiceSection } from './read-service.ts';
import { readStateSettings } from './read-state-settings.ts';
import { warnOfBareExpressions } from './schema/bare-expressions.ts';
import { DataValues } from './scope/data-values.ts';
import { ResourceDeclarations, type ResourceDeclaration } from './scope/declarations.ts';
import { EvaluationSession } from './scope/evaluation-session.ts';
import { ModuleScope } from './scope/module-scope.ts';
import { evaluateYamlSection } from './scope/resolve-section.ts';
import type { ParsedModuleFiles } from './scope/space.ts';
import { ConfigurationFaultList } from './source/fault-list.ts';
import { makePrintable } from './source/frame.ts';
import { findYamlMapChild, type YamlMapNode } from './source/located-node.ts';
import { PublicKeyReader } from './source/read-public-keys.ts';
import type { SourceTextRange } from './source/source-file.ts';
import {
  markSecretVariables,
  setVariables,
  type VariableInputs,
  type VariablesWithValues,
  type VariableOrigins,
} from './variables/set-variables.ts';

export type { VariableInputs };

export interface ConfigurationLoadOptions extends Omit<ConfigurationSourceOptions, 'given'> {
  /** Values given for the configuration's variables. */
  readonly variables?: VariableInputs;
  /** Secrets that no message and no frame may show, as the access token. */
  readonly secrets?: readonly string[];
  /** Resources whose values are traced to their origins; none unless given. */
  readonly traced?: readonly ResourceAddress[];
  /**
   * Set for a destroy of the whole configuration, which takes the resources from the state. Outputs are not evaluated,
   * and only the `data` that policies read must be found; other values stay unknown.
   */
  readonly isForDestroy?: boolean;
  /** Function that changes the merged YAML of the files before it is evaluated. */
  readonly amend?: (tree: YamlMapNode, faults: ConfigurationFaultList) => YamlMapNode;
}

/** Configuration that was read without a fault. */
export interface Configuration extends ServiceSection {
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
  /** Paths of the YAML files as messages show them: relative to the working directory, sorted. */
  readonly files: readonly string[];
  /** Settings of the state as the YAML gives them. */
  readonly state: StateSettings;
  /** Values of the variables that are not sensitive, for saved plans and messages. */
  readonly variables: Readonly<Record<string, Value>>;
  /** Names of the variables that are sensitive. */
  readonly sensitiveVariables: readonly string[];
  readonly graph: DesiredGraph;
  /** Budget of evaluation steps that is left for the run; absent where expressions were not read. */
  readonly steps?: EvaluationBudget;
  /** Origins of the values of the traced resources; absent where none was to be traced. */
  readonly origins?: ReadonlyMap<ResourceAddress, readonly ValueOrigin[]>;
  /** Evaluator of the expressions that are typed into `hostwright console`; absent where expressions were not read. */
  readonly typed?: ConsoleExpressionEvaluator;
  /** Values as the YAML has them, for edits; absent where expressions were not read. */
  readonly written?: EditableYamlValues;
  /**
   * Queries (`data`) that are still to be answered; absent without any. Until then, values that depend on `data` are
   * left out of the graph.
   */
  readonly pending?: PendingDataQueries;
}

/** Queries (`data`) to the account that a configuration needs before its evaluation can be completed. */
export interface PendingDataQueries {
  readonly queries: readonly DataQuery[];
  /** Evaluates the configuration again, with the result of each query by name. */
  resolve(outcomes: ReadonlyMap<string, DataQueryOutcome>): Promise<ConfigurationLoadResult>;
}

export interface ConfigurationLoadResult {
  /** The configuration; undefined when any diagnostic is an error. */
  readonly configuration: Configuration | undefined;
  /** All errors and warnings, sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** Returns as much of the configuration as could be read, also where other parts have faults. */
  readable(): Configuration;
  /** Values of all variables, the sensitive ones too; unknown where a fault prevents a value. */
  readonly values: ReadonlyMap<string, ScopeValue>;
  /** Masks the secrets of this configuration in a diagnostic. */
  mask(diagnostic: Diagnostic): Diagnostic;
}

/** Codes of faults about missing names: in a configuration with an unreadable file they may be wrong. */
const aboutAbsence = ['unknown-name', 'undeclared-variable', 'missing-variable', 'unknown-policy'];

/** Every file may name the version of its language; one of them must. */
function checkVersion(
  { source: { tree }, firstFile, isWhole }: SourceDirectoryFiles,
  faults: ConfigurationFaultList,
): void {
  if (!isWhole || !firstFile || findYamlMapChild(tree, 'version')) return;
  const isEmpty = tree.entries.size === 0;
  faults.add({
    code: 'missing-key',
    summary: isEmpty ? 'The configuration is empty' : 'The configuration has no `version`',
    detail: 'One of its files says which version of the language it is written in.',
    hint: isEmpty
      ? 'Begin the file with `version: 1`.'
      : 'Begin the file with `version: 1`; of a module, validate the configuration that uses it.',
    place: { file: tree.file, start: tree.start, end: tree.start },
  });
}

async function makeSpace(
  { source }: SourceDirectoryFiles,
  options: ConfigurationLoadOptions,
  reading: ConfigurationReadingContext,
  data: DataValues,
): Promise<VariablesWithValues & { readonly space: ModuleScope }> {
  const { root, files, faults } = reading;
  const inputs = options.variables ?? {};
  const set = await setVariables(source.variables, inputs, root, reading);
  const reach = {
    directory: root,
    files,
    environment: inputs.env ?? {},
    readable: inputs.readableEnv ?? [],
    variables: [...source.variables.keys()],
    isEnvironmentOptional: inputs.areOptional ?? inputs.isEnvironmentOptional ?? false,
  };
  const space = new ModuleScope(source, {
    ...set.inputs,
    // Variables of the configuration itself get their values from outside of it.
    originOf: () => undefined,
    session: new EvaluationSession(faults, options.bounds, data),
    prefix: '',
    functions: makeFileAndEnvironmentFunctions(reach),
    moduleFunctions: makeFileAndEnvironmentFunctions({ ...reach, isInModule: true }),
    publicKeys: new PublicKeyReader(root, files, faults),
  });
  return { ...set, space };
}

/** Checks the relations between resources: references, uniqueness, circles, similar names. */
function checkDeclarations(
  declarations: ResourceDeclarations,
  isWhole: boolean,
  faults: ConfigurationFaultList,
): void {
  // A reference may lead to a resource in a file that could not be read.
  if (isWhole) checkReferences(declarations, faults);
  checkUniqueness(declarations, faults);
  checkResourceCycles(declarations, faults);
  warnOfAlikeNames(declarations, faults);
}

/** Origins of the values of resources, by address; addresses that are not configured are left out. */
function traceAll(
  addresses: readonly ResourceAddress[],
  space: ModuleScope,
  variables: VariableOrigins,
): ReadonlyMap<ResourceAddress, readonly ValueOrigin[]> {
  const traced = addresses.flatMap((address): [ResourceAddress, readonly ValueOrigin[]][] => {
    const origins = traceValueOrigins(space, address, variables);
    return origins ? [[address, origins]] : [];
  });
  return new Map(traced);
}

/** Reads, checks and expands the configuration of a directory. */
export async function loadConfiguration(
  options: ConfigurationLoadOptions,
): Promise<ConfigurationLoadResult> {
  const faults = new ConfigurationFaultList(options.secrets);
  const sources = { ...options, given: options.variables?.given };
  const reading = openConfigurationReading(
    sources,
    faults,
    (reach) => new LockedModuleFinder(reach),
  );
  let read = await readSourceDirectory(reading.root, reading);
  for (const directory of options.policyDirectories ?? [])
    read = await addPolicyDirectory(read, directory, reading);
  const { source } = read;
  const written = options.amend?.(source.tree, faults) ?? source.tree;
  const tree = options.isForDestroy === true ? withoutOutputs(written) : written;
  const variables = markSecretVariables(source.variables, options.variables?.env);
  const amended = { ...read, source: { ...source, tree, variables } };
  checkVersion(amended, faults);
  return evaluateConfiguration(amended, options, reading);
}

function withoutOutputs(tree: YamlMapNode): YamlMapNode {
  const entries = [...tree.entries].filter(([key]) => key !== 'outputs');
  return { ...tree, entries: new Map(entries) };
}

/** The files of a configuration and those of its modules, each once. */
function listSources(
  source: ParsedModuleFiles,
  found = new Set<ParsedModuleFiles>(),
): ReadonlySet<ParsedModuleFiles> {
  if (found.has(source)) return found;
  found.add(source);
  for (const module of source.modules.values()) if (module) listSources(module, found);
  return found;
}

/** Evaluates a configuration: with the results of its `data` queries, or as far as possible before any is answered. */
export async function evaluateConfiguration(
  read: SourceDirectoryFiles,
  options: ConfigurationLoadOptions,
  reading: ConfigurationReadingContext,
  outcomes?: ReadonlyMap<string, DataQueryOutcome>,
): Promise<ConfigurationLoadResult> {
  const { faults, root: directory } = reading;
  // Readable files may name something in a file that could not be read.
  if (!read.isWhole) faults.ignore(aboutAbsence);
  const resolve: PendingDataQueries['resolve'] = async (found) => {
    const known = faults.toDiagnostics();
    const next = { ...reading, faults: new ConfigurationFaultList(options.secrets) };
    const result = await evaluateConfiguration(read, options, next, found);
    // Diagnostics of the first evaluation, before the queries, are not repeated.
    const isNews = (one: Diagnostic) => !known.some((other) => isDeepStrictEqual(one, other));
    return { ...result, diagnostics: result.diagnostics.filter(isNews) };
  };
  const data = new DataValues(outcomes);
  const { space, values, origins, shown } = await makeSpace(read, options, reading, data);
  const section = await readServiceSection(
    evaluateYamlSection('service', space),
    findYamlMapChild(space.source.tree, 'service'),
    reading,
  );
  const state = readStateSettings(findYamlMapChild(space.source.tree, 'state'), faults);
  const declarations = new ResourceDeclarations();
  expandResources(space, declarations);
  // A configuration that exceeds its size limit is expanded in part, so checks of the whole are skipped.
  const isPart = space.session.expansion.isExceeded;
  const queries = isPart ? [] : readDataQueries(space);
  if (!isPart && options.isForDestroy !== true) reportFailedDataQueries(space);
  if (outcomes) bindFoundDataEntries(declarations, queries, outcomes, faults);
  if (!isPart) checkDeclarations(declarations, read.isWhole, faults);
  const graph = isPart ? { resources: [] } : readDesiredGraph(space, declarations, read.isWhole);
  if (options.isForDestroy === true) reportFailedDataQueries(space, space.session.policyData);
  // Warnings of expressions without `${}` come last: a text with another fault gets none.
  for (const { tree } of listSources(space.source)) warnOfBareExpressions(tree, faults);
  const readings = data.listReadings(queries);
  const readable: Configuration = {
    directory,
    files: read.files,
    ...section,
    state,
    variables: shown,
    steps: space.session.steps,
    typed: new ConsoleExpressionEvaluator(space),
    written: new EditableYamlValues(space, origins),
    sensitiveVariables: [...read.source.variables.values()]
      .filter(({ isSensitive }) => isSensitive)
      .map(({ name }) => name),
    graph: { ...graph, ...(readings.length > 0 && { data: readings }) },
    ...(options.traced && { origins: traceAll(options.traced, space, origins) }),
    ...(queries.length > 0 && !outcomes && { pending: { queries, resolve } }),
  };
  return {
    configuration: faults.isEmpty ? readable : undefined,
    diagnostics: faults.toDiagnostics(),
    readable: () => readable,
    values,
    mask: (diagnostic) => faults.secrets.mask(diagnostic),
  };
}

/** Warns of two names of one kind and project that differ in case only, once for each place. */
function warnOfAlikeNames({ all }: ResourceDeclarations, faults: ConfigurationFaultList): void {
  const holders = new Map<
    string,
    { readonly name: string; readonly declaration: ResourceDeclaration }
  >();
  const reported = new Set<SourceTextRange>();
  for (const declaration of all) {
    const { address, kind, attributes, lifecycle } = declaration.resource;
    const { name } = attributes;
    if (typeof name !== 'string' || lifecycle?.ignoreChanges.includes('name')) continue;
    const scope = describeNameScope(declaration.resource);
    const claim = `${scope} ${kind} ${foldNameForComparison(name)}`;
    const first = holders.get(claim);
    if (!first) holders.set(claim, { name, declaration });
    const place = declaration.nodes.name ?? declaration.key;
    // Resources of exactly the same name are refused elsewhere; here are those that a service may take for equal.
    if (!first || first.name === name || reported.has(place)) continue;
    reported.add(place);
    faults.add({
      severity: 'warning',
      code: 'names-alike',
      summary: `Two ${kindRegistry[kind].label}s of ${scope} have the names \`${makePrintable(first.name)}\` and \`${makePrintable(name)}\`, which differ in case only`,
      detail: `${address} and ${describeFirstClaim(first.declaration, 'name')}. A service that ignores case refuses the second of them.`,
      hint: 'Give one of the two another `name`.',
      address,
      place,
    });
  }
}
