import { roles, type RoleGrant, type Role } from '../../people/roles.ts';
import { html, renderHtmlLines, type SafeHtml } from '../../../model/text/html.ts';
import { renderCheckbox, renderMultilineField } from '../parts/elements.ts';

const meanings: Readonly<Record<Role, string>> = {
  view: 'sees workspaces, runs and plans',
  plan: 'starts plans and drift checks',
  approve: 'says yes or no to plans',
  apply: 'plans, applies and destroys',
  admin: 'does everything, and manages workspaces, people and tokens',
};

/** Renders the form fields for the roles of a member; `form` keeps the ids of several forms on a page apart. */
export function renderRoleFields(grants: readonly RoleGrant[], form: string): SafeHtml {
  const all = grants.flatMap(({ role, workspace }) => (workspace === undefined ? role : []));
  const boxes = roles.map((role) =>
    renderCheckbox('role', html`<b>${role}</b>: ${meanings[role]}`, all.includes(role), {
      id: `${form}-${role}`,
      value: role,
    }),
  );
  const places = {
    name: 'places',
    id: `${form}-places`,
    label: 'Roles by workspace',
    hint: 'One workspace in a line, as shop: plan, approve.',
    placeholder: 'shop: plan, approve',
  };
  return html`<fieldset>
      <legend>Roles for all workspaces</legend>
      ${boxes}
    </fieldset>
    ${renderMultilineField(places, 4, renderHtmlLines(listPlaces(grants)))}`;
}

/** Writes roles by workspace, one line each: `shop: plan, approve`. */
function listPlaces(grants: readonly RoleGrant[]): string {
  const places = new Map<string, Role[]>();
  for (const { role, workspace } of grants)
    if (workspace !== undefined) places.set(workspace, [...(places.get(workspace) ?? []), role]);
  return [...places].map(([name, own]) => `${name}: ${own.join(', ')}`).join('\n');
}

const mostPlaces = 3;

/** Sums up a member's roles: `plan, apply; approve in shop, blog and 3 more`. */
export function sumUpRoleGrants(grants: readonly RoleGrant[]): string {
  const all = grants.flatMap(({ role, workspace }) => (workspace === undefined ? role : []));
  const some = roles.flatMap((role) => {
    const names = grants.flatMap((one) =>
      one.role === role && one.workspace !== undefined ? one.workspace : [],
    );
    if (names.length === 0) return [];
    const more = names.length - mostPlaces;
    const shown = names.slice(0, mostPlaces).join(', ');
    return [`${role} in ${shown}${more > 0 ? ` and ${more} more` : ''}`];
  });
  return [...(all.length === 0 ? [] : [all.join(', ')]), ...some].join('; ');
}
