/** The device's services: settings, with the state of each beside them. */
import type { ComponentChildren, JSX } from "preact";
import type { Device, Delivery } from "../documents";
import { duration, number, type Language } from "../format";
import { GroupForm } from "../group-form";
import { useLive, useTask } from "../hooks";
import { Part } from "./group";
import { useAllTexts, type AllTexts } from "./all-texts";
import { live } from "../live";
import { known } from "../outcome";
import { request } from "../request";
import { Button, Facts, Message } from "../ui";
import { PacksForm } from "./packs";
import { ZoneField } from "./zone";

const NOTIFICATIONS = "/web/notifications";
/** Targets of notifications. */
const FIRST = { target: 1 };
const SECOND = { target: 2 };

/** Poll interval after a change, ms. */
const LOOK_INTERVAL = 1_000;
/** Polls before the last reported state is taken as final: the device allows a broker 20 s. */
const MOST_LOOKS = 25;
/** Polls before a BMS that has not answered counts as silent. */
const BMS_LOOKS = 8;

type ServiceStates = Readonly<Record<"bms" | "mqtt" | "snmp" | "modbus" | "syslog" | "notify", string | undefined>>;

export function ServiceParts(): JSX.Element {
  const { t } = useAllTexts();
  const { device } = useLive("device").documents;
  const states: Partial<ServiceStates> = device ? statesOf(device, t) : {};
  // A board may do without; in safe mode they are not running yet.
  const safe = device?.start?.safeMode;
  const hasNotify = device?.notify ?? safe;
  return (
    <>
      <Part title={t.groups.bms} state={states.bms} forms={["bms"]} hint={t.setup.bmsHint}>
        <GroupForm form="bms" outcome={() => bmsOutcome(t)} />
      </Part>
      <Part title={t.bank.packs} forms={["packs"]} hint={t.device.packsHint}>
        <PacksForm />
      </Part>
      <Part title={t.groups.mqtt} state={states.mqtt} forms={["mqtt"]} words={t.device.also.mqtt}>
        <State rows={mqttRows} />
        <GroupForm form="mqtt" outcome={() => mqttOutcome(t)} />
        <Test path="/web/test/mqtt" outcome={mqttOutcome} />
      </Part>
      <Part title={t.groups.snmp} state={states.snmp} forms={["snmp"]} words={t.device.also.snmp}>
        <State rows={snmpRows} />
        <GroupForm form="snmp" />
        <Test path="/web/test/snmp" outcome={snmpOutcome} />
      </Part>
      {(device?.modbus ?? safe) && (
        <Part
          title={t.groups.modbus}
          state={states.modbus}
          forms={["modbus"]}
          words={t.device.also.modbus}
          hint={t.device.modbusHint}
        >
          <State rows={modbusRows} />
          <GroupForm form="modbus" />
        </Part>
      )}
      <Part title={t.groups.syslog} state={states.syslog} forms={["syslog"]}>
        <State rows={syslogRows} />
        <GroupForm form="syslog" />
      </Part>
      {hasNotify && (
        <Part title={t.groups.notify} state={states.notify} forms={["notify"]}>
          <State rows={notifyRows} />
          <GroupForm form="notify" />
          <Test path={NOTIFICATIONS} body={FIRST} name={t.fields["notify.kind1"]} outcome={notifyOutcome} />
          <Test path={NOTIFICATIONS} body={SECOND} name={t.fields["notify.kind2"]} outcome={notifyOutcome} />
        </Part>
      )}
    </>
  );
}

/** For the first start: one service, and a test of it. Nothing if the board does without. */
export function FirstTarget(): JSX.Element | null {
  const { t } = useAllTexts();
  const { device } = useLive("device").documents;
  if (!device?.notify) return null;
  return (
    <section>
      <h2>{t.setup.notify}</h2>
      <GroupForm form="notify" only={["kind1", "url1", "channel1", "token1"]} />
      <Test path={NOTIFICATIONS} body={FIRST} outcome={notifyOutcome} />
    </section>
  );
}

export function TimePart({ onTime }: { onTime: () => void }): JSX.Element {
  const { t } = useAllTexts();
  return (
    <Part title={t.groups.time} forms={["time"]}>
      <State rows={timeRows} />
      <GroupForm
        form="time"
        onSaved={() => {
          onTime();
          live.beginLater();
        }}
        outcome={() => timeOutcome(t)}
        own={{ zone: (value, set) => <ZoneField key="zone" value={value} onInput={set} /> }}
      />
      <Test path="/web/test/time" outcome={timeOutcome} />
    </Part>
  );
}

/** Of each service, in a few words. Undefined: not known. */
function statesOf({ link, mqtt, snmp, modbus, syslog, notify }: Device, t: AllTexts): ServiceStates {
  const targets = notify?.targets.filter(isOn) ?? [];
  const told = targets.map((target) => (target.problem ? deliveryText(target, t) : target.kind)).join(", ");
  return {
    bms: link.online ? t.device.online : t.device.offline,
    mqtt: mqtt && mqttText(mqtt, t),
    snmp: snmp && (snmp.running ? t.services.listening : t.common.off),
    modbus: modbus && (modbus.running ? t.services.listening : t.common.off),
    syslog: syslog && syslogText(syslog, t),
    notify: notify && (told || t.common.off),
  };
}

/** Of those that are not off. */
export const serviceStates = (device: Device, t: AllTexts): string[] =>
  Object.entries(statesOf(device, t)).flatMap(([name, state]) =>
    state && state !== t.common.off ? `${t.groups[name as keyof ServiceStates]}: ${state}` : [],
  );

type Rows = readonly (readonly [string, ComponentChildren] | false)[];

/** State of a service. */
function State({ rows }: { rows: (device: Device, t: AllTexts, language: Language) => Rows }): JSX.Element | null {
  const { t, language } = useAllTexts();
  const { device } = useLive("device").documents;
  return device ? <Facts rows={rows(device, t, language)} /> : null;
}

function mqttRows({ mqtt }: Device, t: AllTexts, language: Language): Rows {
  if (!mqtt) return [];
  const { connectedFor, published, received } = mqtt;
  return [
    [t.services.state, mqttText(mqtt, t)],
    ...(connectedFor === null ? [] : [[t.common.connected, t.common.ago(duration(connectedFor))] as const]),
    [t.services.published, number(language, published)],
    [t.services.received, number(language, received)],
  ];
}

function mqttText({ state, problem }: NonNullable<Device["mqtt"]>, t: AllTexts): string {
  if (state === "connected") return t.common.connected;
  if (problem) return t.problems[problem];
  return state === "off" ? t.common.off : t.services.connecting;
}

const snmpRows = ({ snmp }: Device, t: AllTexts, language: Language): Rows =>
  snmp
    ? [
        [t.services.state, snmp.running ? t.services.listening : t.common.off],
        [t.services.packets, number(language, snmp.packets)],
        [t.services.badCommunityNames, number(language, snmp.badCommunityNames)],
      ]
    : [];

const modbusRows = ({ modbus }: Device, t: AllTexts, language: Language): Rows =>
  modbus
    ? [
        [t.services.state, modbus.running ? t.services.listening : t.common.off],
        [t.common.connected, modbus.clients.join(", ")],
        modbus.age !== null && [t.services.lastRequest, t.common.ago(duration(modbus.age))],
        modbus.writes > 0 && [t.services.refusedWrites, number(language, modbus.writes)],
      ]
    : [];

const syslogRows = ({ syslog }: Device, t: AllTexts, language: Language): Rows =>
  syslog
    ? [
        [t.services.state, syslogText(syslog, t)],
        [t.services.published, number(language, syslog.sent)],
      ]
    : [];

function syslogText({ running, address }: NonNullable<Device["syslog"]>, t: AllTexts): string {
  if (!running) return t.common.off;
  return address ? t.services.sendingTo(address) : t.services.notFound;
}

const isOn = ({ kind }: { kind: string }): boolean => kind !== "off";

function notifyRows({ notify }: Device, t: AllTexts, language: Language): Rows {
  if (!notify?.targets.some(isOn)) return [[t.services.state, t.common.off]];
  const { waiting, waitingSeconds, targets } = notify;
  const since = waitingSeconds === null ? "" : `, ${t.common.ago(duration(waitingSeconds))}`;
  return [
    [t.services.waiting, number(language, waiting) + since],
    ...targets.map(
      (target, at) => isOn(target) && ([`${at + 1}: ${target.kind}`, deliveryText(target, t) || "–"] as const),
    ),
  ];
}

/** Result of a delivery, with the service's own words. */
function deliveryText({ problem, status, answer, message }: Delivery, t: AllTexts): string {
  const words = known(t.deliveries, problem) ?? known(t.problems, problem);
  return message && words ? words + (status ? ` (${status} ${answer})` : "") : message;
}

const timeRows = ({ sntp }: Device, t: AllTexts): Rows => (sntp ? [[t.services.state, timeText(sntp, t)]] : []);

function timeText({ problem, age }: NonNullable<Device["sntp"]>, t: AllTexts): string {
  if (problem) return t.timeProblems[problem];
  return age === null ? t.services.notAsked : t.services.told(t.common.ago(duration(age)));
}

/** Polls the device's state until `told` returns a text, at most `looks` times. */
async function watch(told: (device: Device) => string | undefined, looks = MOST_LOOKS): Promise<string | undefined> {
  for (let look = 0; look < looks; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL));
    await live.load("device");
    const { device } = live.documents;
    const text = device && live.connected ? told(device) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

const mqttOutcome = async (t: AllTexts): Promise<string> =>
  (await watch(({ mqtt }) =>
    !mqtt || (mqtt.state === "connecting" && !mqtt.problem) ? undefined : mqttText(mqtt, t),
  )) ?? t.services.connecting;

/** Notifications are not acknowledged: whether one arrived is seen at the receiver. */
const snmpOutcome = (t: AllTexts, { sent }: { sent?: number }): string => t.services.notified(sent ?? 0);

const timeOutcome = async (t: AllTexts): Promise<string> =>
  (await watch(({ sntp }) =>
    !sntp || (!sntp.problem && (sntp.age === null || sntp.age > MOST_LOOKS)) ? undefined : timeText(sntp, t),
  )) ?? t.timeProblems["no-answer"];

async function bmsOutcome(t: AllTexts): Promise<string> {
  const before = live.documents.device?.link.replies;
  const found = await watch(
    ({ link }) => (link.online && link.replies > 0 && link.replies !== before ? t.messages["bms-online"] : undefined),
    BMS_LOOKS,
  );
  return found ?? (live.connected ? t.battery.offline : t.common.unreachable);
}

interface Answer extends Delivery {
  readonly sent?: number;
}

function notifyOutcome(t: AllTexts, answer: Answer): string {
  const told = deliveryText(answer, t);
  if (answer.problem) throw new Error(told);
  return told;
}

/** Tests the connection now and shows the outcome. */
function Test({
  path,
  body,
  name,
  outcome,
}: {
  path: string;
  body?: object;
  /** What is tested, where there are several. */
  name?: string;
  outcome: (t: AllTexts, answer: Answer) => Promise<string> | string;
}): JSX.Element {
  const { t } = useAllTexts();
  const task = useTask();
  const test = (): void =>
    void task.run(async () => {
      task.say(t.services.testing);
      return outcome(t, await request<Answer>("POST", path, body));
    });
  return (
    <div class="actions">
      <Button disabled={task.busy} onClick={test}>
        {name ? `${t.services.test}: ${name}` : t.services.test}
      </Button>
      <Message task={task} />
    </div>
  );
}
