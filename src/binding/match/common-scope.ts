// A part with which all paths of a document begin, and that is nothing of the contract: an account, a tenant, a subscription.
import type { ApiDocument, ApiDocumentFault } from '../document/document.ts';
import type { BindingLexicon } from '../vocabulary/words.ts';
import { findPathContainer } from './containers.ts';
import { parseApiPath } from './paths.ts';

/** Below so many operations, a part that all paths have in common may be what they are about. */
const fewestOfScope = 10;

/**
 * The document as it is below the way to what the caller owns, such as `/accounts/{accountId}`, where every path begins with
 * it: it belongs to the base address, and the fault says so. Where the document has the accounts themselves, or the way may
 * lead to a project, it is left as it is.
 */
export function removeCommonScope(
  { operations }: ApiDocument,
  lexicon: BindingLexicon,
): { readonly document: ApiDocument; readonly faults: readonly ApiDocumentFault[] } {
  const paths = operations.map(({ path }) => path.split('/').slice(1));
  const [first = []] = paths;
  const haveInCommon = (at: number) =>
    paths.every((path) => path.length > at + 1 && path[at] === first[at]);
  let end = 0;
  while (
    haveInCommon(end) &&
    haveInCommon(end + 1) &&
    isScope(
      first.slice(end, end + 2),
      paths.map((path) => path.slice(end + 2)),
      lexicon,
    )
  )
    end += 2;
  if (end === 0 || operations.length < fewestOfScope)
    return { document: { operations }, faults: [] };
  const scope = `/${first.slice(0, end).join('/')}`;
  const own = operations.map((operation) => {
    const path = operation.path.slice(scope.length);
    const parameters = operation.parameters.filter(
      ({ name, in: place }) => place === 'query' || path.includes(`{${name}}`),
    );
    return { ...operation, path, parameters };
  });
  const what = `Every path begins with ${scope}: make that a part of the base address, with its values`;
  return { document: { operations: own }, faults: [{ pointer: '/paths', what }] };
}

/** True for a name, and one of its things behind it, that is not the project: that one is called as projects are, and none below it is. */
function isScope(
  segments: readonly string[],
  inner: readonly (readonly string[])[],
  lexicon: BindingLexicon,
): boolean {
  const [name, thing] = parseApiPath(`/${segments.join('/')}`);
  if (!name || name.isParam || thing?.isParam !== true) return false;
  const kind = findPathContainer(lexicon, name.words);
  if (kind === undefined) return true;
  const isProject = (text: string) =>
    findPathContainer(lexicon, parseApiPath(`/${text}`)[0]?.words ?? []) === 'project';
  return kind === 'project' && inner.some((path) => path.some(isProject));
}
