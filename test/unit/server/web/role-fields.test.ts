import { expect, it } from 'vitest';
import { renderRoleFields } from '../../../../src/server/web/pages/role-fields.ts';

it('has the roles of each workspace in a line of their own, as the form reads them', () => {
  const grants = [
    { role: 'plan', workspace: 'shop' },
    { role: 'apply', workspace: 'shop' },
    { role: 'view', workspace: 'blog' },
  ] as const;
  expect(renderRoleFields(grants, 'member').markup).toContain(
    '>\nshop: plan, apply\nblog: view</textarea',
  );
});
