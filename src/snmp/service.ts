import { SnmpAgent } from "snmp-agent/agent";
import { SnmpCounters } from "snmp-agent/counters";
import type { Notification } from "snmp-agent/responder";
import Timer from "timer";
import { inheriting } from "../parts/inheriting";
import { repeat } from "../parts/timers";
import type { SnmpContext } from "./context";
import { TICK } from "./limits";
import { Notifier, type NotificationSender } from "./notifier";
import { Receiver } from "./receiver";
import { SnmpState } from "./state";
import { SUBTREES } from "./subtrees";
import type { SnmpOptions } from "./types";

const NOBODY: readonly Receiver[] = Object.freeze([], true);

/** What there is while SNMP is switched on. */
export class SnmpService implements NotificationSender {
  readonly counters = new SnmpCounters();
  private readonly options: SnmpOptions;
  private readonly context: SnmpContext;
  private readonly agent: SnmpAgent<SnmpContext>;
  private readonly notifier: Notifier;
  private readonly timer: Timer;
  private receivers = NOBODY;

  /** Throws what the socket's constructor throws. */
  constructor(options: SnmpOptions) {
    const { build, monitor, settings, udp: io } = options;
    const { community } = settings.snmp;
    const { counters } = this;
    const context: SnmpContext = inheriting(options, { counters, state: new SnmpState() });
    this.options = options;
    this.context = context;
    const socket = { io, port: build.snmpPort };
    this.agent = new SnmpAgent({ socket, context, subtrees: SUBTREES, counters, community, known: this });
    this.notifier = new Notifier(context);
    this.timer = repeat(this, TICK);
    context.state.update(monitor, context.centiseconds());
  }

  /** The UDP port, where the platform tells it. */
  get port(): number | undefined {
    return this.agent.port;
  }

  /** Does as the settings say. */
  follow(): void {
    const { community, receiver1, receiver2 } = this.options.settings.snmp;
    this.agent.community = community;
    const hosts = [receiver1, receiver2].filter((host) => host);
    const { length } = hosts;
    this.receivers = length ? hosts.map((host) => this.receiver(host)) : NOBODY;
    this.tick();
  }

  /** Lets requests wait until `resume`. */
  pause(): void {
    this.agent.pause();
  }

  resume(): void {
    this.agent.resume();
  }

  close(): void {
    Timer.clear(this.timer);
    this.agent.close();
  }

  /** To be called with every telemetry, and when the BMS comes online or goes offline. */
  update(): void {
    const { monitor, state } = this.context;
    state.update(monitor, this.context.centiseconds());
    this.tell();
  }

  /** For the timer. */
  tick(): void {
    const { network, state } = this.context;
    state.updateLink(network.ip !== "", this.context.centiseconds());
    if (network.ip) for (const receiver of this.receivers) receiver.look(this.options.net);
    this.tell();
  }

  /** For the agent: those who get the notifications. */
  knows(address: string): boolean {
    return this.receivers.some((receiver) => receiver.address === address);
  }

  /** For the notifier. */
  send(notification: Notification<SnmpContext>): void {
    const { snmpTrapPort } = this.options.build;
    for (const { address } of this.receivers) if (address) this.agent.notify(address, snmpTrapPort, notification);
  }

  /** One that is there already knows its address. */
  private receiver(host: string): Receiver {
    return this.receivers.find((receiver) => receiver.host === host) ?? new Receiver(host);
  }

  /** What is to be told waits for the network, and for the addresses of those it is for. */
  private tell(): void {
    if (this.context.network.ip && !this.receivers.some(({ waiting }) => waiting))
      this.notifier.tell(this.context, this);
  }
}
