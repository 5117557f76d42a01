import { Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { formatResourceKey, type InstanceKey } from '../../model/address.ts';
import { checkVariableValue, locateValuePart } from '../variables/check-value.ts';
import { describeUnsetVariable } from '../variables/declare-variables.ts';
import {
  readPlainYamlValue,
  type ModuleVariableValues,
} from '../variables/variable-declaration.ts';
import {
  countInstances,
  findBlockRepetition,
  listInstanceKeys,
  bindEach,
  emptyEachBinding,
  type EachBinding,
  type InstanceSet,
} from './each.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { readInstances } from './read-instances.ts';
import { evaluateValue, hasExpression } from './resolve-node.ts';
import type { SourceTextRange } from '../source/source-file.ts';
import type { VariableType } from '../variables/value-type.ts';
import { isMapValue, type ValuePath } from '../variables/convert-value.ts';
import { EvaluationCell } from './evaluation-session.ts';
import type {
  ModuleUse,
  UnevaluatedValue,
  ModuleExpressionContext,
  ParsedModuleFiles,
} from './space.ts';

/** Inputs of one module instance, or of the configuration itself. */
export interface ModuleInputs extends ModuleVariableValues {
  /** Empty for the configuration itself, `modules.shopEu["eu"].` for a module. */
  readonly prefix: string;
  /** Source of the value that a variable of a module is set to; undefined for variables of the configuration itself. */
  originOf(name: string): UnevaluatedValue | undefined;
}

/** Value that the user of a module gives for one of its variables. */
interface Given {
  readonly value: ScopeValue;
  /** Finds the place in the YAML of a part of the value. */
  placeOf(path: ValuePath): SourceTextRange;
}

/** The value of one variable where a single expression gives all of them; undefined where it leaves this one out. */
function pickFrom(
  whole: EvaluationCell<ScopeValue>,
  name: string,
  written: LocatedYamlNode | undefined,
): Given | undefined {
  const values = whole.read();
  const value = values instanceof Unknown || !isMapValue(values) ? values : values[name];
  return value === undefined || !written ? undefined : { value, placeOf: () => written };
}

type MakeSpace<S> = (source: ParsedModuleFiles, inputs: ModuleInputs) => S;

/** Everything under one key of `modules`: one use of a module, or its instances. */
export class ModuleGroup<S extends ModuleExpressionContext> implements ModuleUse {
  readonly key: string;
  readonly entry: YamlEntry;
  readonly #parent: ModuleExpressionContext;
  readonly #make: MakeSpace<S>;
  readonly #source: ParsedModuleFiles | undefined;
  readonly #instances: EvaluationCell<InstanceSet>;
  readonly #spaces = new Map<InstanceKey | undefined, S>();

  constructor(parent: ModuleExpressionContext, key: string, entry: YamlEntry, make: MakeSpace<S>) {
    this.#parent = parent;
    this.#make = make;
    this.key = key;
    this.entry = entry;
    this.#source = parent.source.modules.get(key);
    this.#instances = new EvaluationCell<InstanceSet>(
      parent.session,
      { label: `modules.${key}`, place: entry.key },
      () => this.#readInstances(),
      { kind: 'unknown' },
    );
  }

  get instances(): InstanceSet {
    return this.#instances.read();
  }

  /** Tells whether the module's files could be read; otherwise its resources are not known. */
  get isRead(): boolean {
    return this.#source !== undefined;
  }

  /**
   * Generates the expression contexts of all instances, each when it is asked for; a single one where the instances are
   * not known.
   */
  *spaces(): Iterable<S> {
    const { instances } = this;
    for (const instance of listInstanceKeys(instances)) {
      const space = this.spaceOf(instance);
      if (space) yield space;
    }
  }

  /** Counts the instances before any of them is made: modules may be nested. */
  #readInstances(): InstanceSet {
    const { session, prefix } = this.#parent;
    const instances = readInstances({
      space: this.#parent,
      fields: listYamlMapEntries(this.entry.value),
      each: emptyEachBinding,
      address: `${prefix}modules.${this.key}`,
      path: ['modules', this.key],
      definition: 'module',
    });
    const { tree } = this.#source ?? {};
    const isAllowed = session.expansion.claimModules(
      countInstances(instances),
      tree,
      this.entry.key,
    );
    return isAllowed ? instances : { kind: 'unknown' };
  }

  /** Name of a module instance in expressions of the parent module. */
  labelOf(instance: InstanceKey | undefined): string {
    return `modules.${formatResourceKey(this.key, instance)}`;
  }

  /** Returns the expression context of an instance; undefined when the module could not be read. */
  spaceOf(instance: InstanceKey | undefined): S | undefined {
    if (!this.#source) return undefined;
    let space = this.#spaces.get(instance);
    if (!space) {
      space = this.#makeSpace(this.#source, instance);
      this.#spaces.set(instance, space);
    }
    return space;
  }

  #makeSpace(source: ParsedModuleFiles, instance: InstanceKey | undefined): S {
    const label = this.labelOf(instance);
    const written = findYamlMapChild(this.entry.value, 'variables');
    const given = listYamlMapEntries(written);
    const cells = new Map<string, EvaluationCell<ScopeValue>>();
    this.#refuseUndeclared(
      source,
      [...given].map(([name, { key }]) => [name, key]),
    );
    const { session } = this.#parent;
    const whole =
      written && hasExpression(written) && written.kind === 'scalar'
        ? new EvaluationCell<ScopeValue>(
            session,
            { label: `${label}.variables`, place: written },
            () => this.#readWhole(source, written, instance),
            new Unknown(`${label}.variables`, true),
          )
        : undefined;
    for (const [name, { type }] of source.variables) {
      const entry = given.get(name);
      const cell = new EvaluationCell<ScopeValue>(
        session,
        { label: `${label}.variables.${name}`, place: entry?.key ?? written ?? this.entry.key },
        () => {
          const own = whole ? pickFrom(whole, name, written) : this.#givenBy(entry, instance, type);
          return this.#readVariable(source, name, own);
        },
        new Unknown(name, true),
      );
      cells.set(name, cell);
    }
    return this.#make(source, {
      prefix: `${this.#parent.prefix}${label}.`,
      readVariable: (name) => cells.get(name)?.read() ?? null,
      originOf: (name) => {
        const isInWhole = whole && pickFrom(whole, name, written) !== undefined;
        return this.#originOf(isInWhole ? written : given.get(name)?.value, instance);
      },
      givenPlace: (name) => {
        const place = given.get(name)?.value;
        return place && { place };
      },
    });
  }

  /** Source of a variable's value; undefined for one that has its default. */
  #originOf(
    node: LocatedYamlNode | undefined,
    instance: InstanceKey | undefined,
  ): UnevaluatedValue | undefined {
    return node && { node, space: this.#parent, each: this.#eachOf(instance) };
  }

  #eachOf(instance: InstanceKey | undefined): EachBinding {
    const { value: body } = this.entry;
    return bindEach(findBlockRepetition(body), this.instances, instance, listYamlMapEntries(body));
  }

  /** Reads the value that is written for one variable of the module. */
  #givenBy(
    entry: YamlEntry | undefined,
    instance: InstanceKey | undefined,
    type: VariableType | undefined,
  ): Given | undefined {
    if (!entry) return undefined;
    const around = { space: this.#parent, each: this.#eachOf(instance) };
    const value = hasExpression(entry.value)
      ? evaluateValue(entry.value, around)
      : readPlainYamlValue(entry.value, type);
    return { value, placeOf: (path) => locateValuePart(entry.value, path) };
  }

  /** Reads the values of all variables where a single expression gives them. */
  #readWhole(
    source: ParsedModuleFiles,
    written: LocatedYamlNode,
    instance: InstanceKey | undefined,
  ): ScopeValue {
    const values = evaluateValue(written, {
      space: this.#parent,
      each: this.#eachOf(instance),
      mustBeKnown: 'It says which variables are set. Write them one by one.',
    });
    if (values instanceof Unknown) return values;
    // An expression with the result null counts as a field that is left out.
    if (values === null) return {};
    if (!isMapValue(values)) {
      this.#parent.session.faults.add({
        code: 'wrong-type',
        summary: `modules.${this.key}.variables must be a map`,
        hint: 'Give a map of values by the names of the variables.',
        place: written,
      });
      return new Unknown('variables', true);
    }
    this.#refuseUndeclared(
      source,
      Object.keys(values).map((name) => [name, written]),
    );
    return values;
  }

  #refuseUndeclared(
    source: ParsedModuleFiles,
    given: readonly (readonly [string, SourceTextRange])[],
  ): void {
    const names = [...source.variables.keys()];
    for (const [name, place] of given) {
      if (source.variables.has(name)) continue;
      const meant = suggestNearestName(name, names);
      this.#parent.session.faults.add({
        code: 'undeclared-variable',
        summary: `The module of \`modules.${this.key}\` has no variable \`${name}\``,
        detail: names.length > 0 ? `It declares ${formatNameList(names)}.` : 'It declares none.',
        hint: meant === undefined ? 'Remove it.' : `Did you mean \`${meant}\`?`,
        place,
      });
    }
  }

  #readVariable(source: ParsedModuleFiles, name: string, given: Given | undefined): ScopeValue {
    const declaration = source.variables.get(name);
    if (!declaration) return null;
    const { session } = this.#parent;
    if (!given && !declaration.default) {
      const { summary, code } = describeUnsetVariable(declaration);
      session.faults.add({
        code,
        summary,
        detail: `The module of \`modules.${this.key}\` declares it without a default.`,
        hint: `Set it under \`modules.${this.key}.variables\`.`,
        place: this.entry.key,
      });
      return new Unknown(name, true);
    }
    const value = given
      ? given.value
      : readPlainYamlValue(declaration.default as LocatedYamlNode, declaration.type);
    if (declaration.isSensitive) session.faults.secrets.add(value);
    const checked = checkVariableValue(declaration, value);
    if ('value' in checked) return checked.value;
    // A default of the wrong type was reported where the variable is declared.
    for (const { path, ...fault } of given ? checked.faults : []) {
      session.faults.add({ ...fault, place: given?.placeOf(path) ?? this.entry.key });
    }
    return new Unknown(name, true);
  }
}

/** Makes the modules that a module uses, by key. */
export function makeModuleGroups<S extends ModuleExpressionContext>(
  space: ModuleExpressionContext,
  make: MakeSpace<S>,
): ReadonlyMap<string, ModuleGroup<S>> {
  return new Map(
    [...listYamlMapEntries(findYamlMapChild(space.source.tree, 'modules'))].map(([key, entry]) => [
      key,
      new ModuleGroup(space, key, entry, make),
    ]),
  );
}
