import type { EventObserver } from "../events/types";
import type { GroupName, SettingsObserver } from "../settings/types";
import { MAX_AT_ONCE, MAX_STEP_BACK } from "./limits";
import { messageOf, timeOf } from "./message";
import { Sender, type SenderOwner } from "./sender";
import type { SyslogDevice } from "./types";

/**
 * Sends the events of this run to the syslog server of the settings (RFC 5424 over UDP, RFC 5426). What cannot be sent yet waits in the log,
 * which keeps MAX_EVENTS; a gap shows in the numbers. Without a server it takes one object.
 */
export class Syslog implements EventObserver, SettingsObserver, SenderOwner {
  private readonly device: SyslogDevice;
  private sender: Sender | undefined;
  /** There was no memory for the sender: the next event tries again. */
  private lacks = false;
  /** Number of the last event sent, or of the last of the previous run. */
  private last: number;
  /** Time of the last message. */
  private time = 0;
  /** Messages sent since the start. */
  sent = 0;

  constructor(device: SyslogDevice) {
    const { events, settings } = device;
    this.device = device;
    let own = events.length;
    while (own > 0 && !events.at(own - 1).before) own--;
    this.last = events.newest - events.length + own;
    this.follow();
    settings.observe(this);
    events.observe(this);
  }

  get part(): string {
    return "syslog";
  }

  /** A server is set. */
  get running(): boolean {
    return this.device.settings.syslog.host !== "";
  }

  /** IPv4 address of the server; undefined: none is set, or it has not been found. */
  get address(): string | undefined {
    return this.sender?.address;
  }

  settingsChanged(group: GroupName): void {
    if (group === "syslog") this.follow();
  }

  eventAdded(): void {
    if (this.lacks) this.follow();
    this.flush();
  }

  /** Sends some of the queued events. */
  flush(): void {
    const { device, sender } = this;
    const { events } = device;
    for (let count = 0; sender?.ready && count < MAX_AT_ONCE && this.last < events.newest; count++) {
      const oldest = events.newest - events.length + 1;
      const next = Math.max(this.last + 1, oldest);
      const message = this.message(next, next - oldest);
      if (message) {
        if (!sender.write(message)) return;
        this.sent++;
      }
      this.last = next;
    }
  }

  /** Empty: the log's memory has been damaged there. */
  private message(number: number, index: number): string {
    try {
      const { device } = this;
      const event = device.events.at(index);
      const time = timeOf(device, event);
      if (time === undefined) return messageOf(device, event, number);
      // Seconds of clock and uptime begin at different moments.
      const back = this.time - time;
      if (back <= 0 || back >= MAX_STEP_BACK) this.time = time;
      return messageOf(device, event, number, this.time);
    } catch (error) {
      trace(`syslog: ${String(error)}\n`);
      return "";
    }
  }

  close(): void {
    this.lacks = false;
    this.sender?.close();
    this.sender = undefined;
  }

  private follow(): void {
    this.close();
    if (!this.running) return;
    this.lacks = true;
    this.sender = new Sender(this.device, this);
    this.lacks = false;
  }
}
