// Binding of references to `data` results: `networks: [${data.core.id}]`.
import { findDataSource } from '../../kinds/data-sources.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { Reference } from '../../kinds/kind.ts';
import { spellUnmanagedId } from '../../kinds/names.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { isProject } from '../../model/kind-places.ts';
import type { DataQueryOutcome, DataQuery } from '../../model/data.ts';
import { foldNameForComparison } from '../../model/text/fold-name.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import { readAttributeText, type Value } from '../../model/value.ts';
import { findReferenceYamlNode, parseReferenceTarget } from '../graph/check-references.ts';
import type { ResourceDeclaration, ResourceDeclarations } from '../scope/declarations.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';

/** A resource of the account that a `data` query found, with the query. */
interface Found {
  readonly query: DataQuery;
  readonly projectName: string | undefined;
}

type Outcomes = ReadonlyMap<string, DataQueryOutcome>;

function indexFound(queries: readonly DataQuery[], outcomes: Outcomes): ReadonlyMap<string, Found> {
  return new Map(
    queries.flatMap((query): [string, Found][] => {
      const outcome = outcomes.get(query.name);
      if (outcome?.kind !== 'found') return [];
      return [[`${query.kind} ${outcome.id}`, { query, projectName: outcome.projectName }]];
    }),
  );
}

/** Replaces a reference in an attribute, or in one item of a list, by a text. */
function replaceAt(value: Value | undefined, { index }: Reference, text: string): Value {
  if (!Array.isArray(value) || index === undefined) return text;
  return value.map((item, at) => (at === index ? text : item));
}

/** Tells whether a found entry is in the same project: a VM is attached to no network of another project. */
function isInPlace({ projectName }: Found, projectNamed: string | undefined): boolean {
  if (projectName === undefined || projectNamed === undefined) return false;
  return foldNameForComparison(projectName) === foldNameForComparison(projectNamed);
}

/**
 * Lets resources refer by id to entries that `data` found in their project and that are not resources of the
 * configuration. A reference to an entry of another project is reported.
 */
export function bindFoundDataEntries(
  declarations: ResourceDeclarations,
  queries: readonly DataQuery[],
  outcomes: Outcomes,
  faults: ConfigurationFaultList,
): void {
  const found = indexFound(queries, outcomes);
  if (found.size === 0) return;
  const projects = declarations.all.filter(({ resource }) => isProject(resource.kind));
  const named = new Map(
    projects.map(({ resource }) => [
      resource.address,
      readAttributeText(resource.attributes, 'name'),
    ]),
  );
  for (const [at, declaration] of declarations.all.entries()) {
    declarations.all[at] = bindOne(declaration, { found, declarations, named, faults });
  }
}

interface BoundDeclaration {
  readonly found: ReadonlyMap<string, Found>;
  readonly declarations: ResourceDeclarations;
  /** The names of projects, by address. */
  readonly named: ReadonlyMap<ResourceAddress, string>;
  readonly faults: ConfigurationFaultList;
}

function bindOne(declaration: ResourceDeclaration, binding: BoundDeclaration): ResourceDeclaration {
  const { resource } = declaration;
  const kind = kindRegistry[resource.kind];
  let { attributes } = resource;
  for (const reference of kind.references(resource)) {
    const target = parseReferenceTarget(resource, reference.address);
    const one = target && binding.found.get(`${target.kind} ${target.local}`);
    if (!target || !one || !Object.hasOwn(attributes, reference.attribute)) continue;
    // A resource of the configuration takes precedence over one that a `data` query found.
    if (binding.declarations.instancesOf(target.collection, target.key)) continue;
    if (!isInPlace(one, binding.named.get(resource.project))) {
      reportElsewhere(declaration, reference, one, binding.faults);
    }
    attributes = {
      ...attributes,
      [reference.attribute]: replaceAt(
        attributes[reference.attribute],
        reference,
        spellUnmanagedId(target.local),
      ),
    };
  }
  return attributes === resource.attributes
    ? declaration
    : { ...declaration, resource: { ...resource, attributes } };
}

function reportElsewhere(
  declaration: ResourceDeclaration,
  reference: Reference,
  { query: { name, kind }, projectName = '' }: Found,
  faults: ConfigurationFaultList,
): void {
  const { resource, key } = declaration;
  const own = parseResourceAddress(resource.address);
  const label = own ? kindRegistry[own.kind].label : 'resource';
  faults.add({
    code: 'data-elsewhere',
    summary: `\`${name}\` is in another project than this ${label}`,
    detail: `The ${findDataSource(kind)?.label ?? kind} is in the project \`${escapeLineEnds(projectName)}\`. A ${label} can refer only to resources of its own project.`,
    hint: `Read one in the project of ${resource.address}.`,
    address: resource.address,
    place: findReferenceYamlNode(declaration, reference) ?? key,
  });
}
