// Words of the contract's enums, as services have them. Data alone.
import type { VocabularyMeaning } from './meanings.ts';

type Words = Readonly<Record<string, VocabularyMeaning>>;

/** Nouns for each kind of resource in the types of operation records. */
export const operationTypeNouns: Readonly<Record<string, readonly string[]>> = {
  vm: ['vm', 'server', 'instance', 'droplet', 'machine', 'virtual machine', 'virtual server'],
  network: ['network', 'private network', 'virtual network', 'vpc'],
  publicIp: [
    'public ip',
    'floating ip',
    'ip',
    'ip address',
    'external ip',
    'elastic ip',
    'reserved ip',
    'primary ip',
    'public ip address',
    'floating ip address',
    'external address',
    'address',
  ],
  portForward: [
    'port forward',
    'port mapping',
    'port forwarding',
    'nat rule',
    'forwarding rule',
    'port forwarding rule',
  ],
  backup: [
    'backup',
    'vm backup',
    'server backup',
    'instance backup',
    'restore point',
    'recovery point',
  ],
};

/** All phrases for a finished action: each verb before and behind its noun. */
function done(verbs: string, thing: string, alone = ''): VocabularyMeaning {
  const nouns = operationTypeNouns[thing] ?? [thing];
  const both = verbs.split(', ').flatMap((verb) => nouns.map((noun) => `${verb} ${noun}`));
  return { same: [...both, alone].filter((one) => one !== '').join(', ') };
}

/** Other words for a word of an enum, apart by commas; by enum and word. */
// prettier-ignore
export const enumWordSynonyms: Readonly<Record<string, Words>> = {
  resourceStatus: {
    creating: { same: 'creating, provisioning, building, build, pending, initializing, initialising, allocating, deploying, being created, create in progress, in creation, new, preparing, setting up', near: 'queued, starting, installing' },
    active: { same: 'active, ready, available, ok, online, created, up, provisioned, enabled, operational, healthy, live, in service', near: 'running, normal, on, in use, done, succeeded' },
    updating: { same: 'updating, modifying, changing, configuring, reconfiguring, update in progress, pending update, being updated, modification, in modification, being changed, rebuilding, reinstalling, migrating, resizing', near: 'busy, locked, working' },
    deleting: { same: 'deleting, removing, terminating, destroying, releasing, pending delete, pending deletion, deprovisioning, being deleted, delete in progress, in deletion, in suppression, tearing down', near: 'closing, leaving' },
    failed: { same: 'failed, error, errored, faulted, broken, failure, in error, faulty, erroneous', near: 'degraded, unhealthy, unavailable' },
  },
  apiOperationStatus: {
    Queued: { same: 'queued, pending, waiting, scheduled, accepted, enqueued, new, created, submitted, not started, planned, in waiting', near: 'open, idle' },
    Running: { same: 'running, executing, started, active', near: 'doing' },
    InProgress: { same: 'in progress, processing, working, ongoing, in process, busy, underway', near: 'active' },
    Succeeded: { same: 'succeeded, success, successful, completed, complete, done, finished, ok, completed successfully', near: 'closed, ended, ready' },
    Failed: { same: 'failed, error, failure, errored, faulted, broken, unsuccessful, fail, in error, nok, not ok, timeout, timed out, aborted', near: 'cancelled, canceled, expired, rejected' },
  },
  vmBootStatus: {
    Running: { same: 'running, on, powered on, power on, started, up, online, booted, turned on, is running', near: 'active, ready' },
    Stopped: { same: 'stopped, off, powered off, power off, halted, shutoff, shut off, down, offline, powered down, shut down, turned off, shutdown, deallocated', near: 'inactive, suspended, terminated' },
    Starting: { same: 'starting, booting, powering on, starting up, turning on, boot, powering up', near: 'initializing' },
    Stopping: { same: 'stopping, shutting down, powering off, halting, turning off, powering down, deallocating', near: '' },
    Rebooting: { same: 'rebooting, restarting, resetting, power cycling, cycling, reboot', near: '' },
  },
  resourceOperation: {
    Provision: done('create, provision, deploy, launch, build, insert', 'vm', 'provision, provisioning, create, deploy, launch'),
    CreateBackup: done('create, take, make', 'backup', 'backup, back up'),
    Start: done('start, power on, boot, turn on', 'vm', 'start, power on, boot, turn on'),
    Stop: done('stop, power off, shutdown, shut down, turn off, halt', 'vm', 'stop, power off, shutdown, shut down, turn off, halt'),
    Reboot: done('reboot, restart', 'vm', 'reboot, restart, reset, power cycle'),
    Rebuild: done('rebuild, reinstall, reimage', 'vm', 'rebuild, reinstall, reimage'),
    Delete: done('delete, destroy, remove, terminate', 'vm', 'delete, destroy, terminate, remove, deprovision'),
    RestoreBackup: done('restore', 'backup', 'restore, restore from backup'),
    DeleteBackup: done('delete, remove, destroy', 'backup'),
    AttachNetwork: done('attach, connect, join, add', 'network', 'attach, attach to network, connect, join, attach interface, create interface, create network interface, add interface, attach nic, create nic'),
    DetachNetwork: done('detach, disconnect, leave, remove', 'network', 'detach, detach from network, disconnect, leave, detach interface, delete interface, delete network interface, remove interface, detach nic, delete nic'),
    UpdateAttachment: { same: 'update attachment, change attachment, modify attachment, change internal ip, update interface, change private ip, update internal ip, update network attachment, attachment update, update network interface, change ip, change network ip' },
    CreateNetwork: done('create, provision, insert', 'network'),
    DeleteNetwork: done('delete, destroy', 'network'),
    AllocatePublicIp: done('allocate, create, reserve, assign, order, provision', 'publicIp'),
    ReleasePublicIp: done('release, delete, deallocate, free, unreserve', 'publicIp'),
    CreatePortForward: done('create, add, insert', 'portForward'),
    UpdatePortForward: done('update, change, modify, patch, edit', 'portForward'),
    DeletePortForward: done('delete, remove', 'portForward'),
  },
  operationFailureCode: {
    insufficientCapacity: { same: 'insufficient capacity, no capacity, out of capacity, capacity exceeded, not enough capacity, capacity, out of stock, capacity exhausted, resource exhausted, lack of capacity, capacity unavailable, not enough resource, insufficient resource, resource unavailable' },
    timeout: { same: 'timeout, timed out, time out, deadline exceeded, time limit exceeded, operation timeout, expired' },
    internal: { same: 'internal, internal error, server error, internal server error, internal failure, system error', near: 'unknown, unexpected, other' },
  },
  resourceType: Object.fromEntries(
    Object.entries(operationTypeNouns).map(([thing, names]) => [thing, { same: names.join(', ') }]),
  ),
  tokenScope: {
    full: { same: 'full, all, full access, admin, everything', near: 'write, read write, root' },
    read: { same: 'read, read only, readonly, view, viewer', near: '' },
    compute: { same: 'compute, vm, server, instance', near: '' },
    network: { same: 'network, networking, net, private network, virtual network, vpc, vnet, vlan, subnet', near: 'lan, ip' },
    account: { same: 'account, profile', near: 'user, customer' },
    tokens: { same: 'token, access token, api token, api key, access key, personal access token', near: 'key, credential' },
  },
  configurationAvailability: {
    available: { same: 'available, in stock, yes, orderable, high, plenty', near: 'active, ok, on' },
    limited: { same: 'limited, low, low stock, scarce, few, few left, shortage, nearly sold out, almost gone', near: 'medium' },
    unavailable: { same: 'unavailable, out of stock, sold out, none, exhausted, not available, no, gone, no stock', near: 'disabled, off' },
  },
  publicIpMode: {
    new: { same: 'new, create, allocate, create new, allocate new, order, reserve new', near: 'auto, automatic, dynamic' },
    existing: { same: 'existing, reuse, use existing, from existing, reserved, assign existing, attach existing', near: 'attach, static, manual' },
    none: { same: 'none, no, off, disabled, without, no ip, not needed', near: 'private' },
  },
  renewalState: {
    active: { same: 'active, on, enabled, auto, renewing, automatic, auto renew, enable', near: 'yes, ok, running' },
    cancelled: { same: 'cancelled, canceled, off, disabled, stopped, terminated, ended, cancelling, canceling, disable, not renewing, cancel', near: 'no, inactive, manual, expiring, ending' },
  },
  portProtocol: { tcp: { same: 'tcp, tcp4, tcp v4' }, udp: { same: 'udp, udp4, udp v4' } },
};
