import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { GroupForm } from "../group-form";
import { useTask } from "../hooks";
import { useAllTexts } from "./all-texts";
import { request } from "../request";
import { Button, Fold, Message } from "../ui";
import { WifiPicker, type WifiChoice } from "../wifi";

const ADDRESS_PATHS = ["addressing", "address", "mask", "gateway", "dns1", "dns2"];

export function NetworkParts(): JSX.Element {
  const { t } = useAllTexts();
  return (
    <>
      <Fold title={t.device.wifi} hint={t.device.networkHint}>
        <Join />
        <GroupForm group="network" sections={[{ paths: ["accessPointPassword"] }]} />
      </Fold>
      <Fold title={t.device.address} hint={t.device.networkHint}>
        <GroupForm
          group="network"
          sections={[{ paths: ADDRESS_PATHS }]}
          outcome={() => Promise.resolve(t.device.addressChanging)}
        />
      </Fold>
      <Fold title={t.device.identity} hint={t.device.networkHint}>
        <GroupForm group="device" />
      </Fold>
    </>
  );
}

function Join(): JSX.Element {
  const { t } = useAllTexts();
  const [choice, setChoice] = useState<WifiChoice>({ ssid: "", password: "", open: false });
  const task = useTask();
  const join = (): void =>
    void task.run(async () => {
      await request("POST", "/web/group/network", {
        ssid: choice.ssid,
        password: choice.open ? "" : choice.password,
      });
      return t.setup.joining(choice.ssid);
    });
  return (
    <>
      <WifiPicker choice={choice} onChoice={setChoice} />
      <div class="actions">
        <Button kind="primary" disabled={!choice.ssid || task.busy} onClick={join}>
          {t.device.join}
        </Button>
        <Message task={task} />
      </div>
    </>
  );
}
