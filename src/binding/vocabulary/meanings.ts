// Names of one meaning, as hosting interfaces spell them. Data alone: a name that services use and none of these has is one
// more word here.

/** Names that mean one thing, in the singular and separated by commas. */
export interface VocabularyMeaning {
  /** Names that mean only this; the first of them is the contract's. */
  readonly same: string;
  /** Names that mean this in some services, and something else in others. */
  readonly near?: string;
  /** Names that surely mean this within the record of a certain kind. */
  readonly within?: Readonly<Record<string, string>>;
}

/** Words for each meaning, as services use them, apart by commas: resources, and their attributes and operations. */
// prettier-ignore
export const vocabularyMeanings: Readonly<Record<string, VocabularyMeaning>> = {
  // Nouns: the kinds of resources and the parts of an account.
  vm: { same: 'vm, server, instance, droplet, virtual machine, virtual server, cloud server, compute instance, vps, linode, machine, cloud instance, virtual private server, vserver, cloud vm, cloud machine, virtual instance, machine virtual, server virtual', near: 'node, host, compute, guest, box, compute node' },
  configuration: { same: 'configuration, vm size, flavor, flavour, instance type, server type, machine type, vm type, hardware profile, sku, server size, instance size, droplet size, vm configuration, server configuration, server plan, vm plan, compute plan, instance plan, size plan, commercial type, vps plan, instance flavor, vm flavor, server flavor, vm shape, instance class, machine size, size profile, server class, machine class, vm class', near: 'size, plan, config, type, package, offer, offering, shape, spec, profile, product, tier, class, model, bundle, tariff size', within: { vm: 'size, shape, config' } },
  image: { same: 'image, os image, os template, operating system, system image, vm image, server image, disk image, machine image, distribution, distro, base image, boot image, os distribution, blueprint, system template, machine template, boot template, installation image, system operating', near: 'template, os, marketplace image, system', within: { vm: 'template, os, os template, source image' } },
  tariff: { same: 'tariff, price plan, pricing plan, billing plan, rate plan, payment plan, price list, pricing, billing option, tariff plan, billing cycle, pricing tier, price tier, subscription plan', near: 'plan, price, rate, subscription, billing, product, offer, tier' },
  sshKey: { same: 'ssh key, public ssh key, ssh public key, keypair, key pair, authorized key, ssh keypair, ssh key pair, login key, access public key, authorised key, login public key, key ssh, key public ssh', near: 'key, credential, public key', within: { vm: 'key' } },
  network: { same: 'network, private network, vpc, vlan, virtual network, vnet, lan, internal network, private lan, vpc network, private subnet, network private, network virtual', near: 'subnet, net, interface, segment' },
  publicIp: { same: 'public ip, floating ip, public ip address, floating ip address, elastic ip, external ip, reserved ip, public address, external address, static ip, primary ip, flexible ip, floating address, ip public, elastic address, external ip address, public ipv4, eip, wan address, wan ip, ip reservation, reserved address, public ip reservation, failover ip, internet address, static address, allocated ip, address public, address ip public, address external', near: 'ip, address, ip address, ipv4, vip, reservation, virtual ip', within: { vm: 'ip, address, ipv4' } },
  portForward: { same: 'port forward, port forwarding, port mapping, port forwarding rule, port forward rule, forwarding rule, nat rule, dnat rule, inbound nat rule, nat mapping, port redirect, port redirection, port map, nat forwarding, forward rule, port rule, nat entry, dnat, port nat, nat forward, tcp forward, port redirection rule', near: 'forward, forwarding, mapping, redirect, rule, nat, inbound port, redirection, inbound rule, traffic rule, ingress rule' },
  backup: { same: 'backup, vm backup, server backup, instance backup, recovery point, restore point, backup copy, backup archive, vm archive, vm checkpoint, server checkpoint', near: 'snapshot, copy, archive, checkpoint' },
  project: { same: 'project, tenant, workspace, resource group', near: 'folder, space, organization, organisation, group, team, environment' },
  operation: { same: 'operation, job, async operation, asynchronous operation, async job, long running operation, vm operation, long running task, background job, background task, vm task', near: 'task, action, event, activity, command, process, request, execution, run, transaction, work item, work order, action log' },
  token: { same: 'token, access token, api token, api key, personal access token, access key, auth token, api access token, api secret, personal token, token access, key api', near: 'key, credential, secret' },
  notification: { same: 'notification, user notification, inbox item, inbox message, notification message', near: 'alert, message, notice, inbox, event, announcement' },
  sale: { same: 'sale, order, subscription, purchase, rental, service contract, commitment, booking, billing agreement, service agreement, subscription order', near: 'contract, service, billing item, lease, agreement, billing, renewable' },
  account: { same: 'account, profile, user profile, current user, my account, me, customer account, user account', near: 'user, customer, client, self' },
  limits: { same: 'limit, quota, resource limit, resource quota, account limit, account quota, limit and usage, quota and usage', near: 'allowance, usage' },
  resource: { same: 'resource, target, subject', near: 'entity, object, item, related, product' },
  vmNetworks: { same: 'network, interface, private network, nic, network interface, attachment, network attachment, vpc, vlan, private nic, lan, private net, network membership, membership', near: 'net, attached network, subnet, segment' },
  attachment: { same: 'attachment, network vm, network attachment, network interface, nic, network member, attached vm, network membership, membership', near: 'interface, member' },
  nameLengths: { same: 'name length, limit name, quota name, max name length, name limit, naming limit, naming, name length limit, length limit, name constraint, naming rule', near: 'length, name' },
  stateCounts: { same: 'state count, vm state count, status count, state summary, count by state, vm count, count by status, status summary, vm summary, vm statistic', near: 'count, summary, statistic, stat' },
  metrics: { same: 'metric, monitoring, measurement, vm metric, telemetry', near: 'statistic, graph, usage, stat' },
  unreadCount: { same: 'unread count, count unread, unread, unread total, number of unread, unseen count, unseen', near: 'count' },
  preferences: { same: 'preference, notification preference, notification setting, delivery preference, mail setting, notification preference', near: 'setting, option, configuration, subscription' },
  renewal: { same: 'renewal, renew, auto renewal, auto renew, renewal state, renewal status, automatic renewal', near: 'extension, prolongation' },
  // Names of members that records of any kind may have.
  id: { same: 'id, uuid, identifier, guid, uid', near: 'slug, ref, code, number, href, key, urn' },
  name: { same: 'name, label, display name, title, display label, new name', near: 'hostname, alias' },
  status: { same: 'status, state, lifecycle state, lifecycle status, provisioning state, provisioning status, resource status, resource state', near: 'phase, condition, stage, lifecycle, health' },
  createdAt: { same: 'created at, registration, registered, created, creation date, created on, creation time, date created, create time, created date, created time, create date, creation timestamp, time created, creation at, started at, inserted at, insert time, requested at, issued at, start time, started, ordered at, date creation', near: 'date, timestamp, time, since' },
  completedAt: { same: 'completed at, finish, completion, ended at, finished at, finished, completed, end time, completion time, completed on, date completed, end date, finish time, finished on, done at, completion date, ended, ended on, time completed, time finished, date end', near: 'stopped at, end' },
  expiresAt: { same: 'expires at, valid to, expires, expiry, expiration, expiration date, expires on, expire at, valid until, expiry date, expire time, expiration time, expire date, date expires', near: 'until, end, ends at, end date' },
  lastUsedAt: { same: 'last used at, last used, last used on, last access, last accessed at, last seen at, last use, last usage, last activity, last used date, date last used', near: 'used at, last seen' },
  paidUntil: { same: 'paid until, current term end, term end, period end, paid through, next billing date, expires at, renews at, valid until, paid to, next renewal, paid till, current period end, expiration date, end of term', near: 'until, end date, ends at, due date, expires on, expires, expiry' },
  type: { same: 'type, kind, action, category', near: 'operation, event, command, name' },
  operationKind: { same: 'type, kind, action, command, operation type, operation kind, action type, operation', near: 'name, event, method, verb' },
  resourceType: { same: 'resource type, target type, resource kind, entity type, object type, subject type, target kind, entity kind, subject kind, object kind, owner type', near: 'type, kind' },
  failureCode: { same: 'failure code, error code, fault code, failure reason, error reason, reason code, failure, error, code error', near: 'code, reason, error message, fault' },
  // Names of members of VMs and of their images, configurations and disks.
  bootStatus: { same: 'boot status, boot state, power state, power status, run state, running state, power, runtime state, runtime status, machine state, power mode, vm state', near: 'running, boot, online, state, status' },
  cpu: { same: 'cpu, vcpu, core, cpu count, cpu core, processor, vcpu count, core count, virtual cpu, number of core, number of cpu, cores count, cpu number, guest cpu, vcore, vcore count, number of vcore', near: 'compute unit, thread' },
  ram: { same: 'ram, memory, mem, ram size, memory size, ram amount, memory amount', near: 'size memory' },
  disk: { same: 'disk, storage, os disk, os disk size, primary disk, primary disk size, disk size, root disk, disk space, ssd, storage size, disk capacity, disk amount, root disk size, system disk, local storage, hdd, root volume size, boot disk, boot disk size, system volume, system volume size, boot volume, boot volume size, system disk size, root gb, disk in byte, storage in byte, ssd gb, nvme, nvme disk, nvme storage', near: 'volume, drive, capacity, space, volume size, root volume' },
  size: { same: 'size, size on disk, backup size, used space, disk size, volume', near: 'capacity, space, storage, size total' },
  sourceImage: { same: 'source image, image, os image, base image, original image, origin image, created from image', near: 'source, template, origin, os' },
  plugin: { same: 'plugin, add on, addon, extension', near: 'app, module, option, package, software' },
  publicIpMode: { same: 'public ip mode, public ip address allocation, public ip address mode, floating ip mode, ip mode, public ip option, public ip assignment, public ip allocation, external ip mode, address mode, elastic ip mode, ip assignment, ip allocation, public ip type, public ip strategy, public address mode, reserved ip mode, ip option, public ip policy', near: 'network mode, public networking' },
  sshPublicKey: { same: 'ssh public key, public key, raw ssh key, inline ssh key, inline key, ssh authorized key, authorized key, extra ssh key, extra key, public key material, ssh public key data, public key data', near: 'key' },
  maxCount: { same: 'max count, max deployable, remaining instance, maximum count, max quantity, available count, max number, max amount, stock, max instance, max vm, free count, remaining count, orderable count, max per account, max server, max per customer, maximum instance, maximum server, max machine, maximum quantity, max available, quantity available, in stock count', near: 'count, maximum, quantity, capacity, max, in stock' },
  availability: { same: 'availability, availability level, availability status, stock status, availability state, stock state, available, stock level', near: 'state, status, stock' },
  os: { same: 'os, operating system, distribution, distro, os family, os type, os name, platform, family, flavor, os distribution, system operating', near: 'type, system' },
  price: { same: 'price, cost, amount, fee, price amount, rate, charge, unit price', near: 'value, net, gross, total' },
  currency: { same: 'currency, currency code, price currency', near: 'unit' },
  period: { same: 'period, billing period, interval, billing interval, cycle, billing cycle, term, price period, payment period, duration, recurrence, billing frequency', near: 'unit, per, frequency, type' },
  deleteBackup: { same: 'delete backup, remove backup, drop backup, purge backup, discard backup, destroy backup, with backup deletion, delete snapshot, delete vm backup', near: 'wipe backup, delete backups too' },
  // Names of members of networks, addresses and port forwards.
  address: { same: 'address, ip, ip address, ipv4, ipv4 address, ip addr, addr, public ip address, public address, public ip, external ip, external address', near: 'value, host, name' },
  internalIp: { same: 'internal ip, private ip, local ip, internal address, private address, internal ip address, private ip address, lan ip, fixed ip, local address, private ipv4, internal ipv4, fixed address, fixed ip address, lan address, network ip, ip internal, ip private, address internal, address private', near: 'ip, address, ip address, ipv4, addr' },
  cidr: { same: 'cidr, ip range, address range, cidr block, ip block, subnet cidr, range, network range, network cidr, prefix, ipv4 range, address space, ipv4 cidr, address prefix, ip cidr range, subnet range, subnet prefix, cidr range', near: 'subnet, block, mask' },
  publicPort: { same: 'public port, external port, outside port, wan port, frontend port, front end port, outer port, ingress port, exposed port, inbound port, incoming port, internet port, published port, port public, port external', near: 'source port, listen port, port, src port, host port, entry port, from port' },
  vmPort: { same: 'vm port, internal port, private port, inside port, guest port, backend port, back end port, inner port, lan port, server port, instance port, target port, machine port, port internal, port private, port vm, port server, port machine', near: 'destination port, to port, dest port, dst port, local port, forward port, destination' },
  protocol: { same: 'protocol, ip protocol, transport protocol, transport, proto, port protocol, network protocol', near: 'type' },
  // Names of members of SSH keys, access tokens and the account.
  publicKey: { same: 'public key, key, ssh key, openssh, key material, key value, public key material, public key openssh, openssh key, ssh public key, key data, public material, key content, public key body, key public', near: 'value, content, data, body, material' },
  fingerprint: { same: 'fingerprint, fingerprint sha256, fingerprint md5, sha256, md5, finger print, key fingerprint, md5 fingerprint, sha256 fingerprint, thumbprint', near: 'hash, digest' },
  scope: { same: 'scope, permission, access scope, privilege, right, ability, token scope, grant', near: 'role, capability, access' },
  value: { same: 'value, token, secret, plain text token, token value, plaintext, plain text, secret value, raw token, access token, token secret', near: 'key, secret key' },
  email: { same: 'email, email address, mail, e mail, mail address', near: 'login, username' },
  locale: { same: 'locale, language, lang, language code, locale code, preferred language, ui language', near: 'culture' },
  // Names of limits and of counts.
  limit: { same: 'limit, max, maximum, quota, total, allowed, hard limit, upper limit, ceiling, cap', near: 'value, size, capacity, amount' },
  vmResources: { same: 'vm resource, vm, server, instance, virtual machine, compute resource, vm quota, compute quota, machine resource, server resource, instance resource, machine, virtual server', near: 'compute' },
  keysPerProject: { same: 'max ssh key per project, ssh key per project, key per project, max key per project, keypair per project, key pair per project, key pair per tenant, ssh public key per project, max ssh public key per project' },
  used: { same: 'used, in use, usage, current, consumed, current usage, current use, use, allocated, used count, taken', near: 'count, value, occupied, reserved' },
  remaining: { same: 'remaining, available, free, left, remain, unused, rest', near: 'balance, headroom' },
  resourceCount: { same: 'resource count, count, resource number, total, usage, statistic, resource total, object count', near: 'resource, summary, stat, content' },
  count: { same: 'count, total, unread count, number, unread, amount', near: 'value, quantity' },
  max: { same: 'max, maximum, limit', near: 'most' },
  length: { same: 'length, len, char, character, size' },
  per: { same: 'per, in, of, for each' },
  // Names of members of notifications and metrics.
  message: { same: 'message, body, text, content, description', near: 'detail, summary' },
  metricName: { same: 'name, metric, metric name, label, title, key', near: 'series, type, id' },
  title: { same: 'title, subject, headline, heading, summary', near: 'name, label' },
  read: { same: 'read, is read, seen, was read, is seen, viewed, already read, acknowledged, mark as read, mark read', near: 'opened' },
  operationSucceeded: { same: 'operation succeeded, operation success, operation completed, operation finished, job succeeded, job completed, on operation success, success, operation done', near: 'succeeded, completed' },
  operationFailed: { same: 'operation failed, operation failure, operation error, job failed, on operation failure, failure, job failure', near: 'failed, error' },
  quotaLow: { same: 'quota low, low quota, quota warning, limit near, quota alert, quota exceeded, limit low, near quota, quota nearly reached, limit warning', near: 'quota, limit, warning' },
  series: { same: 'series, metric, time series, dataset, serie, measurement, timeserie, curve', near: 'data, result, value, chart, graph' },
  point: { same: 'point, data point, sample, value, datapoint, measurement, reading', near: 'data, entry' },
  at: { same: 'at, time, timestamp, date, when, ts, measured at, recorded at', near: 't, x' },
  unit: { same: 'unit, unit of measure, measure unit, uom', near: 'measure' },
  // Names of members of paged lists and their envelopes.
  items: { same: 'item, result, data, record, value, entry, list, node, content, element, row, object, collection, embedded, resource, hit, page item', near: 'response, body, payload' },
  wrapper: { same: 'data, result, item, record, object, response, body, payload, value, resource, content, entity, attribute' },
  total: { same: 'total, total count, total item, total result, total entry, total element, total record, item count, count total, total number, number of item, total size, total hit, number of result, total object, result count, full count', near: 'count, size, number, result' },
  pageNumber: { same: 'page, page number, page index, page no, p, page num, current page, pageno, page id', near: 'number' },
  pageSize: { same: 'page size, per page, size, limit, item per page, page limit, count, max result, result per page, pagesize, take, top, max item, page length, first, page count, size page', near: 'max, number, rows' },
  offset: { same: 'offset, skip, start, start index, from, first item, begin, start at, first result', near: 'index' },
  cursor: { same: 'cursor, after, page token, continuation token, marker, next token, continuation, start after, starting after, page cursor, next page token, next cursor, after cursor, page mark, continue, page state', near: 'token, next, since' },
  nextCursor: { same: 'next, next cursor, next page token, end cursor, next token, cursor, next marker, continuation token, end, after, next page, next page cursor, cursor next, continuation, page token, marker, continue', near: 'token, last' },
  // Verbs: names of what operations do.
  list: { same: 'list, index, find all, get all, search, query, fetch all, enumerate, browse, describe', near: 'find, read, fetch' },
  create: { same: 'create, add, new, post, make, insert, provision, allocate, order, deploy, launch, store, generate, issue, request, reserve, register, build, upload, import, take', near: 'start, put' },
  get: { same: 'get, show, read, retrieve, fetch, find, view, detail, describe, find one, lookup, get one', near: 'info' },
  delete: { same: 'delete, remove, destroy, release, revoke, terminate, drop, deallocate, erase, unregister', near: 'cancel, free' },
  update: { same: 'update, change, modify, edit, patch, set, put, replace', near: 'save, alter' },
  rename: { same: 'rename, change name, update name, set name, edit name', near: 'name, update' },
  start: { same: 'start, power on, boot, turn on, switch on, poweron, boot up, start up, started', near: 'on, resume, wake, up, run, running' },
  stop: { same: 'stop, power off, shutdown, shut down, halt, turn off, switch off, poweroff, power down, stopped', near: 'off, suspend, down' },
  reboot: { same: 'reboot, restart, power cycle, soft reboot, restarted, rebooted', near: 'reset, cycle, hard reboot' },
  rebuild: { same: 'rebuild', near: 'reinstall, reimage, redeploy, re image, re install, reinstall os, recreate' },
  resize: { same: 'resize, scale, change type, change size, change plan, change flavor, change configuration, modify size, size change', near: 'upgrade, migrate' },
  restore: { same: 'restore', near: 'rollback, revert, recover, roll back' },
  attach: { same: 'attach, connect, join, plug, assign, add, link', near: 'bind, enable, create' },
  detach: { same: 'detach, disconnect, leave, unplug, unassign, remove, unlink', near: 'unbind, disable, delete' },
  cancel: { same: 'cancel, disable, stop, turn off, switch off, deactivate, end, terminate, suspend, off', near: 'pause, delete' },
  resume: { same: 'resume, enable, restart, reactivate, turn on, switch on, activate, restore, continue, uncancel, on, reinstate', near: 'start, renew' },
  all: { same: 'all, every, bulk' },
  mark: { same: 'mark, set, flag', near: 'post, put, patch' },
};

/** Words that say nothing about what a name means. */
export const meaninglessNameWords =
  'the, a, an, of, to, from, as, with, is, current, currently, last, latest, linked, associated, assigned, attached, attribute, property, info, information, data, detail, field, gb, mb, gib, mib, kb, kib, tb, tib, in, byte, gigabyte, megabyte, v1, v2, api, dto, response, model, schema, request, view, representation, input, output, payload, my, own, default, relationship, target, list, collection, count, iso, utc, str, int, odata, 1, 2';

/** Words of objects that only group members of one record. */
export const groupingWords: ReadonlySet<string> = new Set(
  'access billing hardware resource spec specification config configuration compute networking connectivity security setting meta metadata detail info general attribute property internal profile'.split(
    ' ',
  ),
);

/** The meanings that are things of the contract: a document has one name for each. */
export const resourceKindMeanings: ReadonlySet<string> = new Set(
  'vm configuration image tariff sshKey network publicIp portForward backup project operation token notification sale'.split(
    ' ',
  ),
);
