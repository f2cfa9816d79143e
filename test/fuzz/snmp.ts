import { MAX_AMPLIFICATION } from "snmp-agent/limits";
import { SnmpService } from "../../src/snmp/service";
import { parse, request } from "../support/peers/snmp";
import type { FuzzedDevice } from "./device";
import { snmpPacket } from "./packets";
import type { Random } from "./random";

export const COMMUNITY = "fuzzed";
export const SYS_UP_TIME = "1.3.6.1.2.1.1.3.0";
/** Packets between two requests of the honest manager. */
const LOOK = 100;
/** ms, as much as a packet takes at 1,000 a second. */
const STEP = 1;

interface Options {
  readonly target: unknown;
  readonly onReadable: (this: MemoryUdp) => void;
}

/** The agent's socket. */
class MemoryUdp {
  static last: MemoryUdp;
  readonly target: unknown;
  waiting: Uint8Array | undefined;
  sent: Uint8Array | undefined;
  private readonly onReadable: Options["onReadable"];

  constructor({ target, onReadable }: Options) {
    this.target = target;
    this.onReadable = onReadable;
    MemoryUdp.last = this;
  }

  /** The response to `bytes`, or undefined. */
  ask(bytes: Uint8Array): Uint8Array | undefined {
    this.waiting = bytes;
    this.sent = undefined;
    this.onReadable();
    return this.sent;
  }

  read(): ArrayBuffer | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting && Object.assign(waiting.slice().buffer, { address: "192.0.2.7", port: 50_000 });
  }

  write(bytes: Uint8Array): void {
    this.sent = bytes.slice();
  }

  close(): void {
    this.waiting = undefined;
  }
}

/** Hostile packets and an honest manager, at an agent of its own beside the device's. */
export class SnmpFuzz {
  private readonly service: SnmpService;
  private readonly socket: MemoryUdp;
  answered = 0;
  honest = 0;

  constructor(
    private readonly device: FuzzedDevice,
    private readonly random: Random,
  ) {
    const { firmware } = device;
    const problem = firmware.settings.update("snmp", { community: COMMUNITY });
    if (problem) throw new Error(problem);
    this.service = new SnmpService(Object.create(firmware, { udp: { value: MemoryUdp } }) as typeof firmware);
    this.socket = MemoryUdp.last;
  }

  run(count: number): void {
    for (let sent = 0; sent < count; sent++) {
      if (sent % LOOK === 0) this.look();
      const { bytes, wellFormed } = snmpPacket(this.random, COMMUNITY);
      const response = this.socket.ask(bytes);
      if (!response) continue;
      this.answered++;
      if (wellFormed) parse(response);
      if (response.length > MAX_AMPLIFICATION * bytes.length)
        throw new Error(`${response.length} bytes for ${bytes.length}`);
    }
    this.look();
  }

  end(): void {
    this.service.close();
  }

  private look(): void {
    this.honest++;
    const response = this.socket.ask(request([SYS_UP_TIME], { community: COMMUNITY, id: this.honest }));
    const { id, status, bindings } = parse(response ?? new Uint8Array());
    if (id !== this.honest || status || bindings[0]?.name !== SYS_UP_TIME)
      throw new Error("the manager was not answered");
    this.device.system.skip(LOOK * STEP);
  }
}
