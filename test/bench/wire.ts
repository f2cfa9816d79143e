/** The first request of a telemetry poll, by the way of reading (jk-modbus 1.3, 1.5). */
export const FIRST_READ = { registers: 0x1200, frames: 0x1620 } as const;
