import type KeyValueStorage from "embedded:storage/key-value";
import { sumOf } from "jk-bms/agreement";
import * as FIELDS from "jk-bms/field-table";
import { blockOf, readRaw, readText } from "jk-bms/fields";
import { Image } from "jk-bms/image";
import { BLOCK_BYTES } from "jk-bms/limits";
import { STORED_RANGES } from "jk-bms/packed-blocks";
import { DEVICE_INFO, SETUP, type BlockImage } from "jk-bms/types";
import { hexBytes, hexOf } from "../runtime/hex";
import { readState, writeState } from "../runtime/state";
import { textSum } from "../runtime/text-sum";
import { REFERENCE_PERIOD } from "./limits";
import { changesBetween, SettingChanges, type SettingChange } from "./setting-changes";
import type { BusPack } from "./types";

interface ReferenceOwner {
  readonly storage: typeof KeyValueStorage;
  readonly monitor: {
    readonly packs: readonly BusPack[];
    settingChanged(pack: BusPack, change: SettingChange): void;
  };
  uptime(): number;
}

/** Key in the device's state storage, before the pack's address. */
const KEY = "reference";

/** How a pack was set when that was right, and what was seen last, as a sum. */
type Reference = Pick<BusPack, "setup" | "deviceInfo"> & { readonly seen: string };

const bytesOf = ({ view }: BlockImage): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, BLOCK_BYTES);

/** What is stored of both blocks, into `packed` or out of it. Returns how much that is. */
function transfer(
  packed: Uint8Array,
  { setup, deviceInfo }: Pick<BusPack, "setup" | "deviceInfo">,
  into: boolean,
): number {
  let at = 0;
  for (let block: typeof SETUP | typeof DEVICE_INFO = SETUP; ; block = DEVICE_INFO) {
    const bytes = bytesOf(block === SETUP ? setup : deviceInfo);
    for (const { from, to } of STORED_RANGES[block]) {
      const next = at + to - from;
      if (into) packed.set(bytes.subarray(from, to), at);
      else bytes.set(packed.subarray(at, next), from);
      at = next;
    }
    if (block === DEVICE_INFO) return at;
  }
}

const newImage = (order: string | undefined): Image => {
  const image = new Image(new DataView(new ArrayBuffer(BLOCK_BYTES)));
  image.renewed(order === "1");
  return image;
};

/**
 * How each pack was set when somebody said that this is right, or when it was first seen, in flash. What differs from it was changed since, also while
 * the device was off: that is told once. A pack that cannot be told from another one has none.
 */
export class References {
  private readonly owner: ReferenceOwner;
  /** By place: the pack that has been compared since the start; and when what was told of it is stored, uptime in s. */
  private readonly compared: string[] = [];
  private readonly dueAt: number[] = [];

  constructor(owner: ReferenceOwner) {
    this.owner = owner;
  }

  packSettled(pack: BusPack): void {
    const { identifier, index } = pack;
    const { compared, dueAt, owner } = this;
    const now = owner.uptime();
    const isNew = compared[index] !== identifier;
    if (!isNew && now < (dueAt[index] as number)) return;
    compared[index] = identifier;
    dueAt[index] = now + REFERENCE_PERIOD;
    const reference = this.load(pack);
    if (reference?.seen === seenOf(pack)) return;
    if (reference && isNew) {
      const changes = new SettingChanges();
      changes.add(between(reference, pack));
      for (const change of changes.take(now) ?? []) owner.monitor.settingChanged(pack, change);
    }
    this.store(pack, reference ?? pack);
  }

  /** What somebody has set by this device is right. */
  writeEnded({
    name,
    outcome,
    pack: label,
  }: {
    readonly name: string;
    readonly outcome: string;
    readonly pack?: number | undefined;
  }): void {
    const pack = this.owner.monitor.packs.find((one) => one.label === label);
    if (pack && outcome === "confirmed") this.keep(pack, name);
  }

  /** What is set otherwise now; undefined: it has no reference. */
  differences(pack: BusPack): readonly SettingChange[] | undefined {
    const reference = this.load(pack);
    return reference && between(reference, pack);
  }

  /** As it is set now it is right: this setting, or, without a name, all. False: it could not be stored, or was not otherwise. */
  keep(pack: BusPack, name = ""): boolean {
    if (!name) return this.store(pack, pack);
    const reference = this.load(pack);
    const change = reference && between(reference, pack).find((one) => one.name === name);
    if (!change) return false;
    const { field, mask } = change;
    const key = blockOf(field) === SETUP ? "setup" : "deviceInfo";
    const raw = readRaw(pack[key], field);
    (reference[key] as Image).patch(field, mask ? readRaw(reference[key], field) ^ mask : raw);
    return this.store(pack, reference);
  }

  private load({ identifier, identity }: BusPack): Reference | undefined {
    try {
      const [sum, ...stored] = String(readState(this.owner.storage, KEY + identity.address)).split(" ");
      const [seen = "", orders = "", hex = "", ...last] = stored;
      const bytes = hexBytes(hex);
      const reference = { seen, setup: newImage(orders[0]), deviceInfo: newImage(orders[1]) };
      const isWhole = Number(sum) === textSum(stored.join(" "));
      if (isWhole && bytes && last.join(" ") === identifier && transfer(bytes, reference, false) === bytes.length)
        return reference;
    } catch {
      // As if there were none.
    }
    return undefined;
  }

  private store(pack: BusPack, reference: Pick<BusPack, "setup" | "deviceInfo">): boolean {
    const { identifier, identity, setup, deviceInfo } = pack;
    if (!identifier || !setup.valid || !deviceInfo.valid) return false;
    const packed = new Uint8Array(2 * BLOCK_BYTES);
    const hex = hexOf(packed.subarray(0, transfer(packed, reference, true)));
    const orders = `${Number(reference.setup.littleEndian)}${Number(reference.deviceInfo.littleEndian)}`;
    const text = `${seenOf(pack)} ${orders} ${hex} ${identifier}`;
    try {
      writeState(this.owner.storage, KEY + identity.address, `${textSum(text)} ${text}`);
      return true;
    } catch {
      return false;
    }
  }
}

const seenOf = ({ setup, deviceInfo }: BusPack): string =>
  `${sumOf(SETUP, bytesOf(setup))},${sumOf(DEVICE_INFO, bytesOf(deviceInfo))}`;

function between(reference: Reference, pack: BusPack): SettingChange[] {
  const version = (image: BlockImage): string => readText(image, FIELDS.softwareVersion);
  const by = version(reference.deviceInfo) === version(pack.deviceInfo) ? "unknown" : "update";
  return [
    ...changesBetween(reference.setup, pack.setup, SETUP, by),
    ...changesBetween(reference.deviceInfo, pack.deviceInfo, DEVICE_INFO, by),
    // What a command of the API switches on or off is no setting that can be right.
  ].filter(({ name, unit }) => unit || !name.includes("_"));
}
