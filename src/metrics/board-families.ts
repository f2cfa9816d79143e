/** The monitor's identity, counters and hardware. */
import { isOne, type Description, type Parts } from "./family";
import { MAX_CRASH_BYTES } from "./limits";

const MILLI = 3;
const TENTHS = 1;
const MODES = Object.freeze(["manual", "automatic", "disabled"] as const, true);
const NONE: readonly number[] = Object.freeze([], true);

const hasRelay = ({ settings }: Parts): boolean => settings.relay.fitted;
const hasInputs = ({ settings }: Parts): boolean => settings.monitoring.fitted;

export const BOARD_FAMILIES: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_energy_charged_joules_total",
      help: "Energy charged into the pack, integrated by the monitor; as last stored",
      type: "counter",
      value: ({ energy }) => energy?.stored?.charged,
    },
    {
      name: "bms_energy_discharged_joules_total",
      help: "Energy discharged from the pack, integrated by the monitor; as last stored",
      type: "counter",
      value: ({ energy }) => energy?.stored?.discharged,
    },
    {
      name: "bms_monitor_build_info",
      help: "The firmware, always 1",
      type: "gauge",
      value: () => 1,
      labels: ["version", "revision", "board"],
      text: ({ build }, label) => [build.version, build.build, build.boardVersion][label] as string,
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
      value: () => 1,
      labels: ["reason", "where"],
      text: ({ start }, label) => (label ? start.where : start.reason),
      longest: MAX_CRASH_BYTES,
    },
    {
      name: "bms_monitor_safe_mode",
      help: "Whether the monitor is in safe mode: it restarted repeatedly, and does not read the BMS",
      type: "gauge",
      value: ({ start }) => isOne(start.safe),
    },
    {
      name: "bms_monitor_failed_parts",
      help: "Parts of the monitor that could not be started",
      type: "gauge",
      value: ({ parts }) => parts.problems.length,
    },
    {
      name: "bms_history_failures_total",
      help: "Records of the history that were lost, and sectors of its flash that have failed",
      type: "counter",
      label: "of",
      names: ["record", "sector"],
      values: ({ records }) => records?.failures ?? NONE,
    },
    {
      name: "bms_history_erases_total",
      help: "Erases of the most worn sector of the history",
      type: "counter",
      value: ({ records }) => records?.wear,
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
      label: "mode",
      names: MODES,
      bits: (parts) => (hasRelay(parts) ? 1 << parts.relay.mode : undefined),
    },
    {
      name: "bms_monitor_input_active",
      help: "Whether a digital input of the board is active",
      type: "gauge",
      label: "channel",
      names: ["1", "2"],
      bits: (parts) => (hasInputs(parts) ? parts.sensors.input(0) | (parts.sensors.input(1) << 1) : undefined),
    },
    {
      name: "bms_monitor_input_volts",
      help: "Voltage at an analogue input of the board",
      type: "gauge",
      decimals: MILLI,
      label: "channel",
      names: ["1", "2", "3"],
      values(parts) {
        const { sensors } = parts;
        return hasInputs(parts) ? [sensors.voltage(0), sensors.voltage(1), sensors.voltage(2)] : NONE;
      },
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
