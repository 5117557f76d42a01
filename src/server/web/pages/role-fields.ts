import { roles, type Grant, type Role } from '../../people/roles.ts';
import { html, htmlLines, nothing, type Html } from '../../../model/text/html.ts';

const meanings: Readonly<Record<Role, string>> = {
  view: 'sees workspaces, runs and plans',
  plan: 'starts plans and drift checks',
  approve: 'says yes or no to plans',
  apply: 'plans, applies and destroys',
  admin: 'does everything, and manages workspaces, people and tokens',
};

/** The fields of the roles of somebody; `form` tells the forms of one page apart. */
export function renderRoleFields(grants: readonly Grant[], form: string): Html {
  const all = grants.flatMap(({ role, workspace }) => (workspace === undefined ? role : []));
  return html`<fieldset>
      <legend>Roles for all workspaces</legend>
      ${roles.map(
        (role) =>
          html`<p class="check">
            <input
              type="checkbox"
              id="${form}-${role}"
              name="role"
              value="${role}"
              ${all.includes(role) ? html` checked` : nothing}
            /><label for="${form}-${role}"><b>${role}</b>: ${meanings[role]}</label>
          </p>`,
      )}
    </fieldset>
    <p>
      <label for="${form}-places">Roles by workspace</label
      ><textarea
        id="${form}-places"
        name="places"
        rows="4"
        placeholder="shop: plan, approve"
        autocomplete="off"
        spellcheck="false"
        aria-describedby="${form}-places-hint"
      >
${htmlLines(listPlaces(grants))}</textarea
      ><span class="hint" id="${form}-places-hint"
        >One workspace in a line, as shop: plan, approve.</span
      >
    </p>`;
}

/** `shop: plan, approve` in a line each. */
function listPlaces(grants: readonly Grant[]): string {
  const places = new Map<string, Role[]>();
  for (const { role, workspace } of grants)
    if (workspace !== undefined) places.set(workspace, [...(places.get(workspace) ?? []), role]);
  return [...places].map(([name, own]) => `${name}: ${own.join(', ')}`).join('\n');
}

const mostPlaces = 3;

/** `plan, apply; approve in shop, blog and 3 more` */
export function sumUpGrants(grants: readonly Grant[]): string {
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
