// The model of a project: its live record, and the commands about it.
import type { LiveBase } from '../../model/account/live.ts';
import type { ToldField } from '../../model/account/told.ts';

export interface LiveProject extends LiveBase {
  readonly kind: 'project';
  readonly name: ToldField<string>;
}

declare module '../../model/account/live.ts' {
  interface LiveRecords {
    readonly project: LiveProject;
  }
}

declare module '../../model/account/command.ts' {
  interface CommandFields<R> {
    readonly createProject: { readonly name: string };
    readonly renameProject: { readonly project: R; readonly name: string };
    readonly deleteProject: { readonly project: R };
  }
}
