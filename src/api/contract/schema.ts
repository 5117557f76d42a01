/**
 * Generated from schemas/openapi.yaml by `npm run generate`. Do not edit.
 */

export interface paths {
  '/limits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the quotas of the account and their use
     * @description `used` is a snapshot and may lag; the final decision on a quota falls when something is created.
     */
    get: operations['getLimits'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/limits/name-lengths': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the maximum lengths of names and keys */
    get: operations['getNameLengthLimits'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the account */
    get: operations['getAccount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/locale': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the locale of the account */
    put: operations['updateAccountLocale'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tokens': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the access tokens */
    get: operations['listTokens'];
    put?: never;
    /**
     * Create an access token
     * @description The value of the token is shown in this answer and never again. Counts against the quota `accessTokens`.
     */
    post: operations['createToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tokens/{tokenId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: components['parameters']['TokenId'];
      };
      cookie?: never;
    };
    /** Read an access token */
    get: operations['getToken'];
    put?: never;
    post?: never;
    /** Revoke an access token */
    delete: operations['deleteToken'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tokens/{tokenId}/rename': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: components['parameters']['TokenId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Rename an access token */
    patch: operations['renameToken'];
    trace?: never;
  };
  '/projects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the projects */
    get: operations['listProjects'];
    put?: never;
    /**
     * Create a project
     * @description Synchronous. Counts against the quota `projects`.
     */
    post: operations['createProject'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    /** Read a project */
    get: operations['getProject'];
    put?: never;
    post?: never;
    /**
     * Delete an empty project
     * @description Answers 409 while the project holds anything.
     */
    delete: operations['deleteProject'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/rename': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Rename a project */
    patch: operations['renameProject'];
    trace?: never;
  };
  '/projects/{projectId}/operations': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    /**
     * List the operation records of a project
     * @description Newest first. A record may lag behind its resource. It is where the outcome of an asynchronous request is judged.
     */
    get: operations['listOperations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/operations/{operationId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        operationId: components['parameters']['OperationId'];
      };
      cookie?: never;
    };
    /** Read an operation record */
    get: operations['getOperation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/ssh-keys': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    /** List the SSH keys of a project */
    get: operations['listSshKeys'];
    put?: never;
    /**
     * Add an SSH key to a project
     * @description Synchronous. A project holds at most `maxSshKeysPerProject` of them.
     */
    post: operations['createSshKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/ssh-keys/{sshKeyId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        sshKeyId: components['parameters']['SshKeyId'];
      };
      cookie?: never;
    };
    /** Read an SSH key */
    get: operations['getSshKey'];
    put?: never;
    post?: never;
    /** Remove an SSH key from a project */
    delete: operations['deleteSshKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/ssh-keys/{sshKeyId}/rename': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        sshKeyId: components['parameters']['SshKeyId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Rename an SSH key */
    patch: operations['renameSshKey'];
    trace?: never;
  };
  '/projects/{projectId}/networks': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    /** List the networks of a project */
    get: operations['listNetworks'];
    put?: never;
    /**
     * Create a network
     * @description The platform assigns the `cidr`. Counts against the quota `networks`. The network is found by listing.
     */
    post: operations['createNetwork'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/networks/{networkId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    /** Read a network */
    get: operations['getNetwork'];
    put?: never;
    post?: never;
    /**
     * Delete a network
     * @description Answers 409 while VMs are attached.
     */
    delete: operations['deleteNetwork'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/networks/{networkId}/rename': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Rename a network */
    patch: operations['renameNetwork'];
    trace?: never;
  };
  '/projects/{projectId}/networks/{networkId}/vms': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    /** List the VMs attached to a network */
    get: operations['listNetworkVms'];
    put?: never;
    /**
     * Attach a VM to a network
     * @description Locks the VM until it is done. The platform assigns the internal address. A network that is not `active` answers 409.
     */
    post: operations['attachVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/networks/{networkId}/vms/{vmId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Detach a VM from a network
     * @description Locks the VM until it is done.
     */
    delete: operations['detachVm'];
    options?: never;
    head?: never;
    /**
     * Ask for another internal address of an attached VM
     * @description Locks the VM until it is done.
     */
    patch: operations['updateAttachment'];
    trace?: never;
  };
  '/projects/{projectId}/public-ips': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    /** List the public IPs of a project */
    get: operations['listPublicIps'];
    put?: never;
    /**
     * Allocate a public IP
     * @description Takes no body: the platform assigns the address. Counts against the quota `publicIps`. The public IP is found by listing.
     */
    post: operations['createPublicIp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/public-ips/{publicIpId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
      };
      cookie?: never;
    };
    /** Read a public IP */
    get: operations['getPublicIp'];
    put?: never;
    post?: never;
    /**
     * Release a public IP
     * @description Answers 409 while port forwards exist or a VM holds it.
     */
    delete: operations['deletePublicIp'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/public-ips/{publicIpId}/port-forwards': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
      };
      cookie?: never;
    };
    /** List the port forwards of a public IP */
    get: operations['listPortForwards'];
    put?: never;
    /**
     * Forward a port of a public IP to a VM
     * @description A public IP or a VM that is not `active`, and a port already forwarded, answer 409.
     */
    post: operations['createPortForward'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/public-ips/{publicIpId}/port-forwards/{portForwardId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
        portForwardId: components['parameters']['PortForwardId'];
      };
      cookie?: never;
    };
    /** Read a port forward */
    get: operations['getPortForward'];
    put?: never;
    post?: never;
    /** Delete a port forward */
    delete: operations['deletePortForward'];
    options?: never;
    head?: never;
    /**
     * Change a port forward
     * @description Members left out of the body stay as they are.
     */
    patch: operations['updatePortForward'];
    trace?: never;
  };
  '/projects/{projectId}/vms': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    /** List the VMs of a project */
    get: operations['listVms'];
    put?: never;
    /**
     * Create a VM
     * @description Counts against the quota `vmResources`. Without capacity for the configuration it answers 409 with the code `insufficientCapacity`, or is accepted and fails later with that `failureCode`. The VM is found by listing; one whose creation failed has the status `failed` and counts until it is deleted.
     */
    post: operations['createVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/state-counts': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    /** Count the VMs of a project by status and power state */
    get: operations['getVmStateCounts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    /** Read a VM */
    get: operations['getVm'];
    put?: never;
    post?: never;
    /**
     * Delete a VM and its backups
     * @description The backups go with the VM. A public IP it held stays, and so do port forwards that point at it.
     */
    delete: operations['deleteVm'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/rename': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Rename a VM */
    patch: operations['renameVm'];
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/start': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Start a VM */
    post: operations['startVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/stop': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Stop a VM */
    post: operations['stopVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/reboot': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Reboot a VM */
    post: operations['rebootVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/rebuild': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rebuild a VM from an image
     * @description The VM keeps its id and loses its disk. Backups stay unless `deleteBackups` is true.
     */
    post: operations['rebuildVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/resize': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resize a VM (always refused)
     * @description Always answers 503, whatever the VM and the body: a permanent refusal, never worth a retry. It has no success answer.
     */
    post: operations['resizeVm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    /**
     * Read the metrics of a VM
     * @description The service answers fixed mock data: the figures say nothing about the VM.
     */
    get: operations['getVmMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/backups': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    /** List the backups of a VM */
    get: operations['listBackups'];
    put?: never;
    /**
     * Create a backup of a VM
     * @description Takes no body. 202 means accepted only: a later failure shows in the operation record, and the backup then never appears. A VM holds at most 7; on the eighth the oldest is deleted first and the request takes longer. Locks the VM, whose `status` stays `active`.
     */
    post: operations['createBackup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/backups/{backupId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
        backupId: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    /** Read a backup */
    get: operations['getBackup'];
    put?: never;
    post?: never;
    /** Delete a backup */
    delete: operations['deleteBackup'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/projects/{projectId}/vms/{vmId}/backups/{backupId}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
        backupId: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a VM from a backup
     * @description Locks the VM until it is done. What is on the disk is lost.
     */
    post: operations['restoreBackup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/configurations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the VM configurations
     * @description `availability` and `maxCount` are advisory: whether a VM fits is decided when it is created.
     */
    get: operations['listConfigurations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/configurations/{configurationId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        configurationId: components['parameters']['ConfigurationId'];
      };
      cookie?: never;
    };
    /** Read a VM configuration */
    get: operations['getConfiguration'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/images': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the images */
    get: operations['listImages'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/images/{imageId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        imageId: components['parameters']['ImageId'];
      };
      cookie?: never;
    };
    /** Read an image */
    get: operations['getImage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tariffs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tariffs */
    get: operations['listTariffs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tariffs/{tariffId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tariffId: components['parameters']['TariffId'];
      };
      cookie?: never;
    };
    /** Read a tariff */
    get: operations['getTariff'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the notifications */
    get: operations['listNotifications'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications/unread-count': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count the unread notifications */
    get: operations['getUnreadNotificationCount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications/{notificationId}/read': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        notificationId: components['parameters']['NotificationId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Mark a notification as read */
    post: operations['markNotificationRead'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications/read-all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Mark every notification as read */
    post: operations['markAllNotificationsRead'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications/preferences': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the delivery preferences */
    get: operations['getNotificationPreferences'];
    /** Replace the delivery preferences */
    put: operations['updateNotificationPreferences'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sales': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the sales */
    get: operations['listSales'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sales/{saleId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        saleId: components['parameters']['SaleId'];
      };
      cookie?: never;
    };
    /** Read a sale */
    get: operations['getSale'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sales/{saleId}/renewal/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        saleId: components['parameters']['SaleId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Cancel the renewal of a sale */
    post: operations['cancelSaleRenewal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sales/{saleId}/renewal/resume': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        saleId: components['parameters']['SaleId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Resume the renewal of a sale */
    post: operations['resumeSaleRenewal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description Opaque. */
    Id: string;
    /** @description Its maximum length is read from `/limits/name-lengths`. */
    Name: string;
    /**
     * Format: date-time
     * @description ISO 8601, UTC.
     */
    Timestamp: string;
    Port: number;
    /** @enum {string} */
    PortProtocol: 'tcp' | 'udp';
    /**
     * @description The field to display. It stays `active` after a failure that was handled.
     * @enum {string}
     */
    ResourceStatus: 'creating' | 'active' | 'updating' | 'deleting' | 'failed';
    /**
     * @description Other values may appear; an unknown one never counts as finished.
     * @enum {string}
     */
    ApiOperationStatus: 'Queued' | 'Running' | 'InProgress' | 'Succeeded' | 'Failed';
    /**
     * @description What an operation does. Other values may appear.
     * @enum {string}
     */
    ResourceOperation:
      | 'Provision'
      | 'CreateBackup'
      | 'Start'
      | 'Stop'
      | 'Reboot'
      | 'Rebuild'
      | 'Delete'
      | 'RestoreBackup'
      | 'DeleteBackup'
      | 'AttachNetwork'
      | 'DetachNetwork'
      | 'UpdateAttachment'
      | 'CreateNetwork'
      | 'DeleteNetwork'
      | 'AllocatePublicIp'
      | 'ReleasePublicIp'
      | 'CreatePortForward'
      | 'UpdatePortForward'
      | 'DeletePortForward';
    /**
     * @description Other values may appear.
     * @enum {string}
     */
    VmBootStatus: 'Running' | 'Stopped' | 'Starting' | 'Stopping' | 'Rebooting';
    /** @enum {string} */
    OperationFailureCode: 'insufficientCapacity' | 'timeout' | 'internal';
    /** @enum {string} */
    ResourceType: 'vm' | 'network' | 'publicIp' | 'portForward' | 'backup';
    /**
     * @description `full` is everything and `read` every GET; `compute` is VMs, backups and SSH keys, `network` networks and public IPs, `account` account, notifications, sales and projects, `tokens` tokens. Limits, catalog, projects and operations are readable with any scope.
     * @enum {string}
     */
    TokenScope: 'full' | 'read' | 'compute' | 'network' | 'account' | 'tokens';
    /** @enum {string} */
    ConfigurationAvailability: 'available' | 'limited' | 'unavailable';
    /** @enum {string} */
    PublicIpMode: 'new' | 'existing' | 'none';
    /** @enum {string} */
    RenewalState: 'active' | 'cancelled';
    CommandAccepted: {
      /** @description Internal. It cannot be queried anywhere and is not the id of the resource. */
      commandId: string;
    };
    PageInfo: {
      page: number;
      pageSize: number;
      totalCount: number;
    };
    RenameRequest: {
      name: components['schemas']['Name'];
    };
    /** @description Problem details as in RFC 9457. */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail?: string;
      instance?: string;
      /** @description Messages by field. */
      errors?: {
        [key: string]: string[];
      };
    };
    /** @description Declared for the 409 of VM creation alone; no other answer carries `code`. */
    ApiProblem: components['schemas']['Problem'] & {
      /**
       * @description Stable. `insufficientCapacity` is the one value shown.
       * @example insufficientCapacity
       */
      code?: string;
    };
    ResourceQuota: {
      /** @description How many in total. */
      limit: number;
      /** @description In use now; may lag. */
      used: number;
      /** @description How many may still be created. Never negative. */
      remaining: number;
    };
    /** @description Totals across all VMs of the user, in cores, gigabytes and gigabytes. */
    VmResourceLimits: {
      cpu: components['schemas']['ResourceQuota'];
      ram: components['schemas']['ResourceQuota'];
      disk: components['schemas']['ResourceQuota'];
    };
    Limits: {
      projects: components['schemas']['ResourceQuota'];
      accessTokens: components['schemas']['ResourceQuota'];
      networks: components['schemas']['ResourceQuota'];
      publicIps: components['schemas']['ResourceQuota'];
      vmResources: components['schemas']['VmResourceLimits'];
      /** @description A cap inside one project, not a quota. */
      maxSshKeysPerProject: number;
    };
    NameLengthLimits: {
      maxProjectNameLength: number;
      maxNetworkNameLength: number;
      maxVmNameLength: number;
      maxSshKeyNameLength: number;
      maxSshKeyPublicKeyLength: number;
      maxAccessTokenNameLength: number;
    };
    Account: {
      email: string;
      locale: string;
      createdAt: components['schemas']['Timestamp'];
    };
    LocaleUpdate: {
      /**
       * @description A BCP 47 language tag.
       * @example en-GB
       */
      locale: string;
    };
    Token: {
      id: components['schemas']['Id'];
      name: components['schemas']['Name'];
      scopes: components['schemas']['TokenScope'][];
      /**
       * Format: date-time
       * @description Null when it never expires.
       */
      expiresAt: string | null;
      createdAt: components['schemas']['Timestamp'];
      /** Format: date-time */
      lastUsedAt: string | null;
    };
    CreatedToken: components['schemas']['Token'] & {
      /** @description The secret itself, shown only once. */
      value: string;
    };
    TokenCreate: {
      name: components['schemas']['Name'];
      scopes: components['schemas']['TokenScope'][];
      /**
       * Format: date-time
       * @description Null or left out, it never expires.
       */
      expiresAt?: string | null;
    };
    ProjectResourceCounts: {
      vms: number;
      networks?: number;
      publicIps?: number;
      sshKeys?: number;
    };
    Project: {
      id: components['schemas']['Id'];
      name: components['schemas']['Name'];
      /**
       * @deprecated
       * @description Use `resourceCounts.vms`.
       */
      vmCount?: number;
      resourceCounts: components['schemas']['ProjectResourceCounts'];
      createdAt: components['schemas']['Timestamp'];
    };
    ProjectPage: components['schemas']['PageInfo'] & {
      items: components['schemas']['Project'][];
    };
    ProjectCreate: {
      name: components['schemas']['Name'];
    };
    RenameProjectRequest: {
      name: components['schemas']['Name'];
    };
    Operation: {
      id: components['schemas']['Id'];
      type: components['schemas']['ResourceOperation'];
      status: components['schemas']['ApiOperationStatus'];
      resourceType: components['schemas']['ResourceType'];
      resourceId: components['schemas']['Id'];
      createdAt: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description Null while it runs.
       */
      completedAt: string | null;
      /** @description Why it failed; null while it runs and when it succeeded. */
      failureCode: components['schemas']['OperationFailureCode'] | null;
    };
    OperationPage: components['schemas']['PageInfo'] & {
      items: components['schemas']['Operation'][];
    };
    SshKey: {
      id: components['schemas']['Id'];
      name: components['schemas']['Name'];
      publicKey: string;
      fingerprint: string;
      createdAt: components['schemas']['Timestamp'];
    };
    SshKeyCreate: {
      name: components['schemas']['Name'];
      /** @description One line in OpenSSH format; its maximum length is in `/limits/name-lengths`. */
      publicKey: string;
    };
    Network: {
      id: components['schemas']['Id'];
      name: components['schemas']['Name'];
      status: components['schemas']['ResourceStatus'];
      /** @description Assigned by the platform, never supplied; null until then. */
      cidr: string | null;
      createdAt: components['schemas']['Timestamp'];
    };
    NetworkPage: components['schemas']['PageInfo'] & {
      items: components['schemas']['Network'][];
    };
    NetworkCreate: {
      name: components['schemas']['Name'];
    };
    Attachment: {
      vmId: components['schemas']['Id'];
      /** @description Assigned by the platform; null until then. */
      internalIp: string | null;
    };
    AttachmentCreate: {
      vmId: components['schemas']['Id'];
    };
    AttachmentUpdate: {
      /** @description An address inside the network's `cidr`. */
      internalIp: string;
    };
    PublicIp: {
      id: components['schemas']['Id'];
      status: components['schemas']['ResourceStatus'];
      /** @description Assigned by the platform; null until then. */
      address: string | null;
      /** @description The VM that holds it, or null. */
      vmId: string | null;
      saleId: string | null;
      createdAt: components['schemas']['Timestamp'];
    };
    PublicIpPage: components['schemas']['PageInfo'] & {
      items: components['schemas']['PublicIp'][];
    };
    /** @description External traffic to a port of the public IP goes to a VM and a port of it. */
    PortForward: {
      id: components['schemas']['Id'];
      protocol: components['schemas']['PortProtocol'];
      publicPort: components['schemas']['Port'];
      /** @description It stays when the VM is deleted. */
      vmId: components['schemas']['Id'];
      vmPort: components['schemas']['Port'];
      status: components['schemas']['ResourceStatus'];
    };
    PortForwardCreate: {
      protocol: components['schemas']['PortProtocol'];
      publicPort: components['schemas']['Port'];
      vmId: components['schemas']['Id'];
      vmPort: components['schemas']['Port'];
    };
    /** @description The protocol of a port forward cannot change. */
    PortForwardUpdate: {
      publicPort?: components['schemas']['Port'];
      vmId?: components['schemas']['Id'];
      vmPort?: components['schemas']['Port'];
    };
    VmNetwork: {
      networkId: components['schemas']['Id'];
      /** @description Assigned by the platform; null until then. */
      internalIp: string | null;
    };
    Vm: {
      id: components['schemas']['Id'];
      name: components['schemas']['Name'];
      status: components['schemas']['ResourceStatus'];
      /** @description Kept for backward compatibility. The running or the last operation, or null. */
      operation: components['schemas']['ResourceOperation'] | null;
      /** @description Kept for backward compatibility. The status of `operation`, or null. */
      operationStatus: components['schemas']['ApiOperationStatus'] | null;
      bootStatus: components['schemas']['VmBootStatus'];
      configurationId: components['schemas']['Id'];
      imageId: components['schemas']['Id'];
      tariffId: components['schemas']['Id'];
      /** @description Cores. */
      cpu: number;
      /** @description Gigabytes. */
      ram: number;
      /** @description Gigabytes. */
      disk: number;
      networks: components['schemas']['VmNetwork'][];
      publicIpId: string | null;
      sshKeyIds: components['schemas']['Id'][];
      plugins: string[];
      saleId: string | null;
      createdAt: components['schemas']['Timestamp'];
    };
    VmPage: components['schemas']['PageInfo'] & {
      items: components['schemas']['Vm'][];
    };
    VmCreate: {
      name: components['schemas']['Name'];
      imageId: components['schemas']['Id'];
      tariffId: components['schemas']['Id'];
      configurationId: components['schemas']['Id'];
      /** @description SSH keys of the project. */
      sshKeyIds?: components['schemas']['Id'][];
      /** @description Public keys given as they are, without an SSH key of the project. */
      sshPublicKeys?: string[];
      /** @default none */
      publicIpMode?: components['schemas']['PublicIpMode'];
      /** @description Required when `publicIpMode` is `existing`, refused otherwise. */
      publicIpId?: components['schemas']['Id'];
      plugins?: string[];
    };
    RebuildVmRequest: {
      /** @default false */
      deleteBackups?: boolean;
      /** @description Left out, the VM keeps its image. */
      imageId?: components['schemas']['Id'];
      /** @description Left out, the VM keeps its SSH keys. */
      sshKeyIds?: components['schemas']['Id'][];
    };
    ResizeVmRequest: {
      configurationId?: components['schemas']['Id'];
    };
    VmStatusCounts: {
      creating: number;
      active: number;
      updating: number;
      deleting: number;
      failed: number;
    };
    VmPowerStateCounts: {
      running: number;
      stopped: number;
      starting: number;
      stopping: number;
      rebooting: number;
    };
    VmStateCounts: {
      status: components['schemas']['VmStatusCounts'];
      powerState: components['schemas']['VmPowerStateCounts'];
    };
    MetricPoint: {
      at: components['schemas']['Timestamp'];
      value: number;
    };
    MetricSeries: {
      name: string;
      unit: string;
      points: components['schemas']['MetricPoint'][];
    };
    VmMetrics: {
      series: components['schemas']['MetricSeries'][];
    };
    Backup: {
      id: components['schemas']['Id'];
      status: components['schemas']['ResourceStatus'];
      createdAt: components['schemas']['Timestamp'];
      /** @description Gigabytes. */
      size: number;
      /** @description Null for a backup created before the field existed. */
      sourceImageId: string | null;
    };
    Configuration: {
      id: components['schemas']['Id'];
      name: string;
      /** @description Cores. */
      cpu: number;
      /** @description Gigabytes. */
      ram: number;
      /** @description Gigabytes. */
      disk: number;
      /** @description Advisory. */
      availability: components['schemas']['ConfigurationAvailability'];
      /** @description How many the cluster could host now. Advisory. */
      maxCount: number;
    };
    Image: {
      id: components['schemas']['Id'];
      name: string;
      os: string;
    };
    Tariff: {
      id: components['schemas']['Id'];
      name: string;
      /** @description For one period. */
      price: number;
      /** @description An ISO 4217 code. */
      currency: string;
      /**
       * @description What is paid for at once.
       * @example month
       */
      period: string;
    };
    Notification: {
      id: components['schemas']['Id'];
      /** @example operationFailed */
      type: string;
      title: string;
      message: string;
      resourceType: components['schemas']['ResourceType'] | null;
      resourceId: string | null;
      projectId: string | null;
      read: boolean;
      createdAt: components['schemas']['Timestamp'];
    };
    NotificationPage: components['schemas']['PageInfo'] & {
      items: components['schemas']['Notification'][];
    };
    UnreadCount: {
      count: number;
    };
    /** @description Which notifications are sent by email besides standing in the feed. */
    NotificationPreferences: {
      operationSucceeded: boolean;
      operationFailed: boolean;
      quotaLow: boolean;
    };
    /** @description Replaces the preferences as a whole. */
    NotificationPreferencesUpdate: {
      operationSucceeded: boolean;
      operationFailed: boolean;
      quotaLow: boolean;
    };
    Sale: {
      id: components['schemas']['Id'];
      resourceType: components['schemas']['ResourceType'];
      resourceId: components['schemas']['Id'];
      tariffId: components['schemas']['Id'];
      renewal: components['schemas']['RenewalState'];
      paidUntil: components['schemas']['Timestamp'];
    };
  };
  responses: {
    /** @description Accepted, and nothing more: completion is observed by reading the resource or its operation record, never through `commandId`. */
    Accepted: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['CommandAccepted'];
      };
    };
    /** @description Done; the answer has no body. */
    NoContent: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description The body is not JSON. */
    BadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The token or the Authorization header is missing, malformed, unknown or expired. */
    Unauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The call is outside the scopes of the token. */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Something the path names does not exist. */
    NotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The state of the resource, or what depends on it, does not allow this now. */
    Conflict: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Another operation runs on the VM, or what the request needs is not `active`. */
    VmLocked: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The quota is used up. The decision falls now, whatever `remaining` said before. */
    QuotaExceeded: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description No capacity for the configuration, which `code` tells, or a quota is used up. */
    VmCreationRefused: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['ApiProblem'];
      };
    };
    /** @description The body is too large. */
    ContentTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The body is not declared as JSON. */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description A value is missing, unknown, malformed or over a limit; `errors` says which. */
    ValidationFailed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Too many requests. */
    TooManyRequests: {
      headers: {
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The service cannot answer now. */
    ServiceUnavailable: {
      headers: {
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Resizing is not offered. Permanent. */
    ResizeUnavailable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: {
    TokenId: components['schemas']['Id'];
    ProjectId: components['schemas']['Id'];
    OperationId: components['schemas']['Id'];
    SshKeyId: components['schemas']['Id'];
    NetworkId: components['schemas']['Id'];
    PublicIpId: components['schemas']['Id'];
    PortForwardId: components['schemas']['Id'];
    VmId: components['schemas']['Id'];
    BackupId: components['schemas']['Id'];
    ConfigurationId: components['schemas']['Id'];
    ImageId: components['schemas']['Id'];
    TariffId: components['schemas']['Id'];
    NotificationId: components['schemas']['Id'];
    SaleId: components['schemas']['Id'];
    /** @description The page wanted, from 1. */
    Page: number;
    /** @description How many a page holds. Above 100 it is cut to 100. */
    PageSize: number;
    /** @description Only operations on this resource. */
    OperationResourceId: components['schemas']['Id'];
    /** @description Only operations in this status. */
    OperationStatusFilter: components['schemas']['ApiOperationStatus'];
  };
  requestBodies: never;
  headers: {
    /** @description Seconds to wait, or the date to wait for. */
    RetryAfter: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getLimits: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The quotas. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Limits'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getNameLengthLimits: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The maximum lengths, the same for every caller. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NameLengthLimits'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The account. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Account'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateAccountLocale: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LocaleUpdate'];
      };
    };
    responses: {
      /** @description The account with its new locale. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Account'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listTokens: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every token, without its value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TokenCreate'];
      };
    };
    responses: {
      /** @description The token with its value. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedToken'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['QuotaExceeded'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: components['parameters']['TokenId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The token, without its value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: components['parameters']['TokenId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  renameToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: components['parameters']['TokenId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenameRequest'];
      };
    };
    responses: {
      /** @description The renamed token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listProjects: {
    parameters: {
      query?: {
        /** @description The page wanted, from 1. */
        page?: components['parameters']['Page'];
        /** @description How many a page holds. Above 100 it is cut to 100. */
        pageSize?: components['parameters']['PageSize'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of projects. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createProject: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProjectCreate'];
      };
    };
    responses: {
      /** @description The project. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['QuotaExceeded'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  renameProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenameProjectRequest'];
      };
    };
    responses: {
      /** @description The renamed project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listOperations: {
    parameters: {
      query?: {
        /** @description Only operations on this resource. */
        resourceId?: components['parameters']['OperationResourceId'];
        /** @description Only operations in this status. */
        status?: components['parameters']['OperationStatusFilter'];
        /** @description The page wanted, from 1. */
        page?: components['parameters']['Page'];
        /** @description How many a page holds. Above 100 it is cut to 100. */
        pageSize?: components['parameters']['PageSize'];
      };
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of operation records. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperationPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getOperation: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        operationId: components['parameters']['OperationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The operation record. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Operation'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSshKeys: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every SSH key of the project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SshKey'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createSshKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SshKeyCreate'];
      };
    };
    responses: {
      /** @description The SSH key. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SshKey'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['QuotaExceeded'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSshKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        sshKeyId: components['parameters']['SshKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The SSH key. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SshKey'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteSshKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        sshKeyId: components['parameters']['SshKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  renameSshKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        sshKeyId: components['parameters']['SshKeyId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenameRequest'];
      };
    };
    responses: {
      /** @description The renamed SSH key. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SshKey'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listNetworks: {
    parameters: {
      query?: {
        /** @description The page wanted, from 1. */
        page?: components['parameters']['Page'];
        /** @description How many a page holds. Above 100 it is cut to 100. */
        pageSize?: components['parameters']['PageSize'];
      };
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of networks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createNetwork: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NetworkCreate'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['QuotaExceeded'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getNetwork: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The network. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Network'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteNetwork: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  renameNetwork: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenameRequest'];
      };
    };
    responses: {
      /** @description The renamed network. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Network'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listNetworkVms: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every attachment of the network. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attachment'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  attachVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AttachmentCreate'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  detachVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateAttachment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        networkId: components['parameters']['NetworkId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AttachmentUpdate'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPublicIps: {
    parameters: {
      query?: {
        /** @description The page wanted, from 1. */
        page?: components['parameters']['Page'];
        /** @description How many a page holds. Above 100 it is cut to 100. */
        pageSize?: components['parameters']['PageSize'];
      };
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of public IPs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PublicIpPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPublicIp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['QuotaExceeded'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getPublicIp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The public IP. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PublicIp'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deletePublicIp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPortForwards: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every port forward of the public IP. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PortForward'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPortForward: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PortForwardCreate'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getPortForward: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
        portForwardId: components['parameters']['PortForwardId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The port forward. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PortForward'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deletePortForward: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
        portForwardId: components['parameters']['PortForwardId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updatePortForward: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        publicIpId: components['parameters']['PublicIpId'];
        portForwardId: components['parameters']['PortForwardId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PortForwardUpdate'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listVms: {
    parameters: {
      query?: {
        /** @description The page wanted, from 1. */
        page?: components['parameters']['Page'];
        /** @description How many a page holds. Above 100 it is cut to 100. */
        pageSize?: components['parameters']['PageSize'];
      };
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of VMs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VmPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VmCreate'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmCreationRefused'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getVmStateCounts: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The counts, computed by the service. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VmStateCounts'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The VM. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Vm'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  renameVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenameRequest'];
      };
    };
    responses: {
      /** @description The renamed VM. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Vm'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  startVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  stopVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rebootVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rebuildVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RebuildVmRequest'];
      };
    };
    responses: {
      202: components['responses']['Accepted'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resizeVm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ResizeVmRequest'];
      };
    };
    responses: {
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ResizeUnavailable'];
    };
  };
  getVmMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The metrics. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VmMetrics'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listBackups: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every backup of the VM. A backup that failed never appears. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
        backupId: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The backup. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
        backupId: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  restoreBackup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectId: components['parameters']['ProjectId'];
        vmId: components['parameters']['VmId'];
        backupId: components['parameters']['BackupId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: components['responses']['Accepted'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['VmLocked'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listConfigurations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        configurationId: components['parameters']['ConfigurationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listImages: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every image. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Image'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getImage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        imageId: components['parameters']['ImageId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The image. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Image'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listTariffs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every tariff. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Tariff'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getTariff: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tariffId: components['parameters']['TariffId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The tariff. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Tariff'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listNotifications: {
    parameters: {
      query?: {
        /** @description The page wanted, from 1. */
        page?: components['parameters']['Page'];
        /** @description How many a page holds. Above 100 it is cut to 100. */
        pageSize?: components['parameters']['PageSize'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of notifications. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NotificationPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getUnreadNotificationCount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The count. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UnreadCount'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  markNotificationRead: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        notificationId: components['parameters']['NotificationId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  markAllNotificationsRead: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['NoContent'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getNotificationPreferences: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The preferences. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NotificationPreferences'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateNotificationPreferences: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NotificationPreferencesUpdate'];
      };
    };
    responses: {
      /** @description The new preferences. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NotificationPreferences'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['ContentTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ValidationFailed'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSales: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every sale of the account. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Sale'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSale: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        saleId: components['parameters']['SaleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sale. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Sale'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  cancelSaleRenewal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        saleId: components['parameters']['SaleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sale, with `renewal` cancelled. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Sale'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resumeSaleRenewal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        saleId: components['parameters']['SaleId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sale, with `renewal` active. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Sale'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
}
