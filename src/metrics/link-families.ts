/** The BMS link and the write queue. */
import { ENDING_OUTCOMES, REFUSAL_REASONS } from "../bms/write-counters";
import { isOne, type Description } from "./family";

const MILLI = 3;
const BUS_MODES = Object.freeze(["poll", "listen"] as const, true);
const READ_MODES = Object.freeze(["registers", "frames"] as const, true);

export const LINK_FAMILIES: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_telemetry_age_seconds",
      help: "Time since the last valid telemetry reply",
      type: "gauge",
      value: ({ monitor }) => monitor.telemetryAge,
    },
    {
      name: "bms_configuration_loaded",
      help: "Whether the settings of the BMS have been read",
      type: "gauge",
      value: ({ monitor }) => isOne(monitor.configurationLoaded),
    },
    {
      name: "bms_polls_total",
      help: "Telemetry polls",
      type: "counter",
      value: ({ monitor }) => monitor.polls,
    },
    {
      name: "bms_polls_lost_total",
      help: "Telemetry polls without a valid reply",
      type: "counter",
      value: ({ monitor }) => monitor.lostPolls,
    },
    {
      name: "bms_link_requests_total",
      help: "Modbus requests sent to the BMS since the link was opened",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.requests,
    },
    {
      name: "bms_link_replies_total",
      help: "Requests with a valid reply",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.replies,
    },
    {
      name: "bms_link_exceptions_total",
      help: "Requests answered with a Modbus exception",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.exceptions,
    },
    {
      name: "bms_link_timeouts_total",
      help: "Requests without a valid reply in time",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.timeouts,
    },
    {
      name: "bms_link_crc_errors_total",
      help: "Replies with a wrong checksum",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.crcErrors,
    },
    {
      name: "bms_link_discarded_bytes_total",
      help: "Bytes thrown away: noise, late and foreign replies",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.discarded,
    },
    {
      name: "bms_link_foreign_frames_total",
      help: "Frames heard that prove another master on the bus",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.foreign,
    },
    {
      name: "bms_link_torn_frames_total",
      help: "Frames to another master that were heard in part",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.torn,
    },
    {
      name: "bms_link_wake_triggers_total",
      help: "Triggers sent because the BMS had stopped answering",
      type: "counter",
      value: ({ monitor }) => monitor.link?.statistics.wakeTriggers,
    },
    {
      name: "bms_link_reply_seconds",
      help: "Time from the end of the last answered request to the end of its reply",
      type: "gauge",
      decimals: MILLI,
      value({ monitor: { link } }) {
        return link && link.statistics.replies + link.statistics.exceptions ? link.statistics.lastReplyTime : undefined;
      },
    },
    {
      name: "bms_link_read_mode",
      help: "Which read mode is in use",
      type: "gauge",
      label: "mode",
      names: READ_MODES,
      bits: ({ monitor: { link } }) => link && 1 << READ_MODES.indexOf(link.activeReadMode),
    },
    {
      name: "bms_bus_mode",
      help: "Whether the BMS is polled, or another master is only listened to",
      type: "gauge",
      label: "mode",
      names: BUS_MODES,
      bits: ({ monitor }) => (monitor.listening ? 2 : 1),
    },
    {
      name: "bms_write_pending",
      help: "Whether a write waits for its confirmation",
      type: "gauge",
      value: ({ monitor }) => isOne(monitor.writes.pending),
    },
    {
      name: "bms_writes_total",
      help: "Writes that were queued, by how they ended",
      type: "counter",
      label: "outcome",
      names: ENDING_OUTCOMES,
      values: ({ monitor }) => monitor.writeCounters.endings,
    },
    {
      name: "bms_writes_rejected_total",
      help: "Writes that were not queued, by the reason",
      type: "counter",
      label: "reason",
      names: REFUSAL_REASONS,
      values: ({ monitor }) => monitor.writeCounters.refusals,
    },
  ],
  true,
);
