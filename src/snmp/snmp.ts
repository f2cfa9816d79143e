import { SnmpAgent, type SnmpAgentOptions } from "snmp-agent/agent";
import { SnmpCounters } from "snmp-agent/counters";
import Timer from "timer";
import type { ObservedMonitor } from "../bms/types";
import type { Energy } from "../energy/types";
import { inheriting } from "../parts/inheriting";
import type { GroupName } from "../settings/types";
import type { SnmpContext } from "./context";
import { TICK } from "./limits";
import { Notifier } from "./notifier";
import { Receiver, type Resolver } from "./receiver";
import { SnmpState } from "./state";
import { SUBTREES } from "./subtrees";

export interface SnmpOptions extends Pick<SnmpContext, "settings" | "relay" | "network" | "build" | "centiseconds"> {
  readonly monitor: ObservedMonitor;
  readonly energy: Energy | undefined;
  readonly socket: SnmpAgentOptions<SnmpContext>["socket"];
  /** UDP port of the receivers of notifications: 162 (RFC 3417). */
  readonly trapPort: number;
  /** Finds the addresses of receivers that are host names. */
  readonly net: Resolver;
}

interface Running {
  readonly receivers: readonly [Receiver, Receiver];
  readonly agent: SnmpAgent<SnmpContext>;
  readonly context: SnmpContext;
  readonly notifier: Notifier;
  readonly timer: Timer;
}

/** SNMP for reading, and notifications, as the settings have it. Takes no memory while it is switched off. */
export class Snmp {
  readonly #options: SnmpOptions;
  #running: Running | undefined;
  #paused = false;

  constructor(options: SnmpOptions) {
    const { monitor, settings } = options;
    this.#options = options;
    settings.observe(this);
    monitor.observe(this);
    this.follow();
  }

  /** The UDP port, where the platform tells it; undefined while it is switched off. */
  get port(): number | undefined {
    return this.#running?.agent.port;
  }

  settingsChanged(group: GroupName): void {
    if (group === "snmp") this.follow();
  }

  bmsUpdated(): void {
    this.update();
  }

  bmsOnlineChanged(): void {
    this.update();
  }

  /** Lets requests wait until `resume`: a frame of the BMS is on the wire. */
  pause(): void {
    this.#paused = true;
    this.#running?.agent.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#running?.agent.resume();
  }

  close(): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    Timer.clear(running.timer);
    running.agent.close();
  }

  private follow(): void {
    const { enabled, community, receiver1, receiver2 } = this.#options.settings.snmp;
    if (!enabled) return this.close();
    if (this.#running) this.#running.agent.community = community;
    else this.start(community);
    this.#running?.receivers[0].follow(receiver1);
    this.#running?.receivers[1].follow(receiver2);
    this.tick();
  }

  private start(community: string): void {
    const { monitor, socket, trapPort, net } = this.#options;
    const counters = new SnmpCounters();
    const state = new SnmpState();
    const context: SnmpContext = inheriting(this.#options, { counters, state });
    let agent: SnmpAgent<SnmpContext>;
    try {
      agent = new SnmpAgent({ socket, context, subtrees: SUBTREES, counters, community });
    } catch (error) {
      trace(`snmp: the socket could not be opened: ${String(error)}\n`);
      return;
    }
    if (this.#paused) agent.pause();
    const receivers = [new Receiver(net), new Receiver(net)] as const;
    const notifier = new Notifier(context, (notification) => {
      for (const { address } of receivers) if (address) agent.notify(address, trapPort, notification);
    });
    const timer = Timer.repeat(() => this.tick(), TICK);
    this.#running = { agent, context, receivers, notifier, timer };
    state.update(monitor, context.centiseconds());
  }

  private tick(): void {
    const running = this.#running;
    if (!running) return;
    const { network, state } = running.context;
    state.updateLink(network.ip !== "", running.context.centiseconds());
    if (network.ip) for (const receiver of running.receivers) receiver.look();
    this.tell(running);
  }

  private update(): void {
    const running = this.#running;
    if (!running) return;
    const { monitor, state } = running.context;
    state.update(monitor, running.context.centiseconds());
    this.tell(running);
  }

  /** What is to be told waits for the network, and for the addresses of those it is for. */
  private tell({ context, notifier, receivers: [one, other] }: Running): void {
    if (context.network.ip && !one.waiting && !other.waiting) notifier.tell();
  }
}
