/** In place of open-modbus.ts on a board without Modbus TCP. */
export const openModbus = (): undefined => undefined;
