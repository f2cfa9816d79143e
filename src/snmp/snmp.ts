import type { GroupName } from "../settings/types";
import { SnmpService } from "./service";
import type { SnmpOptions } from "./types";

/** SNMP for reading, and notifications, as the settings have it. Takes no memory while it is switched off. */
export class Snmp {
  private readonly options: SnmpOptions;
  private service: SnmpService | undefined;
  private paused = false;

  constructor(options: SnmpOptions) {
    this.options = options;
    options.settings.observe(this);
    options.monitor.observe(this);
    this.follow();
  }

  /** The UDP port, where the platform tells it; undefined while it is switched off. */
  get port(): number | undefined {
    return this.service?.port;
  }

  /** Packets that came since it was switched on. */
  get packets(): number {
    return this.service?.counters.inPkts ?? 0;
  }

  /** Of them, those with another community. */
  get strangers(): number {
    return this.service?.counters.badCommunityNames ?? 0;
  }

  /** It can be asked. */
  get running(): boolean {
    return this.service !== undefined;
  }

  settingsChanged(group: GroupName): void {
    if (group === "snmp") this.follow();
  }

  bmsUpdated(): void {
    this.service?.update();
  }

  bmsOnlineChanged(): void {
    this.service?.update();
  }

  /** Lets requests wait until `resume`: a frame of the BMS is on the wire. */
  pause(): void {
    this.paused = true;
    this.service?.pause();
  }

  resume(): void {
    this.paused = false;
    this.service?.resume();
  }

  close(): void {
    this.service?.close();
    this.service = undefined;
  }

  private follow(): void {
    if (!this.options.settings.snmp.enabled) return this.close();
    if (!this.service) this.start();
    this.service?.follow();
  }

  private start(): void {
    try {
      this.service = new SnmpService(this.options);
    } catch (error) {
      return trace(`snmp: the socket could not be opened: ${String(error)}\n`);
    }
    if (this.paused) this.service.pause();
  }
}
