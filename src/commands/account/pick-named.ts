import type { Diagnostic } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** Warns of names that several things share, so that such a name selects none of them. */
export function warnOfSharedNames(
  things: readonly { readonly id: string; readonly name: string | undefined }[],
  { what }: PickMessageWords,
): readonly Diagnostic[] {
  const named = things.filter(({ name }) => name !== undefined);
  return [...groupBy(named, ({ name }) => name)]
    .filter(([, same]) => same.length > 1)
    .map(([name, same]) => ({
      severity: 'warning',
      code: 'shared-name',
      summary: `${same.length} ${what}s are called ${name}`,
      detail: `Their ids: ${same.map(({ id }) => id).join(', ')}. Commands take none of them by this name.`,
      hint: 'Give each a name of its own.',
    }));
}

/** Words for the things to choose from, in messages. */
export interface PickMessageWords {
  /** Noun for the thing that is picked, as `access token`. */
  readonly what: string;
  /** The command that lists the things to pick from, named when none is found. */
  readonly list: string;
}

/**
 * Finds the thing that an argument means: by id, or by a name that only one has.
 * @throws DiagnosticError `not-found` with similar names, `ambiguous-name` with the ids
 */
export function pickByNameOrId<
  T extends { readonly id: string; readonly name: string | undefined },
>(things: readonly T[], word: string, { what, list }: PickMessageWords): T {
  const byId = things.find(({ id }) => id === word);
  if (byId) return byId;
  const named = things.filter(({ name }) => name === word);
  const [first] = named;
  if (first && named.length === 1) return first;
  if (first) {
    throw createCommandRefusal('ambiguous-name', `${named.length} ${what}s are called ${word}`, {
      detail: `Their ids: ${named.map(({ id }) => id).join(', ')}.`,
      hint: `Give the id of the one you mean. List them: ${list}`,
    });
  }
  const near = suggestNearestName(
    word,
    things.flatMap(({ id, name = id }) => [name, id]),
  );
  const names = things.flatMap(({ name = [] }) => name);
  throw createCommandRefusal('not-found', `There is no ${what} ${word}`, {
    ...(names.length > 0 && { detail: `There are: ${formatNameList(names)}.` }),
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}List them: ${list}`,
  });
}
