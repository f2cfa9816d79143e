/** In place of own-mib.ts on a board without the project's own MIB: MIB-2 and UPS-MIB stay, and of the notifications coldStart. */
import type { Subtree } from "snmp-agent/types";
import type { BusPack } from "../packs/types";
import type { SnmpContext } from "./context";
import { COLD_START } from "./mib-2";
import type { NotificationSender } from "./types";

/** A test sends what there is. */
export const TEST_TRAP = COLD_START;

export const OWN_SUBTREES: readonly Subtree<SnmpContext>[] = Object.freeze([], true);

export class Notifier {
  private started = false;

  constructor(_context: SnmpContext) {}

  report({ device }: SnmpContext, sender: NotificationSender): void {
    if (this.started) return;
    this.started = true;
    sender.send({ uptime: device.centiseconds(), trap: COLD_START });
  }

  reportPack(_pack: BusPack, context: SnmpContext, sender: NotificationSender): void {
    this.report(context, sender);
  }
}
