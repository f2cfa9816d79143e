import type { Clock, ClockEvent } from "../clock";

export interface StaticAddress {
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
}

type State = "down" | "linked" | "online";

/** The Ethernet interface of a simulated board and the network behind its cable. */
export class EthernetModel {
  /**
   * Time the driver takes to start, ms. On the device 530 for the PHY's reset, then what auto-negotiation takes, up to 4,000 (without a
   * cable always); 620 if the PHY does not answer.
   */
  startTime = 0;
  /** Time from plugging in to link up, ms. 0: immediately, and when the driver starts without an event, as if already up. */
  linkDelay = 0;
  /** Time from link up to an address, ms; undefined: no DHCP server answers. */
  dhcpDelay: number | undefined = 0;
  /** Address assigned by DHCP; undefined: no server answers, and a lease that was had has expired. */
  readonly dhcpAddress: () => string | undefined;
  hostname = "";
  /** The host name in each request of DHCP. */
  readonly requested: string[] = [];
  /** The driver fails to start. */
  fails = false;
  /** Configuring fails: ESP-IDF has no memory for the name. */
  refuses = false;
  /** Times at which the driver was started, virtual ms. */
  readonly starts: number[] = [];
  /** Interfaces created and not closed: the SDK keeps each in memory until then. */
  open = 0;
  staticAddress: StaticAddress | undefined;
  /** Called on each change of the link or the address. */
  onChanged: ((property: "connection" | "address") => void) | undefined;
  readonly #clock: Clock;
  #cable: boolean;
  #state: State = "down";
  #planned: ClockEvent | undefined;
  #starting: ClockEvent | undefined;
  #isStarted: boolean | undefined;

  constructor(clock: Clock, cable: boolean, dhcpAddress: () => string | undefined) {
    this.#clock = clock;
    this.#cable = cable;
    this.dhcpAddress = dhcpAddress;
  }

  get cable(): boolean {
    return this.#cable;
  }

  /** Plugs in or unplugs the cable. */
  set cable(cable: boolean) {
    if (cable === this.#cable) return;
    this.#cable = cable;
    // A board of `plugIn` has a link without a driver.
    if (!this.#isStarted && this.#state === "down") return;
    if (cable) this.#after(this.linkDelay, () => this.#linked());
    else this.#enter("down");
  }

  get state(): State {
    return this.#state;
  }

  get address(): string | undefined {
    return this.#state === "online" ? (this.staticAddress?.address ?? this.dhcpAddress()) : undefined;
  }

  /**
   * `dhcpAddress` has begun to return an address, has ceased to, or returns another. Only the first address since the
   * link came up is told: of a lost one, and of another after it, the SDK tells nothing (modules/io/ethernet/esp32), and `connection` stays as it was.
   */
  leaseChanged(): void {
    if (this.#state === "linked" && this.dhcpDelay !== undefined) this.#lease();
  }

  /** For tests of parts without the firmware's network: has an address if there is a cable, although nobody has started the driver. */
  plugIn(): void {
    if (this.#cable) this.#linked();
  }

  get isStarted(): boolean | undefined {
    return this.#isStarted;
  }

  start(hostname: string): void {
    if (this.#starting || this.#isStarted) throw new Error("already starting");
    this.starts.push(this.#clock.now);
    this.hostname = hostname;
    this.#isStarted = undefined;
    if (this.startTime) this.#starting = this.#clock.after(this.startTime, () => this.#end());
    else this.#end();
  }

  #end(): void {
    this.#starting = undefined;
    this.#isStarted = !this.fails;
    if (this.fails || !this.#cable) return;
    if (this.linkDelay === 0) this.#linked();
    else this.#after(this.linkDelay, () => this.#linked());
  }

  powerOff(): void {
    this.#clock.cancel(this.#planned);
    this.#clock.cancel(this.#starting);
    this.#starting = this.#isStarted = undefined;
    this.onChanged = undefined;
    this.staticAddress = undefined;
    this.hostname = "";
    this.open = 0;
    this.#state = "down";
  }

  setStatic(address: StaticAddress | undefined): void {
    this.staticAddress = address;
    if (this.#state === "down") return;
    this.#enter("linked");
    this.#lease();
  }

  #linked(): void {
    this.#enter("linked");
    this.#lease();
  }

  #lease(): void {
    const delay = this.staticAddress ? 0 : this.dhcpDelay;
    if (!this.staticAddress) this.requested.push(this.hostname);
    if (!this.staticAddress && this.dhcpAddress() === undefined) return;
    if (delay === 0) this.#enter("online");
    else if (delay !== undefined) this.#after(delay, () => this.#enter("online"));
  }

  #after(delay: number, then: () => void): void {
    this.#clock.cancel(this.#planned);
    this.#planned = this.#clock.after(delay, then);
  }

  #enter(state: State): void {
    this.#clock.cancel(this.#planned);
    this.#state = state;
    this.onChanged?.("connection");
    if (state === "online") this.onChanged?.("address");
  }
}
