import { cellMask } from "jk-bms/cells";
import { readRaw } from "jk-bms/fields";
import type { JsonWriter } from "json/writer";
import { maxBalanceCurrent, maxCells } from "../catalogue/computed";
import { PARAMETERS_TABLE } from "../catalogue/parameters";
import { readLast } from "../catalogue/read";
import { telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import { pageAddress } from "../runtime/page-address";
import { writeComponent, type Subject } from "./components";
import { EXPIRE_REPEATS, REPEAT } from "./limits";
import type { Topics } from "./topics";
import type { Pack } from "../catalogue/pack";
import type { Sources } from "./types";

/** Manufacturer of every model; the BMS does not report it. */
const MANUFACTURER = "JIKONG";
const MODEL = telemetryRow("model");

const SERIAL = telemetryRow("info.serialNumber");
const HARDWARE = telemetryRow("info.hardwareVersion");

const textOf = (row: TelemetryRow, pack: Pack | undefined): string => String((pack && readLast(row, pack)) ?? "");

/** Last reported model of the BMS, however old; empty: never reported. */
export const modelOf = (pack: Pack): string => textOf(MODEL, pack);

/** Bits of the cells of the last reply; 0: none yet. */
export const cellsOf = ({ telemetry }: Pack): number => (telemetry.valid ? cellMask(telemetry) : 0);

type Maxima = Subject["maxima"];

const maximaOf = (pack: Pack): Maxima => ({ cell_count: maxCells(pack), max_balance_current: maxBalanceCurrent(pack) });

/** A number that differs when what a parameter holds beyond its limits does; 0: none does. */
export function excessOf(pack: Pack): number {
  const maxima = maximaOf(pack);
  let code = 0;
  for (const { name, quantity, source } of PARAMETERS_TABLE) {
    const { kind, max, min } = quantity;
    const state = kind === "text" ? 0 : readRaw(pack.setup, source);
    if (state < min || state > Math.min(max, maxima[name] ?? max)) code = (31 * code + state) | 0;
  }
  return code;
}

/** What `topics` are of. @param pack undefined: the bank; @param name behind that of the device; empty: none */
export function subjectOf(sources: Sources, topics: Topics, pack: Pack | undefined, name: string): Subject {
  const { build, energy, flashHistory, network, settings } = sources;
  return {
    topics,
    name: name ? `${settings.device.name} ${name}` : settings.device.name,
    software: build.softwareName,
    version: build.version,
    homepage: build.homepage,
    board: build.boardVersion,
    mac: network.mac,
    page: network.ip && pageAddress(network.ip, build.httpPort),
    model: textOf(MODEL, pack),
    serial: textOf(SERIAL, pack),
    hardware: textOf(HARDWARE, pack),
    cells: pack ? cellsOf(pack) : 0,
    wifi: network.rssi !== undefined,
    maxima: pack ? maximaOf(pack) : {},
    states: pack ? PARAMETERS_TABLE.map((row) => readLast(row, pack)) : [],
    relay: settings.relay.fitted ? settings.relay.name : undefined,
    energy: energy !== undefined,
    days: energy !== undefined && flashHistory !== undefined,
    expireAfter: EXPIRE_REPEATS * Math.max(REPEAT, settings.mqtt.interval),
  };
}

/**
 * Home Assistant's discovery document for the whole device, one component per piece, so that only one piece is in memory: a first pass
 * counts the bytes, since MQTT sends the length first; a second pass sends them.
 */
export class Discovery {
  private readonly subject: Subject;
  private readonly json: JsonWriter;
  private readonly buffer: Uint8Array;
  private next = 0;
  private ended = false;
  /** Bytes counted so far, or still to be sent. */
  bytes = 0;
  /** The first piece has been written for sending. */
  sending = false;

  /** `buffer` is borrowed: it holds the last piece. */
  constructor(subject: Subject, json: JsonWriter, buffer: Uint8Array) {
    this.subject = subject;
    this.json = json;
    this.buffer = buffer;
  }

  get topic(): string {
    return this.subject.topics.discovery;
  }

  /** Counts the next `pieces` pieces. True: all are counted and `bytes` is the document's length. */
  count(pieces: number): boolean {
    for (; pieces && !this.ended; pieces--) this.bytes += this.piece();
    return this.ended;
  }

  /**
   * Writes the next piece to send, from the first one on, and returns its length; 0 after the last. Throws a RangeError if the length
   * differs from the counted one.
   */
  send(): number {
    if (!this.sending) {
      this.sending = true;
      this.next = 0;
      this.ended = false;
    }
    const length = this.piece();
    this.bytes -= length;
    if (!length && this.bytes) throw new RangeError("the discovery document changed while being written");
    return length;
  }

  /** Writes the next piece and returns its length; 0 after the last. Throws a RangeError if it does not fit the buffer. */
  private piece(): number {
    if (this.ended) return 0;
    const json = this.json;
    const index = this.next++;
    if (index === 0) return this.head();
    json.begin(this.buffer, index > 1);
    if (!writeComponent(json, index - 1, this.subject)) {
      this.ended = true;
      return json.begin(this.buffer).close().close().end();
    }
    return json.end();
  }

  private head(): number {
    const { board, hardware, homepage, mac, model, name, page, serial, software, topics, version } = this.subject;
    const json = this.json.begin(this.buffer).open();
    json.open("dev");
    json.strings("ids", [topics.id]);
    if (topics.branch) json.string("via_device", topics.via);
    else if (mac) json.openArray("cns").strings(undefined, ["mac", mac]).closeArray();
    // Manufacturer, model, serial number and hardware are the BMS's; the firmware is the monitor's, and its board stands in for hardware that is unknown.
    json.string("name", name).string("mf", MANUFACTURER);
    if (model) json.string("mdl", model);
    if (serial) json.string("sn", serial);
    json.string("hw", hardware || board).string("sw", version);
    if (page) json.string("cu", page);
    json.close();
    json.open("o").string("name", software).string("sw", version);
    if (homepage) json.string("url", homepage);
    json.close();
    json.openArray("avty");
    json.open().string("t", topics.availability).close();
    if (!topics.isBank) json.open().string("t", topics.bms).close();
    json.closeArray().string("avty_mode", "all");
    json.string("stat_t", topics.state("telemetry"));
    return json.open("cmps").end();
  }
}
