/**
 * Short names for what travels on the wire. Everything is derived from the generated contract:
 * nothing here may state a path, a field or a value of its own.
 */
import type { OperationId } from './routes.ts';
import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

export type WireResourceStatus = Schemas['ResourceStatus'];
export type WireApiOperationStatus = Schemas['ApiOperationStatus'];
export type WireResourceOperation = Schemas['ResourceOperation'];
export type WireVmBootStatus = Schemas['VmBootStatus'];
export type WireOperationFailureCode = Schemas['OperationFailureCode'];
export type WireResourceType = Schemas['ResourceType'];
export type WireTokenScope = Schemas['TokenScope'];
export type WireConfigurationAvailability = Schemas['ConfigurationAvailability'];
export type WirePublicIpMode = Schemas['PublicIpMode'];
export type WirePortProtocol = Schemas['PortProtocol'];
export type WireRenewalState = Schemas['RenewalState'];

export type WireCommandAccepted = Schemas['CommandAccepted'];
export type WireProblem = Schemas['Problem'];
export type WireApiProblem = Schemas['ApiProblem'];
export type WireRenameRequest = Schemas['RenameRequest'];

export type WireResourceQuota = Schemas['ResourceQuota'];
export type WireVmResourceLimits = Schemas['VmResourceLimits'];
export type WireLimits = Schemas['Limits'];
export type WireNameLengthLimits = Schemas['NameLengthLimits'];

export type WireAccount = Schemas['Account'];
export type WireLocaleUpdate = Schemas['LocaleUpdate'];
export type WireToken = Schemas['Token'];
export type WireCreatedToken = Schemas['CreatedToken'];
export type WireTokenCreate = Schemas['TokenCreate'];

export type WireProject = Schemas['Project'];
export type WireProjectPage = Schemas['ProjectPage'];
export type WireProjectResourceCounts = Schemas['ProjectResourceCounts'];
export type WireProjectCreate = Schemas['ProjectCreate'];
export type WireRenameProjectRequest = Schemas['RenameProjectRequest'];
export type WireOperation = Schemas['Operation'];
export type WireOperationPage = Schemas['OperationPage'];

export type WireSshKey = Schemas['SshKey'];
export type WireSshKeyCreate = Schemas['SshKeyCreate'];

export type WireNetwork = Schemas['Network'];
export type WireNetworkPage = Schemas['NetworkPage'];
export type WireNetworkCreate = Schemas['NetworkCreate'];
export type WireAttachment = Schemas['Attachment'];
export type WireAttachmentCreate = Schemas['AttachmentCreate'];
export type WireAttachmentUpdate = Schemas['AttachmentUpdate'];

export type WirePublicIp = Schemas['PublicIp'];
export type WirePublicIpPage = Schemas['PublicIpPage'];
export type WirePortForward = Schemas['PortForward'];
export type WirePortForwardCreate = Schemas['PortForwardCreate'];
export type WirePortForwardUpdate = Schemas['PortForwardUpdate'];

export type WireVm = Schemas['Vm'];
export type WireVmNetwork = Schemas['VmNetwork'];
export type WireVmPage = Schemas['VmPage'];
export type WireVmCreate = Schemas['VmCreate'];
export type WireRebuildVmRequest = Schemas['RebuildVmRequest'];
export type WireResizeVmRequest = Schemas['ResizeVmRequest'];
export type WireVmStateCounts = Schemas['VmStateCounts'];
export type WireVmMetrics = Schemas['VmMetrics'];
export type WireBackup = Schemas['Backup'];

export type WireConfiguration = Schemas['Configuration'];
export type WireImage = Schemas['Image'];
export type WireTariff = Schemas['Tariff'];

export type WireNotification = Schemas['Notification'];
export type WireNotificationPage = Schemas['NotificationPage'];
export type WireUnreadCount = Schemas['UnreadCount'];
export type WireNotificationPreferences = Schemas['NotificationPreferences'];
export type WireNotificationPreferencesUpdate = Schemas['NotificationPreferencesUpdate'];
export type WireSale = Schemas['Sale'];

/** A page of a paged list. */
export type WireListPage<Item> = Schemas['PageInfo'] & { items: Item[] };

interface Json<Body> {
  content: { 'application/json': Body };
}
type BodyOf<Message> = [Message] extends [never]
  ? undefined
  : Message extends Json<infer Body>
    ? Body
    : undefined;
type OrEmpty<Values> = [Values] extends [never] ? Record<string, never> : Values;
type Responses<Op extends OperationId> = operations[Op]['responses'];

/** The JSON body of a request; `undefined` for an operation that takes none. */
export type RequestBody<Op extends OperationId> = BodyOf<
  NonNullable<operations[Op]['requestBody']>
>;

/** The JSON body of a success; `undefined` for one without a body, and where none is possible. */
export type ResponseBody<Op extends OperationId> = BodyOf<
  Responses<Op>[keyof Responses<Op> & (200 | 201 | 202)]
>;

/** The parameters in the path, by name; an empty record for a path without any. */
export type PathParams<Op extends OperationId> = OrEmpty<
  NonNullable<operations[Op]['parameters']['path']>
>;

/** The parameters of the query, by name; an empty record for an operation without any. */
export type Query<Op extends OperationId> = OrEmpty<
  NonNullable<operations[Op]['parameters']['query']>
>;

/** One request of the contract, its path parameters, query and body checked against it. */
export type WireRequest<Op extends OperationId = OperationId> = Op extends OperationId
  ? {
      readonly operation: Op;
      readonly params: Readonly<PathParams<Op>>;
      readonly query?: Readonly<Query<Op>>;
    } & ([RequestBody<Op>] extends [undefined]
      ? { readonly body?: undefined }
      : { readonly body: Readonly<RequestBody<Op>> })
  : never;
