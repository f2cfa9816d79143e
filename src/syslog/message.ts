import type { LogEvent } from "../events/types";
import { packOf, partsOf, wordsOf } from "../events/words";
import type { SyslogFacility } from "../settings/types";
import { MAX_MESSAGE_BYTES } from "./limits";
import { severityOf } from "./severity";
import type { SyslogDevice } from "./types";

const VERSION = 1;
/** RFC 5424: what is not known. */
const NIL = "-";
const SEVERITIES = 8;
const FIRST_LOCAL = 16;
/** Below the project's MIB: it has no enterprise number of its own. */
const ELEMENT = "jkbms@8072.9999.9999.485";
/** RFC 5424 section 7.3.1: after the largest it begins again at 1. */
const MAX_SEQUENCE = 2_147_483_647;
const CENTISECONDS = 100;

/** RFC 5424 section 6.2.1. */
function facilityOf(facility: SyslogFacility): number {
  if (facility === "user") return 1;
  if (facility === "daemon") return 3;
  return FIRST_LOCAL + Number(facility.slice(-1));
}

/** RFC 5424 section 6.3.3. */
const escaped = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("]", "\\]");

/** An event of this run as a syslog message (RFC 5424), in printable ASCII. `number`: the event's in the log; `time`: seconds since 1970. */
export function messageOf(device: SyslogDevice, event: LogEvent, number: number, time = timeOf(device, event)): string {
  const { build, settings, start } = device;
  const parts = partsOf(event);
  const [code, ...parameters] = parts;
  const priority = facilityOf(settings.syslog.facility) * SEVERITIES + severityOf(code, parameters[0]);
  const header = `<${priority}>${VERSION} ${timestamp(time)} ${settings.device.hostname} ${build.softwareName} ${start.restarts} ${code}`;
  const value = escaped(parameters.filter(Boolean).join(" "));
  const data = `[${ELEMENT} pack="${packOf(parts) ?? settings.bms.address}"${value && ` value="${value}"`}]`;
  const meta = `[meta sequenceId="${((number - 1) % MAX_SEQUENCE) + 1}" sysUpTime="${event.uptime * CENTISECONDS}"]`;
  return `${header} ${data}${meta} ${wordsOf(parts)}`.slice(0, MAX_MESSAGE_BYTES);
}

/** When it happened, seconds since 1970, even if the time has become known only since. Undefined: not known yet. */
export function timeOf(device: SyslogDevice, { uptime }: LogEvent): number | undefined {
  const now = device.time();
  return now === undefined ? undefined : now - (device.uptime() - uptime);
}

/* eslint-disable no-restricted-globals -- formats the seconds given */
const timestamp = (time: number | undefined): string =>
  time === undefined ? NIL : new Date(time * 1000).toISOString();
/* eslint-enable no-restricted-globals */
