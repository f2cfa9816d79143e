import { SnmpAgent } from "snmp-agent/agent";
import { SnmpCounters } from "snmp-agent/counters";
import type { Notification } from "snmp-agent/responder";
import Timer from "timer";
import { Receiver } from "../network/receiver";
import { repeat } from "../runtime/timers";
import type { BusPack } from "../packs/types";
import type { SnmpContext } from "./context";
import { TICK } from "./limits";
import { Notifier, TEST_TRAP } from "./own-mib";
import { SnmpState } from "./state";
import { SUBTREES } from "./subtrees";
import type { NotificationSender, SnmpOptions } from "./types";

const NO_RECEIVERS: readonly Receiver[] = Object.freeze([], true);

/** The running SNMP service. Exists only while SNMP is enabled. */
export class SnmpService implements NotificationSender {
  readonly counters = new SnmpCounters();
  private readonly options: SnmpOptions;
  private readonly context: SnmpContext;
  private readonly agent: SnmpAgent<SnmpContext>;
  private readonly notifier: Notifier;
  private readonly timer: Timer;
  private receivers = NO_RECEIVERS;

  /** Rethrows errors of the socket's constructor. */
  constructor(options: SnmpOptions) {
    const { build, settings, udp: io } = options;
    const { community } = settings.snmp;
    const { counters } = this;
    const context: SnmpContext = {
      device: options,
      counters,
      state: new SnmpState(),
      get pack() {
        return options.monitor.packs[0];
      },
    };
    this.options = options;
    this.context = context;
    const socket = { io, port: build.snmpPort };
    this.agent = new SnmpAgent({ socket, context, subtrees: SUBTREES, counters, community, known: this });
    this.notifier = new Notifier(context);
    try {
      this.timer = repeat(this, TICK);
    } catch (error) {
      // It is tried again: the port must be free then.
      this.agent.close();
      throw error;
    }
    this.updateState();
  }

  get part(): string {
    return "snmp";
  }

  /** The UDP port, if the platform reports it. */
  get port(): number | undefined {
    return this.agent.port;
  }

  /** Applies the settings. */
  follow(): void {
    const { community, receiver1, receiver2 } = this.options.settings.snmp;
    this.agent.community = community;
    const hosts = [receiver1, receiver2].filter((host) => host);
    const { length } = hosts;
    const before = this.receivers;
    this.receivers = length ? hosts.map((host) => this.receiver(host)) : NO_RECEIVERS;
    for (const receiver of before) if (!this.receivers.includes(receiver)) receiver.close();
    this.tick();
  }

  close(): void {
    Timer.clear(this.timer);
    for (const receiver of this.receivers) receiver.close();
    this.agent.close();
  }

  /** Call with every telemetry update of a pack, and when it comes online or goes offline. */
  update(pack: BusPack): void {
    // All packs of a bank are read: that is enough once a second.
    if (!this.context.state.bank) this.updateState();
    if (this.mayReport) this.notifier.reportPack(pack, this.context, this);
  }

  private updateState(): void {
    const { device, state } = this.context;
    state.update(device.monitor.packs, device.centiseconds());
  }

  /** Timer callback. */
  tick(): void {
    const { device, state } = this.context;
    this.updateState();
    state.updateLink(device.network.ip !== "", device.centiseconds());
    if (this.hasNetwork) for (const receiver of this.receivers) receiver.resolve("snmp", this.options);
    if (this.mayReport) this.notifier.report(this.context, this);
  }

  /** Called by the agent: whether the address is that of a notification receiver. */
  knows(address: string): boolean {
    return this.receivers.some((receiver) => receiver.address === address);
  }

  /** Sends a notification for a test. @returns the number of receivers it went to. */
  test(): number {
    return this.send({ uptime: this.context.device.centiseconds(), trap: TEST_TRAP });
  }

  /** Used by the notifier, too. @returns the number of receivers it went to. */
  send(notification: Notification<SnmpContext>): number {
    const { snmpTrapPort } = this.options.build;
    let sent = 0;
    for (const { address } of this.receivers)
      if (address && this.agent.notify(address, snmpTrapPort, notification)) sent++;
    return sent;
  }

  /** Reuses an existing receiver, whose address is already resolved. */
  private receiver(host: string): Receiver {
    return this.receivers.find((receiver) => receiver.host === host) ?? new Receiver(host);
  }

  /** The receivers are not on the own access point. */
  private get hasNetwork(): boolean {
    const { ip, mode } = this.context.device.network;
    return ip !== "" && mode !== "AP";
  }

  /** Notifications wait for the network, and until every receiver's first look-up has finished. */
  private get mayReport(): boolean {
    return this.hasNetwork && !this.receivers.some(({ waiting }) => waiting);
  }
}
