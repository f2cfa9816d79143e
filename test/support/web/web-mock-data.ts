/** Data of the mock device: a 16-cell pack in the evening. */
import DEFAULTS from "../../../src/settings/defaults.ts";
import { READ_ONLY_SWITCHES } from "../../../web/setup-table.ts";
import type { ConcernCode } from "../../../web/tables";
import type { Config, Device, LogEvent, Queue } from "../../../web/documents.ts";

const VOLTAGES = [
  3.312, 3.313, 3.311, 3.312, 3.314, 3.312, 3.309, 3.312, 3.313, 3.312, 3.311, 3.318, 3.312, 3.313, 3.312, 3.312,
];

export const status = () => ({
  online: true,
  name: "Garage",
  model: "JK_PB2A16S20P",
  batteryType: "LiFePO4",
  cellCount: 16,
  soc: 74,
  capacityAh: 280,
  remainingCapacityAh: 207.2,
  cycles: 112,
  cycleCapacityAh: 31_402.5,
  stateOfHealth: 98,
  runtimeSeconds: 31_536_000,
  averageCellVoltage: 3.312,
  detailLogsCount: 311,
  timeEnterSleepSeconds: 86_400,
  emergencyTimeSeconds: 0,
  alarmCode: 0,
  info: {
    maxCells: 16,
    hardwareVersion: "15A",
    softwareVersion: "15.41",
    serialNumber: "4010112233",
    manufactureDate: "240614",
    totalRuntimeSeconds: 31_600_000,
    powerOnTimes: 14,
    uart1Protocol: 1,
    canProtocol: 0,
    uart2Protocol: 1,
  },
  pack: {
    voltage: 52.996,
    current: -23.4,
    power: -1240.11,
    heatingCurrent: 0,
    heating: false,
    chargeMosfet: true as boolean | null,
    dischargeMosfet: true as boolean | null,
    precharging: false,
    balancing: true as boolean | null,
    balanceCurrent: 1.2,
    chargerPlugged: false,
    chargeStage: "bulk",
    chargeStageSeconds: 0,
    dryContact1: false,
    dryContact2: false,
    maxChargeCurrent: 100,
    maxDischargeCurrent: 200,
  },
  cellsSummary: { minVoltage: 3.309, minCell: 7, maxVoltage: 3.318, maxCell: 12, delta: 0.009 },
  temperatures: { mosfet: 31.4, battery1: 24.1, battery2: 23.8 },
  cells: VOLTAGES.map((voltage, index) => ({
    number: index + 1,
    voltage,
    wireResistanceMilliOhm: 58 + ((index * 7) % 11),
  })),
});

export const bms = () => ({
  concerns: [] as readonly ConcernCode[],
  age: 1 as number | null,
  wireAlarms: 0,
  probes: 7,
  switches: {
    charge_mos: true,
    discharge_mos: true,
    balance: true,
    emergency: false,
    display_always_on: false,
    temperature_sensors_disabled: false,
  },
});

export const config = () =>
  ({
    loaded: true as boolean,
    ageSeconds: 0,
    battery: { cellCount: 16, capacityAh: 280, bluetoothName: "Garage" },
    balance: { enabled: true, startVoltage: 3.45, triggerVoltage: 0.01, maxCurrent: 2 },
    protections: {
      cellUvpVoltage: 2.6,
      cellUvprVoltage: 2.65,
      cellOvpVoltage: 3.65,
      cellOvprVoltage: 3.6,
      cellRcvVoltage: 3.5,
      powerOffVoltage: 2.5,
    },
    temperature: {
      chargeOtp: 60,
      chargeOtpr: 55,
      chargeUtp: -5,
      chargeUtpr: 0,
      dischargeOtp: 65,
      dischargeOtpr: 60,
      mosOtp: 90,
      mosOtpr: 80,
    },
  }) satisfies Config;

/** What can be read only, of GET /web/setup. */
export const setup = () => ({
  ageSeconds: 0,
  smartSleepVoltage: 3.5,
  soc100Voltage: 3.445,
  soc0Voltage: 2.6,
  cellRfvVoltage: 3.35,
  maxChargeCurrent: 60,
  chargeOcpDelay: 3,
  chargeOcpRelease: 60,
  maxDischargeCurrent: 100,
  dischargeOcpDelay: 300,
  dischargeOcpRelease: 60,
  shortCircuitRelease: 5,
  shortCircuitDelay: 1_500,
  deviceAddress: 1,
  prechargeTime: 4,
  heatingStart: -5,
  heatingStop: 10,
  smartSleepTime: 24,
  rcvTime: 1,
  rfvTime: 12,
  emergencyDuration: 30,
  storePeriod: 3_600,
  buzzerTrigger: 9,
  buzzerOn: 100,
  buzzerOff: 95,
  dry1Trigger: 1,
  dry1On: 20,
  dry1Off: 30,
  dry2Trigger: 10,
  dry2On: 1,
  dry2Off: 0,
  switches: Object.fromEntries(READ_ONLY_SWITCHES.map((name) => [name, name === "floatMode"])),
});

/** Of GET /web/reference: nothing has changed. */
export const reference = () => ({
  ageSeconds: 0,
  known: true,
  count: 0,
  differences: [] as { setting: string; reference: string; value: string; unit: string }[],
});

export const queue = (): Queue => ({
  bmsOnline: true,
  configurationLoaded: true,
  pending: false,
  lastCommand: "",
  lastCommandOk: false,
  last: null,
});

export const summary = () => ({
  relay: 0,
  monitoring: {
    tempName0: "Cabinet",
    temp0: 21.7 as number | null,
    voltageDCName0: "DC 1",
    voltageDC0: 13.12,
    voltageDCName1: "DC 2",
    voltageDC1: 27.4,
    voltageDCName2: "DC 3",
    voltageDC2: 0,
    sensorInputName0: "Door",
    sensorInputValue0: 1,
    sensorInputName1: "Smoke",
    sensorInputValue1: 0,
    relay0Name: "Fan",
    relay0Value: 0,
  },
});

export const device = (): Device => ({
  uptime: 84_211,
  time: 1_780_000_000,
  version: "0.1.0",
  build: "48c1344",
  board: "wt32_eth01",
  mac: "A0:B1:C2:D3:E4:F5",
  memory: { slots: 1_402, chunks: 21_300, free: 91_000 },
  link: {
    online: true,
    readMode: "registers",
    polls: 84_000,
    replies: 83_988,
    timeouts: 9,
    crcErrors: 3,
    exceptions: 0,
    replyTime: 24,
  },
  network: {
    mode: "STA",
    type: "Wi-Fi",
    ip: "192.168.1.20",
    gateway: "192.168.1.1",
    dns1: "192.168.1.1",
    dns2: "",
    cable: false,
    ssid: "Home",
    rssi: -61,
    reason: "",
  },
  mqtt: { state: "connected", problem: "", connectedFor: 7_380, published: 1_204, received: 3 },
  snmp: { running: false, packets: 0, badCommunityNames: 0 },
  modbus: { running: false, clients: [], requests: 0, writes: 0, refused: 0, age: null },
  syslog: { running: false, address: "", sent: 0 },
  notify: { waiting: 0, waitingSeconds: null, targets: [] },
  sntp: { problem: "", age: 1_200 },
  start: { reason: "brown-out", restarts: 2, where: "", safeMode: false, problems: [], parts: [] },
  update: { state: "idle", signed: false, received: 0, size: 0, error: "" },
});

export const groups = () => ({
  device: { ...DEFAULTS.device, name: "Garage", hostname: "garage" },
  api: { enabled: true, token: "0123456789abcdef0123456789abcdef" },
  bms: { ...DEFAULTS.bms },
  relay: { ...DEFAULTS.relay, name: "Fan", source: "soc" },
  monitoring: {
    ...DEFAULTS.monitoring,
    temperature: { ...DEFAULTS.monitoring.temperature, name: "Cabinet" },
    inputs: ["Door", "Smoke"].map((name) => ({ name, activeLevel: 0, debounce: 50 })),
  },
  network: { ...DEFAULTS.network, ssid: "Home", password: "a secret of home" },
  time: { ...DEFAULTS.time, offset: 60 },
  mqtt: { ...DEFAULTS.mqtt, interval: 60 },
  snmp: { ...DEFAULTS.snmp },
  modbus: { ...DEFAULTS.modbus },
  syslog: { ...DEFAULTS.syslog },
  notify: { ...DEFAULTS.notify },
  packs: { ...DEFAULTS.packs },
});

/** Twelve hours, one point every five minutes, one hour missing. */
export function history(): string {
  const lines = ["time_s,soc,power_w,min_cell_v,max_cell_v"];
  for (let minute = -720; minute <= 0; minute += 5) {
    if (minute > -300 && minute < -240) continue;
    const phase = (minute + 720) / 720;
    const sun = Math.sin(Math.PI * phase);
    const soc = Math.round(35 + 60 * Math.sin((Math.PI / 2) * phase) - 20 * phase * phase);
    const low = 3.26 + 0.07 * sun;
    lines.push(
      `${minute * 60},${soc},${Math.round(3_000 * sun - 1_200)},${low.toFixed(3)},${(low + 0.006 + 0.01 * sun).toFixed(3)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

export const log = (): LogEvent[] => [
  { uptime: 0, text: "started\t0.1.0\ttest" },
  { uptime: 4, text: "settings-changed\tnetwork" },
  { uptime: 6, text: "bms-online" },
  { uptime: 5_400, text: "alarm-raised\tcell_undervoltage" },
];

export const NETWORKS = [
  { ssid: "Home", rssi: -52, open: false },
  { ssid: "Café", rssi: -70, open: true },
  { ssid: "Home", rssi: -80, open: false },
];

/** `data` of /web/energy, kWh. */
export function search(): Record<string, unknown> {
  return { searching: false, waiting: false, baud: 115_200, searched: 0, problem: "", found: [], heard: [] };
}

export function energy(): Record<string, unknown> {
  return {
    today: { charged: 4.21, discharged: 3.14 },
    yesterday: { charged: 6.5, discharged: null },
    month: { charged: 120, discharged: 110 },
    lastMonth: { charged: null, discharged: null },
    year: { charged: 120, discharged: 110 },
    total: { charged: 1_200, discharged: 1_100 },
  };
}
