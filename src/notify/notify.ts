import type { Content } from "notification-services/services";
import Timer from "timer";
import { ALARMS_TABLE } from "../catalogue/alarms";
import type { Delivery } from "../endpoints/context";
import type { EventObserver } from "../events/types";
import { pageAddress } from "../runtime/page-address";
import { repeat, type Timed } from "../runtime/timers";
import type { GroupName, SettingsObserver } from "../settings/types";
import { conditionOf, isAlarm, isOnce, TEST } from "./causes";
import { Courier, PENDING, TIMEOUT, type CourierOwner } from "./courier";
import { TEST_TIME, TICK } from "./limits";
import { MessageQueue } from "./message-queue";
import { Rules } from "./rules";
import { targetsOf } from "./services";
import { CLEARED, RAISED, type Message, type NotifyDevice } from "./types";
import { ageOf, codeOf, happenedAt, isUrgent, resultOf, sentenceOf } from "./words";

const SECOND = 1_000;
const DAILY_LIMIT = "daily-limit";
const STATES = Object.freeze(["raised", "again", "cleared"], true);

interface Test {
  readonly index: number;
  readonly done: (delivery: Delivery) => void;
  /** Uptime. */
  readonly end: number;
}

/**
 * Notifies the owner of what happens, by up to two services of the settings. What cannot be sent yet waits in a queue of its own size, one request is
 * under way at a time, and a service that fails holds up only itself. Without a target it takes one object.
 */
export class Notify implements CourierOwner, EventObserver, SettingsObserver, Timed {
  private readonly device: NotifyDevice;
  readonly queue: MessageQueue;
  private rules: Rules | undefined;
  /** By target; those that are off too. Undefined: all are off. */
  couriers: readonly Courier[] | undefined;
  private timer: Timer | undefined;
  /** Who is sending, and what. */
  private busy: Courier | undefined;
  private message: Message | undefined;
  /** Who had the last turn. */
  private last = 0;
  private test: Test | undefined;

  constructor(device: NotifyDevice) {
    this.device = device;
    this.queue = new MessageQueue(device.start.intact);
    this.follow(true);
    device.settings.observe(this);
    device.events.observe(this);
  }

  get part(): string {
    return "notify";
  }

  settingsChanged(group: GroupName): void {
    if (group === "notify") this.follow(false);
  }

  eventAdded(text: string): void {
    this.rules?.take(text);
  }

  /** Sends a message to a target, 0 or 1, and says how that went, within TEST_TIME. False: another test is not over. */
  sendTest(index: number, done: (delivery: Delivery) => void): boolean {
    if (this.test) return false;
    const courier = this.couriers?.[index];
    this.test = { index, done, end: this.device.uptime() + TEST_TIME / SECOND };
    if (!courier) this.answerTest("incomplete");
    else if (!this.queue.hasRoom(this.device.uptime(), false)) this.answerTest(DAILY_LIMIT);
    else {
      courier.renew();
      this.deliver();
    }
    return true;
  }

  get waiting(): number {
    return this.queue.length;
  }

  get waitingFor(): number | undefined {
    const message = this.queue.oldest;
    return message && ageOf(this.device, message);
  }

  get today(): number {
    return this.queue.sentToday(this.device.uptime());
  }

  /** Timer callback. */
  tick(): void {
    const now = this.device.uptime();
    this.rules?.tick(now, this.targets);
    if (this.test && now >= this.test.end) this.giveUp();
    this.deliver();
  }

  /** Called by the courier. */
  ended(courier: Courier): void {
    const { message, queue } = this;
    this.busy = this.message = undefined;
    if (!message) return;
    if (message.cause === TEST) return this.answerTest(courier.problem, courier);
    if (courier.problem) return;
    const { cause, kind, packs } = message;
    const now = this.device.uptime();
    if (queue.delivered(message, this.last, now) && kind !== CLEARED && !isOnce(cause)) {
      queue.setReported(cause, queue.reported(cause) | (packs || 1));
      this.rules?.postpone(cause, now);
      queue.store(now);
    }
  }

  /** The messages that wait are kept. */
  close(): void {
    Timer.clear(this.timer);
    for (const courier of this.couriers ?? []) courier.close();
    this.timer = this.busy = this.message = this.couriers = undefined;
    this.answerTest("closed");
  }

  /** A bit for each target that receives messages. */
  private get targets(): number {
    return (this.couriers ?? []).reduce((bits, { kind }, index) => (kind === "off" ? bits : bits | (1 << index)), 0);
  }

  private follow(atStart: boolean): void {
    const { device, queue } = this;
    const targets = targetsOf(device.settings.notify);
    this.close();
    const isOn = targets.some(({ kind }) => kind !== "off");
    if (isOn) {
      this.couriers = targets.map((target) => new Courier(device, this, target));
      this.rules ??= new Rules(device, queue, atStart);
      this.timer = repeat(this, TICK);
    } else this.rules = undefined;
    queue.restrict(this.targets, device.uptime());
  }

  /** Begins the next request, unless one is under way. */
  private deliver(): void {
    const { couriers = [], test, queue } = this;
    if (this.busy) return;
    const now = this.device.uptime();
    if (test) {
      const courier = couriers[test.index] as Courier;
      if (this.begin(test.index, testMessage(this.device))) return queue.count(now);
      if (courier.problem !== PENDING) this.answerTest(courier.problem);
      return;
    }
    for (let turn = 1; turn <= couriers.length; turn++) {
      const index = (this.last + turn) % couriers.length;
      const message = now >= (couriers[index] as Courier).until ? queue.next(index) : undefined;
      if (message && this.begin(index, message)) return;
    }
  }

  private begin(index: number, message: Message): boolean {
    const courier = (this.couriers as readonly Courier[])[index] as Courier;
    const before = this.last;
    this.last = index;
    this.busy = courier;
    this.message = message;
    if (courier.begin(contentOf(this.device, message))) return true;
    this.busy = this.message = undefined;
    this.last = before;
    return false;
  }

  private giveUp(): void {
    if (this.message?.cause === TEST) {
      this.busy?.giveUp();
      this.busy = this.message = undefined;
    }
    this.answerTest(TIMEOUT);
  }

  private answerTest(problem: string, courier?: Courier): void {
    const { test } = this;
    this.test = undefined;
    const { status = 0, answer = "" } = courier ?? {};
    test?.done({ problem, status, answer, words: resultOf(problem, status, answer) });
  }
}

const testMessage = (device: NotifyDevice): Message => ({
  cause: TEST,
  kind: RAISED,
  count: 1,
  value: 0,
  packs: 0,
  serial: 0,
  uptime: device.uptime(),
  restarts: device.start.restarts & 0xff,
  minutes: undefined,
});

function contentOf(device: NotifyDevice, message: Message): Content {
  const { ip } = device.network;
  const { cause, kind, count, packs } = message;
  return {
    title: device.settings.device.name,
    text: sentenceOf(device, message),
    link: ip && pageAddress(ip, device.build.httpPort),
    urgent: isUrgent(message),
    facts: {
      event: codeOf(message),
      alarm: isAlarm(cause) ? (ALARMS_TABLE[cause]?.name ?? null) : null,
      condition: conditionOf(cause) ?? null,
      state: STATES[kind] as string,
      count,
      packs: device.monitor.packs.flatMap(({ label = -1 }) => ((packs >> label) & 1 && label >= 0 ? label : [])),
      time: happenedAt(device, message) ?? null,
      hostname: device.settings.device.hostname,
    },
  };
}
