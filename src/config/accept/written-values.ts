import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { AcceptDriftWay } from '../../model/plan/drift-choice.ts';
import type { ValueOrigin } from '../../model/provenance.ts';
import { formatSourcePlace } from '../../model/source.ts';
import type { Value } from '../../model/value.ts';
import {
  findDeclaredResource,
  findOriginKind,
  traceAttributeOrigin,
  type DeclaredResource,
} from '../provenance/trace-values.ts';
import { ReferenceOriginTracer } from '../provenance/trace-reference.ts';
import type { ModuleScope } from '../scope/module-scope.ts';
import { hasExpression } from '../scope/resolve-node.ts';
import { toSourceRange, type SourceTextRange } from '../source/source-file.ts';
import type { VariableOrigins } from '../variables/set-variables.ts';
import { computeYamlEntryAddition, computeYamlEntryEdit } from './edit-node.ts';

/** Values of resources as the YAML has them, for edits that accept drift by replacing a value. */
export class EditableYamlValues {
  readonly #scope: ModuleScope;
  readonly #variables: VariableOrigins;
  readonly #texts = new Map<string, string>();

  constructor(scope: ModuleScope, variables: VariableOrigins) {
    this.#scope = scope;
    this.#variables = variables;
  }

  /** Text of a file for which there was an edit, by its path as messages show it. */
  textOf(path: string): string {
    return this.#texts.get(path) ?? '';
  }

  /**
   * Finds the edits that give a field of a resource this value. They exist only in a block that declares this resource
   * alone; otherwise the reason is given why it has to be done by hand.
   */
  accept(address: ResourceAddress, field: string, value: Value): AcceptDriftWay {
    const declared = findDeclaredResource(this.#scope, address);
    if (!declared) return { kind: 'by-hand', why: 'The configuration has no such resource.' };
    const { group, instance } = declared;
    const { entry } = group;
    const written = group.fields.get(field);
    const fromFile = written ? undefined : group.fields.get(`${field}File`);
    const place = (written ?? fromFile)?.value ?? entry.key;
    const shared = explainShared(declared);
    if (shared !== undefined) return explain(place, shared);
    if (fromFile) {
      return explain(place, 'The value is the content of a file: change that file.');
    }
    if (value === null) return explain(place, 'The account has no value for it: remove the line.');
    if (kindRegistry[group.kind].fields[field]?.isReference && namesOutsider(value)) {
      const hint = 'add it to the configuration first, for example with `hostwright export`.';
      return explain(place, `The account has a resource here that is not configured: ${hint}`);
    }
    this.#texts.set(place.file.path, place.file.text);
    if (!written) return computeYamlEntryAddition(entry, field, value);
    if (hasExpression(written.value)) {
      const tracer = new ReferenceOriginTracer(this.#scope, this.#variables);
      const origin = traceAttributeOrigin(
        { scope: declared.scope, group, instance },
        field,
        tracer,
      );
      return explain(place, explainExpression(origin));
    }
    if (findOriginKind(written.value, entry.value) === 'defaults') {
      return explain(
        place,
        'The value is not in the block of the resource: others may have it, too.',
      );
    }
    if (place.file.isSecret(place.start, place.end)) {
      return explain(place, 'Its file is outside of the configuration, or its text is secret.');
    }
    return computeYamlEntryEdit(written, value, entry.value);
  }
}

function explain(place: SourceTextRange, why: string): AcceptDriftWay {
  return { kind: 'by-hand', why, source: toSourceRange(place) };
}

/** Explains why a block declares more than one resource; undefined where it does not. */
function explainShared({ group, scope, instance }: DeclaredResource): string | undefined {
  if (scope.prefix !== '') {
    return 'The block is in a module, which other resources may be made of, too.';
  }
  const { kind } = group.eachOf(instance);
  return kind === 'none'
    ? undefined
    : `The block has \`${kind}\`: it stands for several resources.`;
}

/** Tells whether a value refers by id (`id:…`) to a resource that no block of the configuration declares. */
function namesOutsider(value: Value): boolean {
  const texts = Array.isArray(value) ? value : [value];
  return texts.some((text) => typeof text === 'string' && text.startsWith('id:'));
}

/** The names that an expression reads, with the lines that give them their values. */
function explainExpression(origin: ValueOrigin | undefined): string {
  const leaves = listLeaves(origin?.reads ?? []);
  const named = leaves.map(({ name, givenBy, source }) => {
    const place = givenBy ?? (source && formatSourcePlace(source));
    return place === undefined ? `\`${name}\`` : `\`${name}\` (${place})`;
  });
  const reads = named.length === 0 ? '' : `, which reads ${named.join(', ')}`;
  return `The value comes from an expression${reads}.`;
}

/** The values that are read directly or through others, and read nothing themselves. */
function listLeaves(origins: readonly ValueOrigin[]): readonly ValueOrigin[] {
  return origins.flatMap((one) => (one.reads.length > 0 ? listLeaves(one.reads) : [one]));
}
