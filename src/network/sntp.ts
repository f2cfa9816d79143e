import type UDP from "embedded:io/socket/udp";
import type Net from "net";
import type RNG from "rng";
import Time from "time";
import Timer from "timer";
import type { GroupName, Settings } from "../settings/types";
import type { WallClock } from "./clock";
import { MAX_TIME_BACK_OFF, MIN_TIME_BACK_OFF, STEP_INTERVAL, TIME_INTERVAL, TIME_TIMEOUT } from "./limits";
import { readReply, REQUEST_BYTES, writeRequest } from "./sntp-message";
import type { Closable } from "./socket";
import type { ManagedNetwork } from "./types";

const PORT = 123;
const NONCE_BYTES = 8;

export interface SntpOptions {
  readonly clock: WallClock;
  readonly settings: Pick<Settings, "time" | "observe">;
  readonly network: Pick<ManagedNetwork, "online" | "observe">;
  readonly net: Pick<typeof Net, "resolve">;
  readonly socket: { readonly io: typeof UDP };
  readonly random: typeof RNG;
}

/**
 * Keeps the clock right by SNTP (RFC 4330): asks when the network comes, then every hour; after a try in vain again, each time later. An
 * answer counts only from the server that was asked, with the number that was sent to it.
 */
export class Sntp {
  readonly #options: SntpOptions;
  readonly #packet = new Uint8Array(REQUEST_BYTES);
  readonly #timer: Timer;
  #online = false;
  #state: "off" | "waiting" | "resolving" | "asking" = "off";
  /** Ticks at which the state began, and for how long it may last. */
  #since = 0;
  #delay = 0;
  #backOff = MIN_TIME_BACK_OFF;
  /** Told apart: the answer to a name that was asked for before the settings changed. */
  #round = 0;
  #server = "";
  #socket: (UDP & Closable) | undefined;

  constructor(options: SntpOptions) {
    this.#options = options;
    options.settings.observe(this);
    options.network.observe(this);
    this.#timer = Timer.repeat(() => this.step(), STEP_INTERVAL);
    this.restart();
  }

  settingsChanged(group: GroupName): void {
    if (group === "time") this.restart();
  }

  networkChanged(): void {
    if (this.#options.network.online !== this.#online) this.restart();
  }

  close(): void {
    Timer.clear(this.#timer);
    this.end();
  }

  private restart(): void {
    const { network, settings } = this.#options;
    this.end();
    this.#online = network.online;
    this.#backOff = MIN_TIME_BACK_OFF;
    if (network.online && settings.time.server) this.wait(0);
    else this.enter("off", 0);
  }

  private step(): void {
    this.#options.clock.keep();
    if (this.#state === "off" || ((Time.ticks - this.#since) | 0) < this.#delay) return;
    if (this.#state === "waiting") this.resolve();
    else this.failed();
  }

  private resolve(): void {
    const { net, settings } = this.#options;
    const round = ++this.#round;
    this.enter("resolving", TIME_TIMEOUT);
    try {
      net.resolve(settings.time.server, (_name, address) => {
        if (round !== this.#round || this.#state !== "resolving") return;
        if (address) this.ask(address);
        else this.failed();
      });
    } catch {
      this.failed();
    }
  }

  private ask(server: string): void {
    const { socket, random } = this.#options;
    this.#server = server;
    writeRequest(this.#packet, new Uint8Array(random.get(NONCE_BYTES)));
    this.enter("asking", TIME_TIMEOUT);
    try {
      this.#socket = new socket.io({ onReadable: (packets) => this.receive(packets) }) as UDP & Closable;
      this.#socket.write(this.#packet, server, PORT);
    } catch {
      this.failed();
    }
  }

  private receive(packets: number): void {
    while (packets-- > 0 && this.#socket) {
      // The type does not say that there may be none.
      const packet = this.#socket.read() as ReturnType<UDP["read"]> | undefined;
      if (!packet || packet.address !== this.#server || packet.port !== PORT) continue;
      const reply = readReply(new Uint8Array(packet), this.#packet);
      if (reply === undefined) continue;
      if (reply === "refused") this.refused();
      else this.answered(reply);
    }
  }

  /** `utc`: ms, when the answer left. */
  private answered(utc: number): void {
    const roundTrip = (Time.ticks - this.#since) | 0;
    const now = utc + Math.floor(roundTrip / 2);
    this.#options.clock.set(now);
    Time.set(Math.floor(now / 1000));
    this.end();
    this.#backOff = MIN_TIME_BACK_OFF;
    this.wait(TIME_INTERVAL);
  }

  /** A kiss-o'-death (RFC 4330 section 8): the server wants to be asked less. */
  private refused(): void {
    this.#backOff = MAX_TIME_BACK_OFF;
    this.failed();
  }

  private failed(): void {
    this.end();
    this.wait(this.#backOff);
    this.#backOff = Math.min(2 * this.#backOff, MAX_TIME_BACK_OFF);
  }

  private wait(delay: number): void {
    this.enter("waiting", delay);
  }

  private enter(state: "off" | "waiting" | "resolving" | "asking", delay: number): void {
    this.#state = state;
    this.#since = Time.ticks;
    this.#delay = delay;
  }

  private end(): void {
    this.#round++;
    this.#socket?.close();
    this.#socket = undefined;
  }
}
