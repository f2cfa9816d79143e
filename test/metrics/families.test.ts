/** Every metric, with a value that no other has: worked out by hand from what the parts say, in Prometheus's base units. */
import { CONCERNS, type Concern } from "../../src/conditions/table";
import * as FIELDS from "jk-bms/field-table";
import { expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { MetricsReader } from "../../src/metrics/metrics-reader";
import { metricsParts } from "../support/fakes/metrics-parts";
import { EXPECTED } from "../support/bms/walked-pack";
import { poweredBoard } from "../support/system/simulated-board";

/** The largest part of a text that is asked for at once. */
const ALL = 100_000;

function samples(parts: ReturnType<typeof metricsParts>): string[] {
  const into = new Uint8Array(ALL);
  const text = Buffer.from(into.subarray(0, new MetricsReader(parts.monitor.pack, parts).read(into))).toString(
    "latin1",
  );
  return text.split("\n").filter((line) => line && !line.startsWith("#"));
}

/** The parts with something in every field. */
function fullParts(): ReturnType<typeof metricsParts> {
  const parts = metricsParts();
  const { monitor, settings, sensors } = parts;
  monitor.pack.telemetry
    .set(FIELDS.cycles, 41)
    .set(FIELDS.cycleCapacity, 11_480_500)
    .set(FIELDS.stateOfHealth, 97)
    .set(FIELDS.runtime, 5_000_001)
    .set(FIELDS.averageCellVoltage, 3_312)
    .set(FIELDS.detailLogsCount, 43)
    .set(FIELDS.timeEnterSleep, 7_200)
    .set(FIELDS.emergencyTime, 1_800)
    .set(FIELDS.chargeMos, 1)
    .set(FIELDS.dischargeMos, 1)
    .set(FIELDS.balanceState, 2)
    .set(FIELDS.chargeStage, 2);
  monitor.pack.deviceInfo
    .set(FIELDS.totalRuntime, 6_000_001)
    .set(FIELDS.bluetoothName, "Pack")
    .set(FIELDS.hardwareVersion, "V15A")
    .set(FIELDS.softwareVersion, "15.41");
  Object.assign(monitor, { writes: { pending: true } });
  const { writeCounters } = monitor;
  const counted = (times: number, count: () => void): void => {
    for (let time = 0; time < times; time++) count();
  };
  OUTCOMES.forEach((outcome, at) => counted(at + 1, () => writeCounters.ended(outcome)));
  REASONS.forEach((reason, at) => counted(at + 21, () => writeCounters.refused(reason)));
  Object.assign(parts.http(), {
    requests: 901,
    successful: 902,
    redirected: 903,
    clientErrors: 904,
    serverErrors: 905,
    connections: 906,
    refusedConnections: 907,
    refusedPlaces: 207,
    evictedRequests: 911,
    evictedConnections: 908,
    protocolErrors: 909,
    faults: 910,
  });
  settings.update("relay", { mode: 1 });
  parts.relay.value = 1;
  sensors.voltages = [12_345, 24_001, -7];
  return parts;
}

const OUTCOMES = [
  "confirmed",
  "refused",
  "refused-applied",
  "not-applied",
  "unverified",
  "no-reply",
  "no-reply-applied",
  "no-reply-not-applied",
  "mismatch",
  "not-sent",
  "lost",
  "timeout",
  "failed",
  "not-sent-busy",
  "not-sent-other",
  "unidentified",
  "exchanged",
] as const;
const REASONS = [
  "unknown",
  "invalid",
  "offline",
  "not-loaded",
  "pending",
  "listening",
  "other-pack",
  "off-voltage",
] as const;

/** Of the BMS's own telemetry; an ampere-hour is 3,600 coulombs. */
const BMS = `
bms_info{model="JK\\"\\\\",name="Pack",chemistry="LiFePO4",hardware_version="V15A",software_version="15.41"} 1
bms_monitor_build_info{version="0.1.0",revision="abc",board="test"} 1
bms_monitor_start_info{reason="panic",where="main, pc 0x400d1a2b"} 1
bms_online 1
bms_cells 3
bms_state_of_charge_ratio 0.55
bms_capacity_coulombs 1008000
bms_remaining_capacity_coulombs 558788.4
bms_cycles_total 41
bms_cycle_capacity_coulombs_total 41329800
bms_state_of_health_ratio 0.97
bms_runtime_seconds_total 5000001
bms_cell_voltage_average_volts 3.312
bms_log_entries 43
bms_time_to_sleep_seconds 7200
bms_emergency_time_left_seconds 1800
bms_total_runtime_seconds_total 6000001
bms_power_ons_total 7
bms_voltage_volts 52.7
bms_current_amperes -28
bms_power_watts -1500
bms_charge_mosfet_on 1
bms_discharge_mosfet_on 1
bms_balancing 1
bms_cell_voltage_min_volts 3.299
bms_cell_min 4
bms_cell_voltage_max_volts 3.301
bms_cell_max 2
bms_cell_voltage_delta_volts 0.002
bms_mosfet_temperature_celsius 20.3
bms_battery1_temperature_celsius -1.5
bms_battery2_temperature_celsius 77.7
bms_cell_voltage_volts{cell="1"} 3.3
bms_cell_voltage_volts{cell="2"} 3.301
bms_cell_voltage_volts{cell="4"} 3.299
bms_cell_wire_resistance_ohms{cell="1"} 0.05
bms_cell_wire_resistance_ohms{cell="2"} 0.051
bms_cell_wire_resistance_ohms{cell="4"} 0.053`;

const LINK = `
bms_telemetry_age_seconds 1
bms_configuration_loaded 1
bms_polls_total 100
bms_polls_lost_total 3
bms_link_requests_total 310
bms_link_replies_total 300
bms_link_exceptions_total 1
bms_link_timeouts_total 7
bms_link_no_replies_total{kind="silence"} 3
bms_link_no_replies_total{kind="noise"} 2
bms_link_no_replies_total{kind="others"} 1
bms_link_no_replies_total{kind="echo"} 1
bms_link_no_replies_total{kind="exceptions"} 1
bms_link_late_replies_total 4
bms_link_crc_errors_total 2
bms_link_discarded_bytes_total 40
bms_link_foreign_frames_total 0
bms_link_torn_frames_total 0
bms_link_wake_triggers_total 5
bms_link_doubted_replies_total 6
bms_link_reply_seconds 0.013
bms_link_read_mode{mode="registers"} 1
bms_link_read_mode{mode="frames"} 0
bms_bus_mode{mode="poll"} 1
bms_bus_mode{mode="listen"} 0
bms_write_pending 1`;

const MONITOR = `
bms_energy_charged_joules_total 3600
bms_energy_discharged_joules_total 7
bms_monitor_uptime_seconds 3600
bms_monitor_restarts_total 3
bms_monitor_safe_mode 0
bms_monitor_failed_parts 1
bms_monitor_faults_total 25
bms_monitor_concern{concern="clock-unknown"} 0
bms_monitor_concern{concern="clock-doubtful"} 0
bms_monitor_concern{concern="storage-failed"} 0
bms_monitor_concern{concern="weak-wifi"} 0
bms_monitor_concern{concern="part-failed"} 0
bms_history_failures_total{of="record"} 21
bms_history_failures_total{of="sector"} 22
bms_history_erases_total 23
bms_monitor_relay_on 1
bms_monitor_relay_mode{mode="manual"} 0
bms_monitor_relay_mode{mode="automatic"} 1
bms_monitor_relay_mode{mode="disabled"} 0
bms_monitor_input_active{channel="1"} 1
bms_monitor_input_active{channel="2"} 0
bms_monitor_input_volts{channel="1"} 12.345
bms_monitor_input_volts{channel="2"} 24.001
bms_monitor_input_volts{channel="3"} -0.007
bms_monitor_temperature_celsius 21.5
bms_monitor_slot_heap_bytes 16000
bms_monitor_chunk_heap_bytes 20000
bms_monitor_free_memory_bytes 90000
bms_monitor_least_free_memory_bytes 41000
bms_monitor_largest_free_block_bytes 30000
bms_monitor_garbage_collections_total 12
bms_monitor_http_requests_total 901
bms_monitor_http_responses_total{class="2xx"} 902
bms_monitor_http_responses_total{class="3xx"} 903
bms_monitor_http_responses_total{class="4xx"} 904
bms_monitor_http_responses_total{class="5xx"} 905
bms_monitor_http_protocol_errors_total 909
bms_monitor_http_connections_total 906
bms_monitor_http_connections_refused_total 907
bms_monitor_http_connections_evicted_total 908
bms_monitor_http_faults_total 910
bms_monitor_http_unavailable_total{cause="place"} 207
bms_monitor_http_unavailable_total{cause="memory"} 700
bms_monitor_http_unavailable_total{cause="evicted"} 911`;

/** Of the pack above, emergency mode on and its settings all 0. */
const FOUND: readonly Concern[] = [
  "alarm",
  "emergency",
  "cell-high",
  "temperature-high",
  "discharging-off",
  "charging-off",
];

const lines = (text: string): string[] => text.trim().split("\n");

it("the values of every family are written under its own name", () => {
  poweredBoard();
  const told = samples(fullParts());
  const known = [
    ...lines(BMS),
    ...ALARMS_TABLE.map(({ name }) => `bms_alarm{alarm="${name}"} ${name === "cell_undervoltage" ? 1 : 0}`),
    ...["bulk", "absorption", "float"].map(
      (stage) => `bms_charge_stage{stage="${stage}"} ${stage === "float" ? 1 : 0}`,
    ),
    "bms_well 0",
    ...CONCERNS.map((concern) => `bms_concern{concern="${concern}"} ${FOUND.includes(concern) ? 1 : 0}`),
    ...lines(LINK),
    ...OUTCOMES.map((outcome, at) => `bms_writes_total{outcome="${outcome}"} ${at + 1}`),
    ...REASONS.map((reason, at) => `bms_writes_rejected_total{reason="${reason}"} ${at + 21}`),
    ...lines(MONITOR),
  ];
  // Rows of the catalogue that are not above are walked in test/system/what-is-known.test.ts.
  const walked = new Set(EXPECTED.map(({ metric }) => metric));
  expect(told.filter((line) => known.includes(line) || !walked.has(line.replace(/[ {].*/, "")))).toEqual(known);
});
