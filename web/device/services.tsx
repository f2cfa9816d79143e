import type { JSX } from "preact";
import { zone } from "../format";
import { GroupForm } from "../group-form";
import { useTexts } from "../hooks";
import { Button, Fold } from "../ui";

const MQTT_PATHS = [
  "enabled",
  "host",
  "port",
  "tls",
  "ca",
  "user",
  "password",
  "baseTopic",
  "interval",
  "discovery",
  "discoveryPrefix",
];
const SNMP_PATHS = ["enabled", "community", "contact", "location", "receiver1", "receiver2"];
const BMS_PATHS = ["address", "baud", "way", "interval", "gap"];

export function ServiceParts({ onTime }: { onTime: () => void }): JSX.Element {
  const { t } = useTexts();
  const here = -new Date().getTimezoneOffset();
  return (
    <>
      <Fold title={t.device.bms} hint={t.setup.bmsHint}>
        <GroupForm group="bms" sections={[{ paths: BMS_PATHS }]} />
      </Fold>
      <Fold title={t.device.mqtt}>
        <GroupForm group="mqtt" sections={[{ paths: MQTT_PATHS }]} />
      </Fold>
      <Fold title={t.device.snmp}>
        <GroupForm group="snmp" sections={[{ paths: SNMP_PATHS }]} />
      </Fold>
      <Fold title={t.device.time}>
        <GroupForm
          group="time"
          sections={[{ paths: ["server", "offset"] }]}
          onSaved={onTime}
          extra={(set) => (
            <Button onClick={() => set("offset", String(here))}>
              {t.device.browserZone} ({zone(here)})
            </Button>
          )}
        />
      </Fold>
    </>
  );
}
