import { concat, withCrc } from "./codec";
import type { Controller } from "./controller";
import { EVENT } from "./controller";
import { SYSTEM_LOG, type Field, type FrameType } from "./fields";
import { frameOf, type Image, type WriteTarget } from "./image";
import type { Model } from "./models";
import { applyPreset, PRESETS } from "./presets";
import { hasRightLength, READ, WRITE, WRITE_SINGLE, type Request } from "./request";

/** Exception codes (docs/jk-modbus.md, "Errors"). */
export const EXCEPTION = { function: 1, address: 2, value: 3 } as const;

/** Frame type requested by each trigger. 0x1622, the fault records, is refused. */
const TRIGGERED: Readonly<Record<number, FrameType | typeof SYSTEM_LOG>> = {
  0x161c: 3,
  0x161e: 1,
  0x1620: 2,
  0x1624: 5,
};

const DISCHARGE_UTP = 0x1122;

const COMMAND = {
  voltageCalibration: 0x1600,
  shutdown: 0x1604,
  currentCalibration: 0x1606,
  emergency: 0x1610,
  clock: 0x1612,
  restart: 0x1616,
  factoryRestore: 0x1618,
  eraseAll: 0x161a,
  firmwareUpgrade: 0x1626,
} as const;

export type EmergencyOff = "works" | "ignored" | "starts";

export interface Behaviour {
  /** 310: a zero before and after the acknowledgement of a trigger. */
  answerForm: 308 | 310;
  /** Effect of writing 0 to 0x1610: unknown for real packs. */
  emergencyOff: EmergencyOff;
  /** Whether the Bluetooth name is writable: unknown for real packs. */
  nameWritable: boolean;
  /** Exception for an out-of-range value: both have been reported. */
  valueException: 2 | 3;
}

/** Effects on the board beyond its memory. */
export interface Board {
  /** The board stays silent until it is switched on again. */
  shutdown(reason: "shutdown" | "firmware-upgrade"): void;
  restart(): void;
  factoryRestore(): void;
}

export interface Reply {
  readonly bytes: Uint8Array;
  readonly exception: number | undefined;
  /** Runs once the reply is determined, for example to go silent. */
  readonly then?: () => void;
}

/** Decodes the big-endian bytes of an FC16 write for a field. */
function decode({ kind }: Field, bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  const range = 2 ** (bytes.length * 8);
  return kind.startsWith("i") && value >= range / 2 ? value - range : value;
}

const big32 = (data: Uint8Array): number => new DataView(data.buffer, data.byteOffset).getUint32(0);

/** Function codes and registers: turns requests for this slave into replies. */
export class Functions {
  constructor(
    readonly image: Image,
    readonly controller: Controller,
    readonly model: Model,
    readonly behaviour: Behaviour,
    readonly board: Board,
  ) {}

  /** Executes a request. With `apply` false a write is acknowledged but not performed. */
  execute(request: Request, apply: boolean): Reply {
    const { function: code } = request;
    if (code === READ) return this.#read(request);
    if (code === WRITE) return this.#write(request, apply);
    return this.refuse(request, code === WRITE_SINGLE ? this.model.functionSixException : EXCEPTION.function);
  }

  refuse({ address, function: code }: Request, exception: number): Reply {
    return { bytes: withCrc([address, code | 0x80, exception]), exception };
  }

  /** The answer to a trigger or preset: the frame, then the acknowledgement. */
  frameAnswer(
    type: FrameType | typeof SYSTEM_LOG,
    address: number,
    register: number,
    counter = this.model.frameCounter,
  ): Uint8Array {
    const padding = this.behaviour.answerForm === 310 ? [0] : [];
    const frame =
      type === SYSTEM_LOG ? frameOf(type, counter, this.controller.systemLog.bytes) : this.image.frame(type, counter);
    return concat(frame, padding, acknowledgement(address, register, 1), padding);
  }

  #read(request: Request): Reply {
    const { address, register = 0, quantity = 0 } = request;
    if (!hasRightLength(request) || quantity === 0) return this.refuse(request, EXCEPTION.value);
    const data = this.image.registers(register, quantity);
    if (!data || (register === DISCHARGE_UTP && !this.model.hasDischargeUtp))
      return this.refuse(request, EXCEPTION.address);
    return { bytes: withCrc(concat([address, READ, data.length], data)), exception: undefined };
  }

  #write(request: Request, apply: boolean): Reply {
    if (!hasRightLength(request)) return this.refuse(request, EXCEPTION.value);
    const { register = 0, quantity = 0 } = request;
    if (register >= COMMAND.voltageCalibration) return this.#command(request, apply);
    const target = this.image.target(register, quantity);
    const refused = register === NAME_REGISTER && !this.behaviour.nameWritable;
    if (!target || refused) return this.refuse(request, EXCEPTION.address);
    if (!this.#allowed(target, request.data)) return this.refuse(request, this.behaviour.valueException);
    if (apply) {
      this.image.store(register, request.data, target);
      this.#logSwitch(target, request.data);
      this.controller.refresh();
    }
    return this.#acknowledge(request);
  }

  #acknowledge({ address, register = 0, quantity = 0 }: Request, then?: () => void): Reply {
    const bytes = acknowledgement(address, register, quantity);
    return { bytes, exception: undefined, ...(then && { then }) };
  }

  #allowed({ parts }: WriteTarget, data: Uint8Array): boolean {
    return parts.every(({ field, offset, bytes }) => {
      if (!field.write) return true;
      const [minimum, maximum] = field.write;
      const own = data.subarray(offset, offset + bytes);
      if (field.kind === "text") return own.every((byte) => byte <= maximum && (byte === 0 || byte >= 0x20));
      const value = decode(field, own);
      return value >= minimum && value <= Math.min(maximum, this.model.ceilings[field.name] ?? maximum);
    });
  }

  #logSwitch({ parts }: WriteTarget, data: Uint8Array): void {
    const on = data.at(-1) !== 0;
    const name = parts[0]?.field.name;
    if (name === "BatChargeEN") this.controller.log(on ? EVENT.chargeOpened : EVENT.chargeClosed);
    if (name === "BatDisChargeEN") this.controller.log(on ? EVENT.dischargeOpened : EVENT.dischargeClosed);
  }

  #command(request: Request, apply: boolean): Reply {
    const { address, register = 0, quantity, data } = request;
    const frame = TRIGGERED[register];
    if (frame && quantity === 1) return { bytes: this.frameAnswer(frame, address, register), exception: undefined };
    const preset = PRESETS[register];
    if (preset && quantity === 1) {
      if (apply) {
        applyPreset(this.image, preset);
        this.controller.refresh();
      }
      return { bytes: this.frameAnswer(1, address, register), exception: undefined };
    }
    const action = this.#action(register, data);
    if (!action || quantity !== action.quantity) return this.refuse(request, EXCEPTION.address);
    return this.#acknowledge(request, apply ? action.then : undefined);
  }

  #action(register: number, data: Uint8Array): { quantity: number; then?: () => void } | undefined {
    switch (register) {
      // Correction factors are not modelled.
      case COMMAND.voltageCalibration:
      case COMMAND.currentCalibration:
        return { quantity: 2 };
      case COMMAND.clock:
        return { quantity: 2, then: () => this.controller.setClock(big32(data)) };
      case COMMAND.emergency:
        return { quantity: 1, then: () => this.#emergency(data.some((byte) => byte !== 0)) };
      case COMMAND.shutdown:
        return { quantity: 1, then: () => this.board.shutdown("shutdown") };
      case COMMAND.firmwareUpgrade:
        return { quantity: 1, then: () => this.board.shutdown("firmware-upgrade") };
      case COMMAND.restart:
        return { quantity: 1, then: () => this.board.restart() };
      case COMMAND.factoryRestore:
      case COMMAND.eraseAll:
        return { quantity: 1, then: () => this.board.factoryRestore() };
      default:
        return undefined;
    }
  }

  #emergency(on: boolean): void {
    if (on || this.behaviour.emergencyOff === "starts") this.controller.startEmergency();
    else if (this.behaviour.emergencyOff === "works") this.controller.stopEmergency();
  }
}

const NAME_REGISTER = 0x1428;

const acknowledgement = (address: number, register: number, quantity: number): Uint8Array =>
  withCrc([address, WRITE, register >> 8, register & 0xff, quantity >> 8, quantity & 0xff]);
