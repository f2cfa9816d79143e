/** First start: password, network, BMS. The network is changed last, since that may disconnect this page. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressCode } from "../address-code";
import { FirstTarget } from "../device/services";
import { ZoneField } from "../device/zone";
import { browserZone } from "../device/zone-choice";
import type { ButtonState, NetworkState } from "../documents";
import { browserName } from "../browser-name";
import { GroupForm } from "../group-form";
import { useLive, useTask } from "../hooks";
import { useAllTexts } from "../device/all-texts";
import { live } from "../live";
import { useNewPassword } from "../new-password";
import { keep, kept, NUMBER_KEY, WIZARD_KEY } from "../preferences";
import { request } from "../request";
import type { RequestError } from "../request-error";
import { Button, Form, Input, Message } from "../ui";
import { staleReason, staleText } from "../verdict";
import { failureText, WifiPicker, type WifiChoice } from "../wifi";

const STEPS = 3;
/** ms between requests for the button: a press shows soon after. */
const BUTTON_INTERVAL = 2_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const NO_WIFI: WifiChoice = { ssid: "", password: "", open: false };

export function SetUp({ onDone }: { onDone: () => void }): JSX.Element {
  const { session } = useLive();
  // A reload loses the Wi-Fi that was chosen.
  const [step, setStep] = useState(session?.firstStart ? 1 : 2);
  const [wifi, setWifi] = useState<WifiChoice>(NO_WIFI);
  const [zone, setZone] = useState<string>();
  const done = (): void => {
    keep(WIZARD_KEY, null);
    // The time zone is in it.
    live.beginLater();
    location.hash = "#/battery";
    onDone();
  };
  switch (step) {
    case 1:
      return <PasswordStep onNext={() => setStep(2)} />;
    case 2:
      return (
        <NetworkStep wifi={wifi} onWifi={setWifi} onNext={() => setStep(3)}>
          <ZoneField value={zone} onInput={setZone} />
        </NetworkStep>
      );
    case 3:
      return <BmsStep onBack={() => setStep(2)} onNext={() => setStep(4)} />;
    default:
      return <FinishStep wifi={wifi} zone={zone} onAgain={() => setStep(2)} onDone={done} />;
  }
}

function Step({ title, step, children }: { title: string; step?: number; children: ComponentChildren }): JSX.Element {
  const { t } = useAllTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="card">
      {step && <p class="tag">{t.setup.step(step, STEPS)}</p>}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

/** Asks for the device's button as long as it is `wanted`. */
function useButton(wanted: boolean): ButtonState | undefined {
  const [asked, setAsked] = useState<ButtonState>();
  useEffect(() => {
    if (!wanted) return;
    let isMounted = true;
    // One after another: those that a device away for a while does not answer would keep everything else waiting.
    const ask = async (): Promise<void> => {
      while (isMounted) {
        await request<ButtonState>("POST", "/web/button", { number: kept(NUMBER_KEY) ?? "" }).then(
          (answer) => {
            if (answer.number) keep(NUMBER_KEY, answer.number);
            setAsked(answer);
          },
          () => {},
        );
        await pause(BUTTON_INTERVAL);
      }
    };
    void ask();
    return () => {
      isMounted = false;
    };
  }, [wanted]);
  return wanted ? asked : undefined;
}

function PasswordStep({ onNext }: { onNext: () => void }): JSX.Element {
  const { t } = useAllTexts();
  const { session } = useLive();
  const [code, setCode] = useState(addressCode);
  const [refused, setRefused] = useState(false);
  const chosen = useNewPassword(t.sign.password);
  const task = useTask();
  // With the code in the address there is nothing else to ask for, unless the device refused it.
  const asks = Boolean(session?.codeWanted && (refused || !addressCode));
  const button = useButton(asks && Boolean(session?.button));
  const number = button?.number;
  const submit = (): void => {
    if (!chosen.check()) return;
    const { password } = chosen;
    void task.run(async () => {
      await request("POST", "/web/password", {
        new: password,
        browser: browserName(),
        ...(code && { code }),
        ...(number && { number }),
      })
        .catch((error: RequestError) => {
          setRefused(true);
          // One has been chosen: here, but the answer was lost, or by somebody else, who can only sign in.
          if (error.status !== 401) throw error;
          return request("POST", "/web/session", { password, browser: browserName() });
        })
        .finally(() => live.begin());
      return "";
    });
  };
  // Whichever answer says so: that to the password may be lost.
  const isDone = session?.signedIn === true && !session.firstStart;
  useEffect(() => {
    if (!isDone) return;
    keep(NUMBER_KEY, null);
    // From here on the wizard goes on after a reload.
    keep(WIZARD_KEY, "2");
    onNext();
  }, [isDone]);
  return (
    <Step title={t.setup.welcome} step={1}>
      <p>{t.setup.intro}</p>
      <h2>{t.setup.choosePassword}</h2>
      <p class="hint">{t.setup.passwordHint}</p>
      <Form onSubmit={submit}>
        {chosen.fields}
        {asks && button?.state !== "admitted" && (
          <Input label={t.setup.code} complete="off" hint={t.setup.codeHint} value={code} onInput={setCode} />
        )}
        {button && (
          <p role="status">
            {t.setup.button[button.state](button.state === "contested" ? button.other : button.number)}
          </p>
        )}
        <div class="actions">
          <Button submit kind="primary" disabled={task.busy}>
            {task.busy && <span class="spinner" aria-hidden="true" />}
            {task.busy ? t.common.working : t.common.next}
          </Button>
        </div>
        <Message task={task} />
      </Form>
    </Step>
  );
}

function NetworkStep({
  wifi,
  onWifi,
  onNext,
  children,
}: {
  wifi: WifiChoice;
  onWifi: (wifi: WifiChoice) => void;
  onNext: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { t } = useAllTexts();
  const { documents } = useLive("device");
  const network = documents.device?.network;
  const byCable = network?.type === "Ethernet" && network.cable !== false && Boolean(network.ip);
  return (
    <Step title={t.groups.network} step={2}>
      {network?.reason && <p class="failed">{t.setup.joinFailed(failureText(network.reason, t))}</p>}
      {byCable ? (
        <p>{t.setup.cable(network.ip)}</p>
      ) : (
        <>
          <p class="hint">{t.setup.cableHint}</p>
          <WifiPicker choice={wifi} onChoice={onWifi} />
        </>
      )}
      {children}
      <div class="actions">
        {!byCable && (
          <Button
            onClick={() => {
              onWifi(NO_WIFI);
              onNext();
            }}
          >
            {t.setup.noWifi}
          </Button>
        )}
        <Button kind="primary" disabled={!byCable && !wifi.ssid} onClick={onNext}>
          {t.common.next}
        </Button>
      </div>
    </Step>
  );
}

function BmsStep({ onBack, onNext }: { onBack: () => void; onNext: () => void }): JSX.Element {
  const { t } = useAllTexts();
  const state = useLive("status");
  const online = state.documents.status?.data.online === true;
  const reason = staleReason(state);
  return (
    <Step title={t.setup.bms} step={3}>
      <p class="hint">{t.setup.bmsHint}</p>
      <p role="status" class={online && !reason ? "good" : ""}>
        {reason && reason !== "silent" ? staleText(reason, t) : online ? t.messages["bms-online"] : t.setup.bmsSilent}
      </p>
      <GroupForm
        form="bms"
        only={["address", "baud"]}
        submit={t.setup.finish}
        beside={<Button onClick={onBack}>{t.common.back}</Button>}
        onSaved={onNext}
      />
    </Step>
  );
}

/** Posts the remaining settings and watches the device join. */
function FinishStep({
  wifi,
  zone: chosen,
  onAgain,
  onDone,
}: {
  wifi: WifiChoice;
  zone: string | undefined;
  onAgain: () => void;
  onDone: () => void;
}): JSX.Element {
  const { t } = useAllTexts();
  const { documents } = useLive("device");
  const [hostname, setHostname] = useState("");
  const [sent, setSent] = useState(false);
  const task = useTask();
  const finish = (): void =>
    void task.run(async () => {
      await request("POST", "/web/group/time", { zone: chosen ?? browserZone() });
      const device = await request<{ hostname?: string }>("GET", "/web/group/device");
      setHostname(device.hostname ?? "");
      if (wifi.ssid) {
        await request("POST", "/web/group/network", { ssid: wifi.ssid, password: wifi.open ? "" : wifi.password });
        setSent(true);
      }
      return "";
    });
  useEffect(finish, []);
  const network = documents.device?.network;
  const joined = network?.mode === "STA" && network.ip && (!network.ssid || network.ssid === wifi.ssid);
  const isRefused = sent && !joined && Boolean(network?.reason);
  const isDone = !task.failed && !task.busy && (!wifi.ssid || (sent && joined));
  return (
    <Step title={isDone ? t.setup.done : t.setup.nearly}>
      {task.failed ? (
        <>
          <Message task={task} />
          <div class="actions">
            <Button onClick={onAgain}>{t.setup.again}</Button>
            <Button kind="primary" onClick={finish}>
              {t.app.retry}
            </Button>
          </div>
        </>
      ) : (
        <>
          {sent && <Joining ssid={wifi.ssid} hostname={hostname} network={network} joined={Boolean(joined)} />}
          {!sent && !task.busy && <p>{t.setup.ready}</p>}
          {isDone && <FirstTarget />}
          <div class="actions">
            {isRefused && (
              <Button kind="primary" onClick={onAgain}>
                {t.setup.again}
              </Button>
            )}
            <Button kind={isRefused ? "" : "primary"} disabled={task.busy} onClick={onDone}>
              {t.setup.open}
            </Button>
          </div>
        </>
      )}
    </Step>
  );
}

/** The device serves everything on one port. */
const addressOf = (host: string): string => `http://${host}${location.port && `:${location.port}`}/`;

/** `network` may be the last state received before the access point went away. */
function Joining({
  ssid,
  hostname,
  network,
  joined,
}: {
  ssid: string;
  hostname: string;
  network: NetworkState | undefined;
  joined: boolean;
}): JSX.Element {
  const { t } = useAllTexts();
  const link = (host: string): JSX.Element => <a href={addressOf(host)}>{addressOf(host)}</a>;
  return (
    <div role="status">
      {joined ? (
        <p class="good">
          {t.setup.joined} {link(network?.ip ?? "")}
        </p>
      ) : (
        <>
          <p>{t.setup.joining(ssid)}</p>
          <p>
            {t.setup.joinHint} {link(`${hostname}.local`)}
          </p>
        </>
      )}
      {!joined && network?.reason && <p class="failed">{t.setup.joinFailed(failureText(network.reason, t))}</p>}
    </div>
  );
}
