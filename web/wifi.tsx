/** Lists the Wi-Fi networks in range, to choose one. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Scan } from "./documents";
import { useAllTexts, type AllTexts } from "./device/all-texts";
import { reasonOf } from "./messages";
import { persist } from "./persist";
import { request } from "./request";
import { Button, Input } from "./ui";

export interface WifiChoice {
  readonly ssid: string;
  readonly password: string;
  readonly open: boolean;
}

/** Interval in ms and number of polls of a running scan. */
const LOOK_INTERVAL = 1_000;
const MOST_LOOKS = 20;

/** Thresholds in dBm for 4, 3 and 2 bars. */
const BARS = [-55, -67, -75];

const bars = (rssi: number): number => 4 - BARS.filter((least) => rssi < least).length;

export function WifiPicker({
  choice,
  onChoice,
}: {
  choice: WifiChoice;
  onChoice: (choice: WifiChoice) => void;
}): JSX.Element {
  const { t } = useAllTexts();
  const [networks, setNetworks] = useState<Scan["networks"]>();
  const [scanning, setScanning] = useState(false);
  const [failure, setFailure] = useState("");
  const [typed, setTyped] = useState(false);
  /** Chosen by a finger or the mouse: what comes next is the password. The keys may go on to the next network. */
  const pointed = useRef(false);
  const scan = async (): Promise<void> => {
    setScanning(true);
    setFailure("");
    try {
      await request("POST", "/web/scan");
      for (let look = 0; look < MOST_LOOKS; look++) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL));
        const found = await persist(() => request<Scan>("GET", "/web/scan"));
        setNetworks(strongest(found.networks));
        if (!found.scanning) break;
      }
    } catch (error) {
      setFailure(t.common.failed(reasonOf(error, t)));
    }
    setScanning(false);
  };
  useEffect(() => void scan(), []);
  return (
    <>
      <fieldset class="networks">
        <legend>{t.setup.chooseWifi}</legend>
        {networks?.map((network) => (
          <label
            key={network.ssid}
            class="check"
            onPointerDown={() => (pointed.current = true)}
            onKeyDown={() => (pointed.current = false)}
          >
            <input
              type="radio"
              name="ssid"
              checked={!typed && choice.ssid === network.ssid}
              onChange={() => {
                setTyped(false);
                onChoice({ ssid: network.ssid, password: "", open: network.open });
              }}
            />
            <span>
              {network.ssid} {network.open && <small class="hint">{t.device.open}</small>}
            </span>
            <span class="bars" role="img" aria-label={`${network.rssi} dBm`}>
              {[1, 2, 3, 4].map((bar) => (
                <i key={bar} class={bar <= bars(network.rssi) ? "full" : ""} />
              ))}
            </span>
          </label>
        ))}
        <label class="check">
          <input
            type="radio"
            name="ssid"
            checked={typed}
            onChange={() => {
              setTyped(true);
              onChoice({ ssid: "", password: "", open: false });
            }}
          />
          <span>{t.setup.hidden}</span>
        </label>
      </fieldset>
      <div class="actions">
        <Button disabled={scanning} onClick={() => void scan()}>
          {scanning ? t.device.scanning : t.device.scan}
        </Button>
        <p role="status" class="hint">
          {failure || (networks?.length === 0 && !scanning ? t.device.noNetworks : "")}
        </p>
      </div>
      {typed && (
        <Input label={t.setup.wifiName} value={choice.ssid} onInput={(ssid) => onChoice({ ...choice, ssid })} />
      )}
      {choice.ssid && !choice.open && (
        <Input
          key={choice.ssid}
          focus={pointed.current && !typed}
          label={t.setup.wifiPassword}
          type="password"
          value={choice.password}
          onInput={(password) => onChoice({ ...choice, password })}
        />
      )}
    </>
  );
}

/** Why a network could not be joined (JoinFailure of src/network/types.ts), in words. */
export function failureText(reason: string, t: AllTexts): string {
  const known: Readonly<Record<string, string>> = t.setup.reasons;
  return Object.hasOwn(known, reason) ? (known[reason] as string) : reason;
}

/** One entry per name, strongest first. */
function strongest(networks: Scan["networks"]): Scan["networks"] {
  const sorted = networks.filter(({ ssid }) => ssid).sort((a, b) => b.rssi - a.rssi);
  return sorted.filter(({ ssid }, index) => sorted.findIndex((other) => other.ssid === ssid) === index);
}
