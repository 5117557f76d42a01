import { describe, expect, it } from 'vitest';
import type {
  WorkspacesChange,
  WorkspacesPlan,
} from '../../../src/model/workspaces/workspaces-plan.ts';
import {
  renderWorkspacesChangeDone,
  renderWorkspacesApplyEnd,
  renderWorkspacesJson,
  renderWorkspacesPlan,
} from '../../../src/render/workspaces/workspaces-text.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';

const layout = { columns: 80, style: createAnsiStyle(false) };
const source = { file: 'workspaces.yaml', line: 3, column: 3, endLine: 3, endColumn: 7 };
const set: WorkspacesChange = {
  ...{ kind: 'variable set', name: 'common', action: 'create', source },
  fields: [{ name: 'description', after: 'of\u202e all\n' }],
  variables: [{ name: 'HOSTWRIGHT_TOKEN', action: 'add', isSecret: true }],
};
const workspace: WorkspacesChange = {
  ...{ kind: 'workspace', name: 'shop', action: 'update', source },
  fields: [
    { name: 'branch', before: 'main', after: 'release' },
    { name: 'directory', after: null },
  ],
  variables: [
    { name: 'HOSTWRIGHT_VAR_size', action: 'change', isSecret: false },
    { name: 'HOSTWRIGHT_VAR_old', action: 'remove', isSecret: false },
  ],
};
const planOf = (
  changes: readonly WorkspacesChange[],
  workspaces: readonly string[] = [],
  sets: readonly string[] = [],
): WorkspacesPlan => ({ changes, unlisted: { workspace: workspaces, 'variable set': sets } });

describe('the plan of a file of workspaces', () => {
  it('has each change with its fields, its variables without values, and the counts', () =>
    expect(renderWorkspacesPlan(planOf([set, workspace], ['old']), layout)).toBe(
      String.raw`Hostwright will perform the following actions on the server:

  + variable set common will be created
      + description: "of\u202e all\n"
      + HOSTWRIGHT_TOKEN (secret)

  ~ workspace shop will be updated in-place
      ~ branch: "main" -> "release"
      ~ directory: null -> null
      ~ HOSTWRIGHT_VAR_size (value not shown)
      - HOSTWRIGHT_VAR_old (value not shown)

Plan: 1 to add, 1 to change, 0 to destroy.

1 workspace of the server is not in the file: it stays as it is.
`,
    ));

  it('says that nothing changes, and what else the server has', () => {
    const nothing = 'No changes. The server matches the file.\n';
    expect(renderWorkspacesPlan(planOf([]), layout)).toBe(nothing);
    expect(renderWorkspacesPlan(planOf([], [], ['a', 'b']), layout)).toBe(
      `${nothing}\n2 variable sets of the server are not in the file: they stay as they are.\n`,
    );
  });

  it('ends with what was made, or not', () => {
    const plan = planOf([set, workspace]);
    expect(renderWorkspacesApplyEnd({ plan }, layout)).toBe('');
    expect(renderWorkspacesApplyEnd({ plan, made: [set, workspace] }, layout)).toBe(
      '\nApply complete! 1 added, 1 changed, 0 destroyed.\n',
    );
    expect(renderWorkspacesApplyEnd({ plan, made: [set] }, layout)).toBe(
      '\nApply incomplete: 1 added, 0 changed, 0 destroyed. 1 change not made.\n',
    );
    expect([set, workspace].map(renderWorkspacesChangeDone)).toEqual([
      'variable set common: created',
      'workspace shop: changed',
    ]);
  });

  it('has no value of a variable in JSON', () => {
    const json = renderWorkspacesJson({ plan: planOf([set], ['old']), made: [set] });
    expect(json).toMatchObject({
      changes: [
        { variables: [{ name: 'HOSTWRIGHT_TOKEN', action: 'add', secret: true }], fields: [{}] },
      ],
      unlisted: { workspaces: ['old'], variableSets: [] },
      made: [{ kind: 'variable set', name: 'common' }],
    });
    expect(json).not.toHaveProperty('declined');
    const declined = renderWorkspacesJson({ plan: planOf([set]), isDeclined: true });
    expect(declined).toHaveProperty('declined', true);
    expect(declined).not.toHaveProperty('made');
  });
});
