import type KeyValueStorage from "embedded:storage/key-value";
import type { WriteResult } from "jk-bms/types";
import Time from "time";
import Timer from "timer";
import { findCommand } from "../catalogue/commands";
import { findParameter, type ParameterRow } from "../catalogue/parameters";
import { rangeMessage, toRaw, type Given } from "../catalogue/validate";
import { WRITE_MINIMUM } from "../packs/limits";
import type { PackRecord } from "../packs/pack-record";
import { BACKSTOP_RESERVE, LINK_RESERVE, WRITE_TIMEOUT } from "./limits";
import type { BmsLink } from "../packs/link";
import { SettingJob } from "./setting-job";
import type { Refusal, WriteEnded, Writes } from "./types";
import { WriteCounters } from "./write-counters";
import type { Origin, RefusalReason, WriteReport } from "./outcomes";
import { reportOf, sentenceOf, type Ending, type Write } from "./write-report";

const OTHER_PACK =
  "Another pack than before answers at this address: nothing is written to it until it is accepted in the settings of the packs.";
const PENDING = "Another write is pending; try again when it has ended.";
export const LISTENING = "Another master is on this bus: the device listens and sends nothing.";

/** Provides the state of the first pack, which the queue checks, and receives the queue's events. */
export interface WriteQueueOwner {
  readonly online: boolean;
  /** The first pack, where it may be swapped for another. */
  readonly firstPack?: PackRecord | undefined;
  /** All packs, the first included. */
  readonly packs?: readonly PackRecord[];
  /** Where a setting for all packs is noted until it is over. */
  readonly storage?: typeof KeyValueStorage | undefined;
  /** Nothing is sent: another master is on the bus. */
  readonly listening: boolean;
  readonly configurationLoaded: boolean;
  /** A write has been accepted and waits for `start`. */
  writeAccepted(): void;
  /** The link has finished a write, possibly too late: the slot may be free or taken by another write by then. */
  writeExecuted(write: Write, pack?: PackRecord): void;
  /** A write to a pack that is offline was refused; undefined: to the first. */
  writeMissed?(pack: PackRecord | undefined): void;
  /** A write has been resolved; see `lastCommand`. */
  writeResolved(pack?: PackRecord): void;
}

/**
 * The single write slot shared by all interfaces: idle → waiting (accepted) → executing (passed to the link) → idle
 * (resolved). A write always resolves within WRITE_TIMEOUT of acceptance: the backstop timer is armed before the slot
 * is taken.
 */
export class WriteQueue implements Writes {
  readonly counters = new WriteCounters();
  job: SettingJob | undefined;
  private readonly owner: WriteQueueOwner;
  private state: "idle" | "waiting" | "executing" = "idle";
  private write: Write | undefined;
  /** The further pack that it is for; undefined: the first. */
  private _target: PackRecord | undefined;
  private ended: WriteEnded | undefined;
  private accepted = 0;
  private backstop: Timer | undefined;
  private _lastCommand = "";
  private _last: WriteReport | undefined;
  /** Of the further packs: the last write to each, by its index; undefined until there was one. */
  private lasts: (WriteReport | undefined)[] | undefined;

  constructor(owner: WriteQueueOwner) {
    this.owner = owner;
  }

  get pending(): boolean {
    return this.state !== "idle" || (this.job?.isRunning ?? false);
  }

  /** A write is waiting to be passed to `start` once the link is free. */
  get waiting(): boolean {
    return this.state === "waiting";
  }

  /** The further pack that the write in the slot is for; undefined: the first. */
  get target(): PackRecord | undefined {
    return this._target;
  }

  get lastCommand(): string {
    return this._lastCommand;
  }

  get last(): WriteReport | undefined {
    return this._last;
  }

  get lastCommandOk(): boolean {
    return this._last?.outcome === "confirmed";
  }

  lastOf({ index }: PackRecord): WriteReport | undefined {
    return index ? this.lasts?.[index] : this._last;
  }

  /** Another set of packs: what was written to those before is forgotten. */
  forgetFurther(): void {
    this.lasts = this.job = undefined;
  }

  /** Learns whether a restart has ended a setting for all packs. */
  resume(): void {
    const job = SettingJob.before(this);
    if (job) this.job = job;
  }

  get storage(): WriteQueueOwner["storage"] {
    return this.owner.storage;
  }

  command(name: string, state: boolean, ended?: WriteEnded, pack?: PackRecord, origin?: Origin): Refusal | undefined {
    const row = findCommand(name);
    if (!row) return this.refuse("unknown", "Comando nao suportado");
    return this.offer({ command: row, value: state ? 1 : 0, origin }, ended, pack);
  }

  parameter(
    parameter: ParameterRow | string,
    given: Given,
    ended?: WriteEnded,
    pack?: PackRecord,
    origin?: Origin,
  ): Refusal | undefined {
    const write = this.settingOf(parameter, given, origin);
    return "reason" in write ? write : this.offer(write, ended, pack);
  }

  parameterToAll(parameter: ParameterRow | string, given: Given, origin?: Origin): Refusal | undefined {
    const write = this.settingOf(parameter, given, origin);
    if ("reason" in write) return write;
    const { listening, packs = [] } = this.owner;
    if (listening) return this.refuse("listening", LISTENING);
    if (this.pending) return this.refuse("pending", PENDING);
    this.job = SettingJob.begin(this, write, packs);
    if (this.job.isRunning) this.owner.writeAccepted();
    return undefined;
  }

  private settingOf(parameter: ParameterRow | string, given: Given, origin: Origin | undefined): Write | Refusal {
    const row = typeof parameter === "string" ? findParameter(parameter) : parameter;
    if (!row) return this.refuse("unknown", "Parametro nao suportado");
    const value = toRaw(row, given);
    if (value === undefined) return this.refuse("invalid", rangeMessage(row));
    return { parameter: row, value, origin };
  }

  /** Passes the waiting write to an idle link. */
  start(link: Pick<BmsLink, "write">): void {
    const write = this.write;
    if (this.state !== "waiting" || !write) return;
    const left = (this.accepted + WRITE_TIMEOUT - LINK_RESERVE - Time.ticks) | 0;
    if (left < WRITE_MINIMUM) return this.resolve({ outcome: "not-sent" });
    this.state = "executing";
    const target = this._target;
    try {
      link.write((write.command ?? write.parameter).name, write.value, left, (result) =>
        this.executed(write, target, result),
      );
    } catch (error) {
      trace(`bms: cannot start a write: ${String(error)}\n`);
      this.resolve({ outcome: "failed" });
    }
  }

  /** The BMS went offline, or the link was closed. */
  abandon(): void {
    if (this.pending) this.giveUp("lost");
  }

  /** Why this cannot be written now, even if the slot is free (docs/api.md, "Order of the checks"). */
  obstacle(write: Write, pack: PackRecord | undefined): Refusal | undefined {
    const owner = this.owner;
    const target = pack?.index ? pack : undefined;
    const { online, configurationLoaded } = target ?? owner;
    if (owner.listening) return this.refuse("listening", LISTENING);
    if (!online) {
      owner.writeMissed?.(target);
      return this.refuse("offline", "BMS indisponivel.");
    }
    if ((target ?? owner.firstPack)?.isSwapped) return this.refuse("other-pack", OTHER_PACK);
    if (write.parameter && !configurationLoaded)
      return this.refuse("not-loaded", "The settings of the BMS have not been read yet; try again in a few seconds.");
    return undefined;
  }

  /**
   * Checks the current state, then takes the slot.
   * @param job a setting for all packs: until it is over, the slot is its alone
   */
  offer(
    write: Write,
    ended: WriteEnded | undefined,
    pack: PackRecord | undefined,
    job?: SettingJob,
  ): Refusal | undefined {
    const obstacle = this.obstacle(write, pack);
    if (obstacle) return obstacle;
    if (job ? this.state !== "idle" : this.pending) return this.refuse("pending", PENDING);

    this.backstop = Timer.set(() => this.expired(), WRITE_TIMEOUT - BACKSTOP_RESERVE);
    this.accepted = Time.ticks;
    this.write = write;
    this._target = pack?.index ? pack : undefined;
    this.ended = ended;
    this.state = "waiting";
    this.owner.writeAccepted();
    return undefined;
  }

  private refuse(reason: RefusalReason, message: string): Refusal {
    this.counters.refused(reason);
    return { reason, message };
  }

  private executed(write: Write, target: PackRecord | undefined, result: WriteResult): void {
    // Ignore the late result of an abandoned write: the slot may hold another one.
    if (write === this.write) this.resolve(result);
    this.owner.writeExecuted(write, target);
  }

  private expired(): void {
    this.backstop = undefined;
    this.giveUp("timeout");
  }

  /** Ends the write without a result: only one that was handed to the link may have been applied. */
  private giveUp(outcome: "lost" | "timeout"): void {
    this.resolve({ outcome: this.state === "waiting" ? "not-sent" : outcome });
  }

  private resolve(ending: Ending): void {
    const write = this.write;
    if (!write) return;
    const ended = this.ended;
    const target = this._target;
    Timer.clear(this.backstop);
    this.backstop = undefined;
    this.write = this.ended = undefined;
    this.state = "idle";
    const pack = target ?? this.owner.firstPack;
    const last = reportOf(write, ending, pack?.round === undefined ? undefined : pack.identity.address);
    const sentence = sentenceOf(last);
    if (target) (this.lasts ??= [])[target.index] = last;
    else {
      this._last = last;
      this._lastCommand = sentence;
    }
    this.counters.ended(ending.outcome);
    this.owner.writeResolved(target);
    this._target = undefined;
    try {
      ended?.(last, sentence);
    } catch (error) {
      trace(`bms: the callback of a write failed: ${String(error)}\n`);
    }
  }
}
