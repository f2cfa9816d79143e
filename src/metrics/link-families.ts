/** The BMS link and the write queue. */
import { BUS_MODES } from "../bms/bus-modes";
import { ENDING_OUTCOMES, REFUSAL_REASONS } from "../bms/write-counters";
import { NO_REPLIES, type BusPack } from "../packs/types";
import { isOne, type Description, type Group, type Parts, type Values } from "./family";

const MILLI = 3;
const READ_MODES = Object.freeze(["registers", "frames"] as const, true);

/** Of the families below, in their order. */
function values(pack: BusPack, { monitor }: Parts): readonly Values[] {
  const { bus, writeCounters } = monitor;
  const { readMode } = pack;
  const statistics = bus?.statistics;
  return [
    pack.telemetryAge,
    isOne(pack.configurationLoaded),
    pack.polls,
    pack.lostPolls,
    statistics?.requests,
    statistics?.replies,
    statistics?.exceptions,
    statistics?.timeouts,
    statistics && [statistics.silences, statistics.noises, statistics.others, statistics.echoes, statistics.exceptions],
    statistics?.late,
    statistics?.crcErrors,
    statistics?.discarded,
    statistics?.foreign,
    statistics?.torn,
    statistics?.wakeTriggers,
    statistics?.doubted,
    statistics && statistics.replies + statistics.exceptions ? statistics.lastReplyTime : undefined,
    readMode && 1 << READ_MODES.indexOf(readMode),
    monitor.listening ? 2 : 1,
    isOne(monitor.writes.pending),
    writeCounters.endings,
    writeCounters.refusals,
  ];
}

const DESCRIPTIONS: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_telemetry_age_seconds",
      help: "Time since the last valid telemetry reply",
    },
    {
      name: "bms_configuration_loaded",
      help: "Whether the settings of the BMS have been read",
    },
    {
      name: "bms_polls_total",
      help: "Telemetry polls",
    },
    {
      name: "bms_polls_lost_total",
      help: "Telemetry polls without a valid reply",
    },
    {
      name: "bms_link_requests_total",
      help: "Modbus requests sent to the BMS since the link was opened",
    },
    {
      name: "bms_link_replies_total",
      help: "Requests with a valid reply",
    },
    {
      name: "bms_link_exceptions_total",
      help: "Requests answered with a Modbus exception",
    },
    {
      name: "bms_link_timeouts_total",
      help: "Requests without a valid reply in time",
    },
    {
      name: "bms_link_no_replies_total",
      help: "Requests without a valid reply, by what came instead",
      label: "kind",
      names: NO_REPLIES,
    },
    {
      name: "bms_link_late_replies_total",
      help: "Replies that came after their time-out",
    },
    {
      name: "bms_link_crc_errors_total",
      help: "Replies with a wrong checksum",
    },
    {
      name: "bms_link_discarded_bytes_total",
      help: "Bytes thrown away: noise, late and foreign replies",
    },
    {
      name: "bms_link_foreign_frames_total",
      help: "Frames heard that prove another master on the bus",
    },
    {
      name: "bms_link_torn_frames_total",
      help: "Frames to another master that were heard in part",
    },
    {
      name: "bms_link_wake_triggers_total",
      help: "Triggers sent because the BMS had stopped answering",
    },
    {
      name: "bms_link_doubted_replies_total",
      help: "Telemetry replies that contradicted themselves, or jumped, and were not shown at once",
    },
    {
      name: "bms_link_reply_seconds",
      help: "Time from the end of the last answered request to the end of its reply",
      decimals: MILLI,
    },
    {
      name: "bms_link_read_mode",
      help: "Which read mode is in use",
      label: "mode",
      names: READ_MODES,
    },
    {
      name: "bms_bus_mode",
      help: "Whether the BMS is polled, or another master is only listened to",
      label: "mode",
      names: BUS_MODES,
    },
    {
      name: "bms_write_pending",
      help: "Whether a write waits for its confirmation",
    },
    {
      name: "bms_writes_total",
      help: "Writes that were queued, by how they ended",
      label: "outcome",
      names: ENDING_OUTCOMES,
    },
    {
      name: "bms_writes_rejected_total",
      help: "Writes that were not queued, by the reason",
      label: "reason",
      names: REFUSAL_REASONS,
    },
  ],
  true,
);

export const LINK_GROUP: Group = Object.freeze({ descriptions: DESCRIPTIONS, values }, true);
