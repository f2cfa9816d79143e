import type KeyValueStorage from "embedded:storage/key-value";
import type { BlockType, WriteResult } from "jk-bms/types";
import { blockOf } from "jk-bms/fields";
import type { WriteName } from "jk-bms/writes";
import Time from "time";
import Timer from "timer";
import { once, type Timed } from "../runtime/timers";
import { findCommand } from "../catalogue/commands";
import { findParameter, type ParameterRow } from "../catalogue/parameters";
import { rangeMessage, toRaw, type Given } from "../catalogue/validate";
import { decimalText } from "json/decimal";
import { inrushOf } from "../packs/inrush";
import { WRITE_MINIMUM } from "../packs/limits";
import type { BusPack } from "../packs/types";
import { BACKSTOP_RESERVE, LINK_RESERVE, WRITE_TIMEOUT } from "./limits";
import { SettingJob } from "./setting-job";
import type { Refusal, WriteEnded, Writes } from "./types";
import { WriteCounters } from "./write-counters";
import type { Origin, RefusalReason, WriteReport } from "./outcomes";
import { reportOf, sentenceOf, type Ending, type Write } from "./write-report";

const OTHER_PACK =
  "Another pack than before answers at this address: nothing is written to it until it is accepted in the settings of the packs.";
const TWO_PACKS = "Two packs answer at this address: nothing is written to them until one has another address.";
const PENDING = "Another write is pending; try again when it has ended.";
export const LISTENING = "Another master is on this bus: the device listens and sends nothing.";

/** A pack as the queue needs it: PackRecord. */
export interface WritablePack extends BusPack {
  /** See BmsLink. @param serial what was expected when it was asked for @throws Error while the bus is closed */
  write(
    name: WriteName,
    value: number | string,
    timeout: number,
    done: (result: WriteResult) => void,
    serial: string,
  ): void;
  /** Cancels what has not been sent of the write to it. Returns whether something may have been. */
  abandonWrite(): boolean;
  /** A write to it has ended: the block may have changed. */
  written(block: BlockType | undefined): void;
}

/** The bus that is written to. */
export interface WriteQueueOwner {
  readonly packs: readonly WritablePack[];
  /** Nothing is sent: another master is on the bus. */
  readonly listening: boolean;
  /** A write waits for `start`, or the bus is free again after one. */
  proceed(): void;
  /** A write to a pack that is offline was refused. */
  packMissed(pack: BusPack): void;
  /** The slot is free again. Must not throw. */
  writeEnded(report: WriteReport): void;
}

/**
 * The single write slot shared by all interfaces: idle → waiting (accepted) → executing (passed to the pack's link) → idle (ended). A write
 * always ends within WRITE_TIMEOUT of acceptance: the backstop timer is armed before the slot is taken. docs/architecture.md draws its way
 * ("From a client to the BMS and back").
 */
export class WriteQueue implements Timed, Writes {
  readonly counters = new WriteCounters();
  job: SettingJob | undefined;
  /** Where a setting for all packs is noted until it is over. */
  readonly storage: typeof KeyValueStorage | undefined;
  private readonly owner: WriteQueueOwner;
  private state: "idle" | "waiting" | "executing" = "idle";
  private write: Write | undefined;
  /** The pack that it is for. */
  private pack: WritablePack | undefined;
  private ended: WriteEnded | undefined;
  private accepted = 0;
  /** What the pack was expected to be then: an owner may accept another one meanwhile, and what was asked for is not for that. */
  private serial = "";
  private backstop: Timer | undefined;
  /** The last write to each pack; undefined until there was one. */
  private lasts: Map<BusPack, WriteReport> | undefined;

  constructor(owner: WriteQueueOwner, storage?: typeof KeyValueStorage) {
    this.owner = owner;
    this.storage = storage;
    // A restart may have ended a setting for all packs.
    this.job = SettingJob.before(this);
  }

  get pending(): boolean {
    return this.state !== "idle" || (this.job?.isRunning ?? false);
  }

  /** A write is waiting to be passed to `start` once the bus is free. */
  get waiting(): boolean {
    return this.state === "waiting";
  }

  /** The bus is being closed, or nothing is sent any more: a setting for all packs ends. */
  stopJob(): void {
    this.job?.stop();
  }

  lastOf(pack: BusPack): WriteReport | undefined {
    return this.lasts?.get(pack);
  }

  /** The packs of the settings have changed: forgets the last writes to those that are gone. */
  packsChanged(): void {
    const { lasts, owner } = this;
    lasts?.forEach((_report, pack) => owner.packs.some((own) => own === pack) || lasts.delete(pack));
  }

  command(
    pack: BusPack,
    name: string,
    state: boolean,
    origin: Origin,
    ended?: WriteEnded,
    force = false,
  ): Refusal | undefined {
    const command = findCommand(name);
    if (!command) return this.refuse("unknown", "Comando nao suportado");
    const write = { command, value: state ? 1 : 0, origin } as const;
    const above = state && !force && inrushOf(pack, this.owner.packs, command.name);
    const refusal = above && (this.refuseUnlessReady(pack, write) ?? this.refuseConnecting(pack, above));
    return refusal || this.offer(pack, write, ended);
  }

  private refuseConnecting({ label }: BusPack, above: number): Refusal {
    const volts = `${decimalText(Math.abs(above), 3)} V ${above < 0 ? "below" : "above"}`;
    const message = `Pack ${label ?? ""} is ${volts} the connected packs: a large current may flow. Send "force": true with the request to switch it on all the same.`;
    return { ...this.refuse("off-voltage", message), above };
  }

  parameter(
    pack: BusPack,
    parameter: ParameterRow | string,
    given: Given,
    origin: Origin,
    ended?: WriteEnded,
  ): Refusal | undefined {
    const write = this.settingOf(parameter, given, origin);
    return "reason" in write ? write : this.offer(pack, write, ended);
  }

  parameterToAll(parameter: ParameterRow | string, given: Given, origin: Origin): Refusal | undefined {
    const write = this.settingOf(parameter, given, origin);
    if ("reason" in write) return write;
    const { owner } = this;
    if (owner.listening) return this.refuse("listening", LISTENING);
    if (this.pending) return this.refuse("pending", PENDING);
    this.job = SettingJob.begin(this, write, owner.packs);
    if (this.job.isRunning) owner.proceed();
    return undefined;
  }

  private settingOf(parameter: ParameterRow | string, given: Given, origin: Origin): Write | Refusal {
    const row = typeof parameter === "string" ? findParameter(parameter) : parameter;
    if (!row) return this.refuse("unknown", "Parametro nao suportado");
    const value = toRaw(row, given);
    if (value === undefined) return this.refuse("invalid", rangeMessage(row));
    return { parameter: row, value, origin };
  }

  /** Passes the waiting write to its pack; the bus is free. */
  start(): void {
    const { backstop, pack, write } = this;
    if (this.state !== "waiting" || !write || !pack) return;
    const left = (this.accepted + WRITE_TIMEOUT - LINK_RESERVE - Time.ticks) | 0;
    if (left < WRITE_MINIMUM) return this.end({ outcome: "not-sent-busy" });
    this.state = "executing";
    try {
      const done = (result: WriteResult): void => {
        // Ignore the late result of an abandoned write: the slot may hold another one. Each has its own timer; a setting for all packs is one object.
        if (backstop === this.backstop) this.end(result);
        pack.written(write.parameter && blockOf(write.parameter.source));
        this.owner.proceed();
      };
      pack.write((write.command ?? write.parameter).name, write.value, left, done, this.serial);
    } catch (error) {
      trace(`bms: cannot start a write: ${String(error)}\n`);
      this.end({ outcome: "failed" });
    }
  }

  /** This pack went offline, or the bus was closed. */
  abandon(pack: BusPack): void {
    if (this.pack === pack) this.giveUp("lost");
  }

  /** Refuses what cannot be written now, even if the slot is free (docs/api.md, "Order of the checks"); a pack that is offline is asked. */
  refuseUnlessReady(pack: BusPack, write: Write): Refusal | undefined {
    const target = this.ownOf(pack);
    if (this.owner.listening) return this.refuse("listening", LISTENING);
    if (!target?.online) {
      if (target) this.owner.packMissed(target);
      return this.refuse("offline", "BMS indisponivel.");
    }
    if (target.isSwapped) return this.refuse("other-pack", OTHER_PACK);
    if (target.isContested) return this.refuse("other-pack", TWO_PACKS);
    if (write.parameter && (!target.configurationLoaded || target.heardOnce))
      return this.refuse("not-loaded", "The settings of the BMS have not been read yet; try again in a few seconds.");
    return undefined;
  }

  /** A pack that an interface named; undefined: it has left the bus meanwhile. */
  private ownOf(pack: BusPack): WritablePack | undefined {
    return this.owner.packs.find((own) => own === pack);
  }

  /**
   * Checks the current state, then takes the slot.
   * @param job a setting for all packs: until it is over, the slot is its alone
   */
  offer(pack: BusPack, write: Write, ended: WriteEnded | undefined, job?: SettingJob): Refusal | undefined {
    const refusal = this.refuseUnlessReady(pack, write);
    if (refusal) return refusal;
    if (job ? this.state !== "idle" : this.pending) return this.refuse("pending", PENDING);

    this.backstop = once(this, WRITE_TIMEOUT - BACKSTOP_RESERVE);
    this.accepted = Time.ticks;
    this.write = write;
    this.pack = this.ownOf(pack);
    this.serial = pack.identity.serial;
    this.ended = ended;
    this.state = "waiting";
    this.owner.proceed();
    return undefined;
  }

  private refuse(reason: RefusalReason, message: string): Refusal {
    this.counters.refused(reason);
    return { reason, message };
  }

  /** The backstop. */
  tick(): void {
    this.backstop = undefined;
    this.giveUp("timeout");
  }

  /** Ends the write without a result: only one that was handed to the link may have been applied. */
  private giveUp(outcome: "lost" | "timeout"): void {
    const isExecuting = this.state === "executing";
    if (isExecuting && this.pack?.abandonWrite()) return this.end({ outcome });
    // Without a read mode the bus is closed.
    const isSilent = (isExecuting || outcome === "lost") && this.pack?.readMode;
    this.end({ outcome: isSilent ? "not-sent" : "not-sent-busy" });
  }

  private end(ending: Ending): void {
    const { ended, pack, write } = this;
    if (!write || !pack) return;
    Timer.clear(this.backstop);
    this.backstop = this.write = this.pack = this.ended = undefined;
    this.state = "idle";
    const report = reportOf(write, ending, pack.label);
    (this.lasts ??= new Map<BusPack, WriteReport>()).set(pack, report);
    this.counters.ended(ending.outcome);
    this.owner.writeEnded(report);
    try {
      ended?.(report, sentenceOf(report));
    } catch (error) {
      trace(`bms: the callback of a write failed: ${String(error)}\n`);
    }
  }
}
