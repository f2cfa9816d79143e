/** What the firmware has of Modbus TCP. A board may do without: without-modbus.ts. */
import { Modbus } from "./modbus";
import type { ModbusDevice } from "./types";

export const openModbus = (device: ModbusDevice): Modbus => new Modbus(device);
