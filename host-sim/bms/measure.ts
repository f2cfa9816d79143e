import { SWITCH_BITS } from "./fields";
import type { Image } from "./image";
import type { Pack } from "./pack";
import type { Measured } from "./protections";

/** Probes 1, 2, 4 and 5: a 16S board has no third one. */
const PROBES = [0, 1, 3, 4];
const MOS_SENSOR = 1;
const BATTERY_SENSORS = 0b110110;

/** The BMS's measurements of the pack, in register units. */
export function measure(pack: Pack, image: Image): Measured {
  const { current, sensors } = pack;
  const cells: number[] = [];
  let [sum, maxCell, minCell, maxWireResistance] = [0, -Infinity, Infinity, 0];
  for (const cell of pack.cells) {
    const voltage = Math.round(cell.voltage(current) * 1000);
    cells.push(voltage);
    sum += voltage;
    maxCell = Math.max(maxCell, voltage);
    minCell = Math.min(minCell, voltage);
    maxWireResistance = Math.max(maxWireResistance, cell.wireResistance);
  }
  const disabled = (image.read("Switches") & (1 << SWITCH_BITS.temperatureSensorsDisabled)) !== 0;
  const probes = disabled ? [] : PROBES.filter((probe) => sensors & (2 << probe));
  const degrees = probes.map((probe) => Math.round((pack.temperatures.battery[probe] as number) * 10));
  return {
    cells,
    maxCell: cells.length ? maxCell : 0,
    minCell: cells.length ? minCell : 0,
    pack: sum,
    current: Math.round(current * 1000),
    mos: sensors & MOS_SENSOR ? Math.round(pack.temperatures.mos * 10) : 0,
    hottest: degrees.length ? Math.max(...degrees) : undefined,
    coldest: degrees.length ? Math.min(...degrees) : undefined,
    sensorMissing: !disabled && (sensors & BATTERY_SENSORS) !== BATTERY_SENSORS,
    maxWireResistance,
  };
}
