// The part of docs/contract.md that says what a service may lack: a table for each subject of the contract.
import { operationPurposes } from '../../src/api/contract/operation-needs.ts';
import type { OperationId } from '../../src/api/contract/routes.ts';
import { closed, wrap } from './markdown.ts';

/** The contract, as far as it sorts its operations. */
export interface SortedContract {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId?: string; readonly tags?: string[] }>>
    >
  >;
}

/** The heading of the part that is generated: it reaches to the end of the page. */
export const needsHeading = '## What a service may lack';

/** The whole part. */
export function renderNeeds({ tags, paths }: SortedContract): string {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const subjects = tags.map(({ name }) => {
    const own = operations.flatMap(({ operationId, tags: [tag] = [] }) =>
      operationId !== undefined && tag === name ? [operationId as OperationId] : [],
    );
    const rows = own.map((operation) => {
      const { neededFor, without, essential } = operationPurposes[operation];
      const lost = without === undefined ? 'It cannot be done.' : closed(without);
      const more = essential === undefined ? '' : ` Nor can it without \`${essential}\`.`;
      return `| \`${operation}\` | ${neededFor} | ${lost}${more} |`;
    });
    const head = '| Operation | Needed for | Without it |\n| --- | --- | --- |';
    return `### ${name}\n\n${head}\n${rows.join('\n')}`;
  });
  const intro =
    'Where an operation is `none` or `open`, the rest goes on as well as it can. What _cannot be done_ fails the plan that needs it, at the address that needs it ([`not-bound`](errors.md#not-bound)). What only proves something is named in one note ([`service-lacks`](errors.md#service-lacks)).';
  return `${needsHeading}\n\n${wrap(intro)}\n\n${subjects.join('\n\n')}\n`;
}
