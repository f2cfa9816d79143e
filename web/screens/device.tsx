/** The monitor itself: connections, access and maintenance. */
import type { JSX } from "preact";
import { LocalTime } from "../../src/settings/local-time";
import { AccessParts } from "../device/access";
import { AddressPart } from "../device/address-qr";
import { BackupPart } from "../device/backup";
import { LogPart, SystemPart } from "../device/system";
import { NetworkParts } from "../device/network";
import { Group, Part, Search } from "../device/group";
import { ServiceParts, serviceStates, TimePart } from "../device/services";
import { UpdatePart } from "../device/update";
import { GroupForm } from "../group-form";
import { duration, number, quantity, timestamp } from "../format";
import { useGroup, useLive, useRefresh } from "../hooks";
import { useAllTexts } from "../device/all-texts";
import { live } from "../live";
import { messageText } from "../messages";
import { Card, Facts, Pending } from "../ui";
import { failureText } from "../wifi";

/** Uptime, time and counters cause no events, ms. */
const REFRESH = 10_000;

export function Device(): JSX.Element {
  const { t, language } = useAllTexts();
  const { connected, documents, failed, session } = useLive("device");
  const time = useGroup("time");
  const { device } = documents;
  useRefresh(() => live.load("device"), REFRESH);
  const guest = session?.guest;
  if (!device) return <Pending />;
  const { link, network, memory, start, update } = device;
  const kib = (bytes: number | null | undefined): string =>
    typeof bytes === "number" ? quantity(language, bytes / 1_024, "KiB") : t.common.unknown;
  const { offset = 0, zone: rule = "" } = time.value ?? {};
  const zone = new LocalTime({ time: { offset: Number(offset), zone: String(rule) } });
  return (
    <div class={connected && !failed.has("device") ? "groups" : "groups stale"}>
      {Boolean(start?.problems.length) && (
        <Card title={t.device.lost}>
          <p class="message failed">{t.device.lostWhy}</p>
          {start?.problems.map((problem) => (
            <p key={problem}>{messageText(problem, t) ?? problem}</p>
          ))}
        </Card>
      )}
      {Boolean(start?.parts.length) && (
        <Card title={t.device.failed}>
          {start?.parts.map((part) => (
            <p key={part} class="message failed">
              {messageText(part, t)}
            </p>
          ))}
        </Card>
      )}
      <Search>
        <Group
          title={t.groups.network}
          state={[
            network.mode === "AP" ? t.device.accessPoint : network.type,
            network.ssid,
            network.ip || failureText(network.reason ?? "", t),
          ]}
          facts={
            <Card title={t.device.connection}>
              <Facts
                rows={[
                  [t.device.type, network.mode === "AP" ? t.device.accessPoint : network.type],
                  [t.device.ip, network.ip || "–"],
                  Boolean(network.ssid) && [t.device.wifi, network.ssid],
                  typeof network.rssi === "number" &&
                    network.rssi < 0 && [t.device.signal, quantity(language, network.rssi, "dBm")],
                  network.cable !== undefined && [
                    t.device.cable,
                    network.cable ? t.device.plugged : t.device.unplugged,
                  ],
                  Boolean(network.gateway) && [t.fields["network.gateway"], network.gateway],
                  Boolean(network.dns1) && [t.device.dns, [network.dns1, network.dns2].filter(Boolean).join(", ")],
                  [t.device.mac, device.mac],
                  Boolean(network.reason) && [t.device.reason, failureText(network.reason ?? "", t)],
                ]}
              />
            </Card>
          }
        >
          <AddressPart />
          {!guest && <NetworkParts />}
        </Group>
        <Group
          title={t.device.integrations}
          state={serviceStates(device, t)}
          facts={
            <Card title={t.device.link}>
              <Facts
                rows={[
                  [t.device.linkState, link.online ? t.device.online : t.device.offline],
                  link.mode === "listen" && [t.device.busMode, t.device.listening],
                  [t.fields["bms.readMode"], words(`bms.readMode.${link.readMode}`, t.choices)],
                  [t.device.polls, number(language, link.polls)],
                  [t.device.replies, number(language, link.replies)],
                  [t.device.lostReplies, number(language, link.timeouts)],
                  [t.device.crcErrors, number(language, link.crcErrors)],
                  link.exceptions !== undefined && [t.device.exceptions, number(language, link.exceptions)],
                  [t.device.replyTime, quantity(language, link.replies ? link.replyTime : null, "ms")],
                ]}
              />
            </Card>
          }
        >
          {!guest && <ServiceParts />}
        </Group>
        {!guest && (
          <Group
            title={t.device.access}
            state={[`${t.device.guests}: ${session?.guests ? t.common.yes : t.common.no}`]}
          >
            <AccessParts />
          </Group>
        )}
        <Group
          title={t.device.maintenance}
          state={[`${t.device.version} ${device.version}`, `${t.device.uptime} ${duration(device.uptime)}`]}
          facts={
            <Card title={t.device.system}>
              <Facts
                rows={[
                  [t.device.version, device.version],
                  [t.device.build, device.build],
                  [t.device.board, device.board],
                  [t.device.uptime, duration(device.uptime)],
                  [t.device.now, device.time ? timestamp(device.time, zone, language) : t.device.notSet],
                  update?.state === "failed" && [
                    t.device.update,
                    t.device.updateFailed(messageText(update.error, t) ?? update.error),
                  ],
                  start && [t.device.start, words(start.reason, t.starts)],
                  start && [t.device.restarts, number(language, start.restarts)],
                  Boolean(start?.where) && [t.device.crashed, start?.where ?? ""],
                  typeof memory?.free === "number" && [
                    t.device.memory,
                    t.device.memoryNow(kib(memory.free), kib(memory.leastFree), kib(memory.largestBlock)),
                  ],
                  [t.device.licences, t.device.licencesText],
                ]}
              />
            </Card>
          }
        >
          {!guest && (
            <>
              <Part title={t.device.general} forms={["device"]}>
                <GroupForm form="device" />
              </Part>
              <TimePart onTime={() => void time.reload()} />
              <BackupPart version={device.version} />
              {!session?.safeMode && <UpdatePart signed={device.update?.signed ?? false} />}
            </>
          )}
          <LogPart device={device} zone={zone} />
          {!guest && <SystemPart />}
        </Group>
      </Search>
    </div>
  );
}

function words(name: string, known: Readonly<Record<string, string>>): string {
  return known[name] ?? "–";
}
