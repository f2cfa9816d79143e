/** The monitor's identity, counters and hardware. */
import { isOne, label, type Description, type Parts } from "./family";
import { MAX_CRASH_CHARACTERS } from "./limits";

const CHANNEL = label("channel");
const MODE = label("mode");
const VERSION = label("version");
const REVISION = label("revision");
const BOARD = label("board");
const REASON = label("reason");
const WHERE = label("where");

const MILLI = 3;
const TENTHS = 1;
const MODES = Object.freeze(["manual", "automatic", "disabled"] as const, true);
const VOLTAGES = 3;
const INPUTS = 2;

const hasRelay = ({ settings }: Parts): boolean => settings.relay.fitted;
const hasInputs = ({ settings }: Parts): boolean => settings.monitoring.fitted;

export const BOARD_FAMILIES: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_energy_charged_joules_total",
      help: "Energy charged into the pack, integrated by the monitor; as last stored",
      type: "counter",
      value: ({ energy }) => energy.stored?.charged,
    },
    {
      name: "bms_energy_discharged_joules_total",
      help: "Energy discharged from the pack, integrated by the monitor; as last stored",
      type: "counter",
      value: ({ energy }) => energy.stored?.discharged,
    },
    {
      name: "bms_monitor_build_info",
      help: "The firmware, always 1",
      type: "gauge",
      labels(line, { build }) {
        line.foreignLabel(VERSION, build.version);
        line.foreignLabel(REVISION, build.build);
        line.foreignLabel(BOARD, build.boardVersion);
      },
      value: () => 1,
    },
    {
      name: "bms_monitor_uptime_seconds",
      help: "Time since the firmware started",
      type: "gauge",
      value: ({ monitor }) => monitor.uptime,
    },
    {
      name: "bms_monitor_restarts_total",
      help: "Restarts since the power came on",
      type: "counter",
      value: ({ start }) => start.restarts,
    },
    {
      name: "bms_monitor_start_info",
      help: "Why the firmware has started, and where it had crashed, always 1",
      type: "gauge",
      labels(line, { start: { reason, where } }) {
        line.label(REASON, reason);
        line.foreignLabel(WHERE, where, MAX_CRASH_CHARACTERS);
      },
      value: () => 1,
    },
    {
      name: "bms_monitor_relay_on",
      help: "Whether the relay is on",
      type: "gauge",
      value: (parts) => (hasRelay(parts) ? parts.relay.value : undefined),
    },
    {
      name: "bms_monitor_relay_mode",
      help: "What the relay follows",
      type: "gauge",
      size: MODES.length,
      labels: (line, _parts, index) => line.label(MODE, MODES[index] as string),
      value: (parts, index) => (hasRelay(parts) ? isOne(parts.relay.mode === index) : undefined),
    },
    {
      name: "bms_monitor_input_active",
      help: "Whether a digital input of the board is active",
      type: "gauge",
      size: INPUTS,
      labels: (line, _parts, index) => line.label(CHANNEL, index + 1),
      value: (parts, index) => (hasInputs(parts) ? parts.sensors.input(index) : undefined),
    },
    {
      name: "bms_monitor_input_volts",
      help: "Voltage at an analogue input of the board",
      type: "gauge",
      decimals: MILLI,
      size: VOLTAGES,
      labels: (line, _parts, index) => line.label(CHANNEL, index + 1),
      value: (parts, index) => (hasInputs(parts) ? parts.sensors.voltage(index) : undefined),
    },
    {
      name: "bms_monitor_temperature_celsius",
      help: "Temperature at the probe of the board",
      type: "gauge",
      decimals: TENTHS,
      value: (parts) => (hasInputs(parts) ? parts.sensors.temperature : undefined),
    },
    {
      name: "bms_monitor_slot_heap_bytes",
      help: "Slots of the XS machine in use, garbage included (instrumented builds)",
      type: "gauge",
      value: ({ memory }) => memory.slots,
    },
    {
      name: "bms_monitor_chunk_heap_bytes",
      help: "Chunks of the XS machine in use, garbage included (instrumented builds)",
      type: "gauge",
      value: ({ memory }) => memory.chunks,
    },
    {
      name: "bms_monitor_free_memory_bytes",
      help: "Memory that the operating system has left",
      type: "gauge",
      value: ({ memory }) => memory.free,
    },
    {
      name: "bms_monitor_least_free_memory_bytes",
      help: "The least memory that the operating system ever had left since the start",
      type: "gauge",
      value: ({ memory }) => memory.leastFree,
    },
    {
      name: "bms_monitor_largest_free_block_bytes",
      help: "The largest piece of memory that the operating system has left",
      type: "gauge",
      value: ({ memory }) => memory.largestBlock,
    },
    {
      name: "bms_monitor_garbage_collections_total",
      help: "Garbage collections of the XS machine (instrumented builds)",
      type: "counter",
      value: ({ memory }) => memory.collections,
    },
  ],
  true,
);
