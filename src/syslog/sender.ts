import Timer from "timer";
import { Receiver } from "../network/receiver";
import type { Closable } from "../network/socket";
import { repeat, type Timed } from "../runtime/timers";
import { TICK } from "./limits";
import type { SyslogDevice } from "./types";

/** Whose messages are to be sent. */
export interface SenderOwner {
  /** There is a server to send to, and a network. */
  flush(): void;
}

type Socket = InstanceType<SyslogDevice["udp"]> & Closable;

/** The way to the server. Exists only while one is set. */
export class Sender implements Timed {
  private readonly owner: SenderOwner;
  private readonly device: SyslogDevice;
  private readonly receiver: Receiver;
  private readonly timer: Timer;
  private socket: Socket | undefined;

  /** Throws without memory for the timer. */
  constructor(device: SyslogDevice, owner: SenderOwner) {
    this.owner = owner;
    this.device = device;
    this.receiver = new Receiver(device.settings.syslog.host);
    this.timer = repeat(this, TICK);
  }

  /** The server's IPv4 address; undefined: it is not known. */
  get address(): string | undefined {
    return this.receiver.address;
  }

  /** There is somebody to send to. */
  get ready(): boolean {
    return this.device.network.online && this.address !== undefined;
  }

  /** Timer callback. */
  tick(): void {
    if (!this.device.network.online) return;
    this.receiver.resolve("syslog", this.device);
    this.owner.flush();
  }

  /** Call when `ready`. False: the platform did not send it. */
  write(message: string): boolean {
    const { address = "", device } = this;
    const bytes = new Uint8Array(message.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = message.charCodeAt(index);
    try {
      this.socket ??= new device.udp({}) as Socket;
      this.socket.write(bytes, address, device.settings.syslog.port);
      return true;
    } catch {
      // No memory, or no route: the events stay in the log.
      return false;
    }
  }

  close(): void {
    Timer.clear(this.timer);
    this.receiver.close();
    this.socket?.close();
    this.socket = undefined;
  }
}
