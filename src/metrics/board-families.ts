/** The monitor's identity, counters and hardware. */
import { DEVICE, DEVICE_CONDITIONS } from "../conditions/table";
import type { BusPack } from "../packs/types";
import { MODES } from "../relay/modes";
import { isOne, type Description, type Group, type Parts, type Values } from "./family";

const MILLI = 3;
const TENTHS = 1;

/** Of the families below, in their order. */
function values(_pack: BusPack, parts: Parts): readonly Values[] {
  const { energy, memory, monitor, records, relay, sensors, settings, start } = parts;
  const hasRelay = settings.relay.fitted;
  const hasInputs = settings.monitoring.fitted;
  return [
    energy?.stored?.charged,
    energy?.stored?.discharged,
    monitor.uptime,
    start.restarts,
    isOne(start.safe),
    parts.parts.problems.length,
    parts.parts.faults,
    parts.conditions.presentOf(DEVICE) as unknown as number,
    records?.failures,
    records?.wear,
    hasRelay ? relay.value : undefined,
    hasRelay ? 1 << relay.mode : undefined,
    hasInputs ? sensors.input(0) | (sensors.input(1) << 1) : undefined,
    hasInputs ? [sensors.voltage(0), sensors.voltage(1), sensors.voltage(2)] : undefined,
    hasInputs ? sensors.temperature : undefined,
    memory.slots,
    memory.chunks,
    memory.free,
    memory.leastFree,
    memory.largestBlock,
    memory.collections,
  ];
}

const DESCRIPTIONS: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_energy_charged_joules_total",
      help: "Energy charged into the pack, integrated by the monitor; as last stored",
    },
    {
      name: "bms_energy_discharged_joules_total",
      help: "Energy discharged from the pack, integrated by the monitor; as last stored",
    },
    {
      name: "bms_monitor_uptime_seconds",
      help: "Time since the firmware started",
    },
    {
      name: "bms_monitor_restarts_total",
      help: "Restarts since the power came on",
    },
    {
      name: "bms_monitor_safe_mode",
      help: "Whether the monitor is in safe mode: it restarted repeatedly, and does not read the BMS",
    },
    {
      name: "bms_monitor_failed_parts",
      help: "Parts of the monitor that have failed",
    },
    {
      name: "bms_monitor_faults_total",
      help: "Exceptions in callbacks of the platform since the start: each fails a part",
    },
    {
      name: "bms_monitor_concern",
      help: "Whether this of the monitor itself needs attention",
      label: "concern",
      names: DEVICE_CONDITIONS,
    },
    {
      name: "bms_history_failures_total",
      help: "Records of the history that were lost, and sectors of its flash that have failed",
      label: "of",
      names: ["record", "sector"],
    },
    {
      name: "bms_history_erases_total",
      help: "Erases of the most worn sector of the history",
    },
    {
      name: "bms_monitor_relay_on",
      help: "Whether the relay is on",
    },
    {
      name: "bms_monitor_relay_mode",
      help: "What the relay follows",
      label: "mode",
      names: MODES,
    },
    {
      name: "bms_monitor_input_active",
      help: "Whether a digital input of the board is active",
      label: "channel",
      names: ["1", "2"],
    },
    {
      name: "bms_monitor_input_volts",
      help: "Voltage at an analogue input of the board",
      decimals: MILLI,
      label: "channel",
      names: ["1", "2", "3"],
    },
    {
      name: "bms_monitor_temperature_celsius",
      help: "Temperature at the probe of the board",
      decimals: TENTHS,
    },
    {
      name: "bms_monitor_slot_heap_bytes",
      help: "Slots of the XS machine in use, garbage included (instrumented builds)",
    },
    {
      name: "bms_monitor_chunk_heap_bytes",
      help: "Chunks of the XS machine in use, garbage included (instrumented builds)",
    },
    {
      name: "bms_monitor_free_memory_bytes",
      help: "Memory that the operating system has left",
    },
    {
      name: "bms_monitor_least_free_memory_bytes",
      help: "The least memory that the operating system ever had left since the start",
    },
    {
      name: "bms_monitor_largest_free_block_bytes",
      help: "The largest piece of memory that the operating system has left",
    },
    {
      name: "bms_monitor_garbage_collections_total",
      help: "Garbage collections of the XS machine (instrumented builds)",
    },
  ],
  true,
);

export const BOARD_GROUP: Group = Object.freeze({ descriptions: DESCRIPTIONS, values }, true);
