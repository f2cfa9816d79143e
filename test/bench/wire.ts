/** The first request of a telemetry poll, by read mode (docs/jk-modbus.md, "Framing" and "Triggers"). */
export const FIRST_READ = { registers: 0x1200, frames: 0x1620 } as const;
