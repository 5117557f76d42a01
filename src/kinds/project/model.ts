// The model of a project: its live record, and the commands about it.
import type { LiveRecordBase } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';

export interface LiveProject extends LiveRecordBase {
  readonly kind: 'project';
  readonly name: ReportedOrUntoldField<string>;
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
