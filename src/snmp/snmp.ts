import { Opener, type Opened } from "../network/opener";
import type { BusPack } from "../packs/types";
import type { GroupName } from "../settings/types";
import { SnmpService } from "./service";
import type { SnmpOptions } from "./types";

/** SNMP agent and notifications, as configured. Takes no memory while disabled. */
export class Snmp implements Opened {
  private readonly options: SnmpOptions;
  private readonly opener = new Opener(this, "snmp");
  private service: SnmpService | undefined;

  constructor(options: SnmpOptions) {
    this.options = options;
    // Observes last: a failed start leaves nothing behind.
    this.follow();
    options.settings.observe(this);
    options.monitor.observe(this);
  }

  /** The UDP port, if the platform reports it; undefined while disabled. */
  get port(): number | undefined {
    return this.service?.port;
  }

  /** Packets received since it was enabled. */
  get packets(): number {
    return this.service?.counters.inPkts ?? 0;
  }

  /** Those of them with the wrong community. */
  get badCommunityNames(): number {
    return this.service?.counters.badCommunityNames ?? 0;
  }

  /** The agent is listening. */
  get running(): boolean {
    return this.service !== undefined;
  }

  /** Sends a notification for a test. @returns the number of receivers it went to. */
  test(): number {
    return this.service?.test() ?? 0;
  }

  settingsChanged(group: GroupName): void {
    if (group === "snmp") this.follow();
  }

  packUpdated(pack: BusPack): void {
    this.service?.update(pack);
  }

  packOnlineChanged(pack: BusPack): void {
    this.service?.update(pack);
  }

  close(): void {
    this.opener.stop();
    this.service?.close();
    this.service = undefined;
  }

  /** Called by the opener. Throws if the platform opens no socket. */
  open(): void {
    const service = new SnmpService(this.options);
    this.service = service;
    service.follow();
  }

  private follow(): void {
    if (!this.options.settings.snmp.enabled) return this.close();
    if (this.service) this.service.follow();
    else this.opener.start();
  }
}
