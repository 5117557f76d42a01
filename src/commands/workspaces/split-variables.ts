// Variables in as many requests as they need: a server takes bodies of 1 MB.

type Variables<Given> = Readonly<Record<string, Given>>;

/** The most bytes of variables in one request, which leaves room for everything else. */
const mostBytes = 768 * 1024;
/** The most workspaces, or sets, whose variables one request compares. */
const comparedAtOnce = 20;

const measure = (part: unknown) => Buffer.byteLength(JSON.stringify(part));

/** Divides variables into those of one request each. One part at least, which may be empty. */
export function splitVariables<Given>(given: Variables<Given>): readonly Variables<Given>[] {
  const parts = divide(Object.entries(given), Infinity);
  return parts.length === 0 ? [{}] : parts.map((part) => Object.fromEntries(part));
}

/** Divides the variables of many owners into those of one request each. One owner may be in several. */
export function splitOwnedVariables<Given>(
  owned: readonly (readonly [owner: string, variables: Variables<Given>])[],
): readonly Variables<Variables<Given>>[] {
  const pieces = owned.flatMap(([owner, variables]) =>
    splitVariables(variables).map((part) => [owner, part] as const),
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
