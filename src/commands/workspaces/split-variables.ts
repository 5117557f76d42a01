// Variables in as many requests as they need: a server takes bodies of 1 MB.

type Variables<Given> = Readonly<Record<string, Given>>;

/** The most bytes of variables in one request, which leaves room for everything else. */
const mostBytes = 768 * 1024;
/** The most workspaces, or sets, whose variables one request compares. */
const comparedAtOnce = 20;

const measure = (part: unknown) => Buffer.byteLength(JSON.stringify(part));

/**
 * Divides the variables of one workspace or set into parts, each small enough for one request. There is at least one part, which
 * may be empty.
 */
export function splitVariablesByRequest<Given>(
  given: Variables<Given>,
): readonly Variables<Given>[] {
  const parts = divide(Object.entries(given), Infinity);
  return parts.length === 0 ? [{}] : parts.map((part) => Object.fromEntries(part));
}

/**
 * Divides the variables of many workspaces or sets into parts, each small enough for one request; one owner may be in several
 * parts.
 */
export function splitOwnedVariablesByRequest<Given>(
  owned: readonly (readonly [owner: string, variables: Variables<Given>])[],
): readonly Variables<Variables<Given>>[] {
  const pieces = owned.flatMap(([owner, variables]) =>
    splitVariablesByRequest(variables).map((part) => [owner, part] as const),
  );
  // Two pieces of one owner never fit into one request, as they would be one piece.
  return divide(pieces, comparedAtOnce).map((part) => Object.fromEntries(part));
}

function divide<Part>(all: readonly Part[], most: number): readonly (readonly Part[])[] {
  const parts: Part[][] = [];
  let bytes = 0;
  for (const one of all) {
    const size = measure(one);
    const last = parts.at(-1);
    if (!last || bytes + size > mostBytes || last.length >= most) {
      parts.push([one]);
      bytes = size;
    } else {
      last.push(one);
      bytes += size;
    }
  }
  return parts;
}
