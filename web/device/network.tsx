import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { GroupForm } from "../group-form";
import { useTask } from "../hooks";
import { Part } from "./group";
import { useAllTexts } from "./all-texts";
import { request } from "../request";
import { Button, Message } from "../ui";
import { WifiPicker, type WifiChoice } from "../wifi";

export function NetworkParts(): JSX.Element {
  const { t } = useAllTexts();
  return (
    <>
      <Part title={t.device.wifi} forms={["wifi", "bssid", "accessPoint"]} hint={t.device.networkHint}>
        <Join />
        <p class="hint">{t.device.bssidHint}</p>
        <GroupForm form="bssid" />
        <GroupForm form="accessPoint" />
      </Part>
      <Part title={t.device.address} forms={["network"]} hint={t.device.networkHint}>
        <GroupForm form="network" outcome={() => Promise.resolve(t.device.addressChanging)} />
      </Part>
      <Part title={t.device.identity} forms={["identity"]} hint={t.device.networkHint}>
        <GroupForm form="identity" />
      </Part>
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
        bssid: "",
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
