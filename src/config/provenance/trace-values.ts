// Origins of the values of a resource: through expressions, variables, locals, defaults and modules to the lines in which
// they are written. It reads the loaded configuration, reports nothing and never shows a sensitive value.
import { Unknown } from '../../expressions/values/scope.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress, InstanceKey } from '../../model/address.ts';
import type { OriginKind, ValueOrigin } from '../../model/provenance.ts';
import { listInstanceKeys } from '../scope/each.ts';
import { listModuleScopes, type ModuleScope } from '../scope/module-scope.ts';
import { listAllResourceGroups, type ResourceGroup } from '../scope/resource-group.ts';
import { hasExpression } from '../scope/resolve-node.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import type { SourceTextRange } from '../source/source-file.ts';
import type { VariableOrigins } from '../variables/set-variables.ts';
import { showOriginValue, showSourceText } from './show-origin.ts';
import { ReferenceOriginTracer, type OriginTraceContext } from './trace-reference.ts';

/** A resource as the configuration declares it, before it is expanded. */
export interface DeclaredResource {
  readonly scope: ModuleScope;
  readonly group: ResourceGroup;
  readonly instance: InstanceKey | undefined;
}

/** Finds the block that declares a resource; undefined where the configuration has no such resource. */
export function findDeclaredResource(
  scope: ModuleScope,
  address: ResourceAddress,
): DeclaredResource | undefined {
  for (const one of listModuleScopes(scope)) {
    if (!address.startsWith(one.prefix)) continue;
    for (const group of listAllResourceGroups(one.collections)) {
      if (!address.startsWith(group.address)) continue;
      for (const instance of listInstanceKeys(group.instances)) {
        if (group.addressOf(instance) === address) return { scope: one, group, instance };
      }
    }
  }
  return undefined;
}

/** Traces the origins of a resource's values, by attribute; undefined where the configuration has no such resource. */
export function traceValueOrigins(
  scope: ModuleScope,
  address: ResourceAddress,
  variables: VariableOrigins,
): readonly ValueOrigin[] | undefined {
  const declared = findDeclaredResource(scope, address);
  if (!declared) return undefined;
  const tracer = new ReferenceOriginTracer(scope, variables);
  return Object.keys(kindRegistry[declared.group.kind].fields).flatMap(
    (name) => traceAttributeOrigin(declared, name, tracer) ?? [],
  );
}

/** Traces the origin of one attribute of a resource; undefined where it has none. */
export function traceAttributeOrigin(
  { scope, group, instance }: DeclaredResource,
  name: string,
  tracer: ReferenceOriginTracer,
): ValueOrigin | undefined {
  const { session } = scope;
  const { value, isSensitive } = session.trace(() => group.readAttribute(name, instance));
  // A public key may be given by a field for the key or one for its file.
  const entry = group.fields.get(name) ?? group.fields.get(`${name}File`);
  if (!entry) {
    if (value === undefined || value instanceof Unknown) return undefined;
    return { name, kind: 'default', ...showOriginValue(value, isSensitive), reads: [] };
  }
  const around: OriginTraceContext = {
    space: scope,
    each: group.eachOf(instance),
  };
  return {
    name,
    kind: findOriginKind(entry.value, group.entry.value),
    ...showOriginValue(value ?? null, isSensitive),
    ...showSourceText(entry.value),
    reads: [
      ...tracer.listReads(entry.value, around),
      ...(group.fields.has(name) ? [] : nameFile(entry.value, showOriginValue(value, isSensitive))),
    ],
  };
}

/** The file that holds a value, where its path is written as it is. */
function nameFile(
  node: LocatedYamlNode,
  shown: Pick<ValueOrigin, 'value' | 'isSensitive'>,
): readonly ValueOrigin[] {
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || hasExpression(node)) return [];
  return [{ name: `file(${JSON.stringify(node.value)})`, kind: 'file', ...shown, reads: [] }];
}

/** Tells apart a value that its own block gives, and one from outside of the block, which was merged into it from `defaults`. */
export function findOriginKind(value: SourceTextRange, block: SourceTextRange): OriginKind {
  const isWithin =
    value.file === block.file && value.start >= block.start && value.end <= block.end;
  return isWithin ? 'written' : 'defaults';
}
