/** The frame around the screens: sign-in, navigation and the staleness banner. */
import { Component, type ComponentChildren, type ComponentType, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bankFaults, bankVerdict, packTitle } from "./bank";
import { Banner } from "./banner";
import { Concerns } from "./headline";
import { useLive, useLoad, useTask, useTexts } from "./hooks";
import { Icon, type IconName } from "./icons";
import { lazy } from "./lazy";
import { live } from "./live";
import { kept, preferences, WIZARD_KEY } from "./preferences";
import { Battery } from "./screens/battery";
import { SignIn } from "./screens/sign-in";
import { Swapped } from "./swapped";
import type { Texts } from "./texts/en";
import { Button, Message, Pending } from "./ui";
import { faults, judge, staleReason } from "./verdict";
import { isOtherZone } from "./zones";

interface Screen {
  readonly name: IconName;
  readonly title: (t: Texts) => string;
  readonly tab: (t: Texts) => string;
  readonly view: ComponentType;
}

const Control = lazy("control", (has) => has.Control);
const History = lazy("history", (has) => has.History);
const Device = lazy("device", (has) => has.Device);
const Kiosk = lazy("history", (has) => has.Kiosk);
const RelayScreen = lazy("device", (has) => has.RelayScreen);
const Clock = lazy("device", (has) => has.Clock, true);
const Repair = lazy("device", (has) => has.Repair, true);
const SetUp = lazy("device", (has) => has.SetUp);

const SCREENS: readonly Screen[] = [
  { name: "battery", title: (t) => t.app.battery, tab: (t) => t.app.battery, view: Battery },
  { name: "history", title: (t) => t.app.history, tab: (t) => t.app.history, view: History },
  { name: "control", title: (t) => t.app.control, tab: (t) => t.app.control, view: Control },
  { name: "relay", title: (t) => t.app.relay, tab: (t) => t.app.relayShort, view: RelayScreen },
  { name: "device", title: (t) => t.app.device, tab: (t) => t.app.device, view: Device },
];

/** The wall view stands alone: no menu leads to it. */
const KIOSK: Screen = { ...(SCREENS[0] as Screen), view: Kiosk };

/** Who came by a read-only link sees the battery and its history; a board without relay and inputs has no screen for them. */
const isThere = ({ name }: Screen): boolean =>
  live.session?.link
    ? name === "battery" || name === "history"
    : name !== "relay" || !live.session?.noRelay || !live.session.noInputs;

/** The screens of one pack. */
const OF_PACK: readonly IconName[] = ["battery", "control"];

/** The screen in the address: "#/control", "#/kiosk" for the wall view, or with the address of a pack "#/control/3". */
function present(): Screen {
  const [, wanted, pack = ""] = location.hash.split("/");
  const screen: Screen =
    wanted === "kiosk" ? KIOSK : (SCREENS.find((one) => one.name === wanted && isThere(one)) ?? (SCREENS[0] as Screen));
  live.look(OF_PACK.includes(screen.name) && /^\d+$/.test(pack) ? Number(pack) : undefined);
  return screen;
}

export function App(): JSX.Element {
  const { t } = useTexts();
  const { session } = useLive();
  // The page may load from the browser's cache while the device is unreachable.
  const { error } = useLoad(() => live.begin());
  const [inWizard, setInWizard] = useState(() => kept(WIZARD_KEY) !== null);
  useEffect(() => {
    document.title = t.app.title;
  }, [t]);
  // Setting the password in the wizard ends `firstStart`; stay in the wizard until it is finished.
  const firstStart = session?.firstStart === true;
  useEffect(() => {
    if (firstStart) setInWizard(true);
  }, [firstStart]);

  if (!session)
    return (
      <Simple>
        {error ? (
          <p role="status">{error === t.common.unreachable ? t.app.lost : t.common.failed(error)}</p>
        ) : (
          <Pending />
        )}
      </Simple>
    );
  if (firstStart || (inWizard && session.signedIn && !session.guest))
    return (
      <Simple>
        <SetUp onDone={() => setInWizard(false)} />
      </Simple>
    );
  if (!session.signedIn) return <Simple>{live.link && !live.refused ? <Pending /> : <SignIn />}</Simple>;
  return <Frame />;
}

/** Language and colour theme on every screen; sign-out where a session exists. */
function Choices({ session = false }: { session?: boolean }): JSX.Element {
  const { t } = useTexts();
  const dark = preferences.theme === "dark";
  const task = useTask();
  const toggle = async (): Promise<string> => {
    await preferences.toggleLanguage().catch(() => {
      throw new Error(t.app.languageMissing);
    });
    return "";
  };
  const signOut = async (): Promise<string> => {
    await live.signOut();
    return "";
  };
  return (
    <div class="choices">
      {task.failed && <Message task={task} />}
      <Button kind="plain" onClick={() => void task.run(toggle)}>
        <span lang={preferences.language === "en" ? "pt" : "en"}>{t.app.language}</span>
      </Button>
      <Button kind="plain" label={dark ? t.app.light : t.app.dark} onClick={() => preferences.toggleTheme()}>
        <Icon name={dark ? "sun" : "moon"} />
      </Button>
      {session && (
        <Button kind="plain" label={t.app.signOut} onClick={() => void task.run(signOut)}>
          <Icon name="exit" />
        </Button>
      )}
    </div>
  );
}

function Simple({ children }: { children: ComponentChildren }): JSX.Element {
  const { t } = useTexts();
  return (
    <div class="simple">
      <header>
        <span class="brand">
          <Icon name="battery" /> {t.app.title}
        </span>
        <Choices />
      </header>
      <main>{children}</main>
    </div>
  );
}

function Frame(): JSX.Element {
  const { t } = useTexts();
  const [screen, setScreen] = useState(present);
  const safeMode = live.session?.safeMode ?? false;
  const [hasSeveral, setHasSeveral] = useState(false);
  const state = useLive("status", ...(hasSeveral ? (["packs"] as const) : []));
  const { status, packs: bank } = state.documents;
  const hasSeveralNow = status ? Number(status.bms?.packs) > 1 : hasSeveral;
  useEffect(() => setHasSeveral(hasSeveralNow), [hasSeveralNow]);
  const isBank = hasSeveral && bank;
  const verdict = isBank ? bankVerdict(state, bank) : judge(state);
  const alarms = isBank ? bankFaults(bank) : faults(verdict.alarms);
  const silent = isBank ? bank.packs.filter(({ online }) => !online) : [];
  const pack = bank?.packs.find(({ address }) => address === state.pack);
  const title = screen.title(t) + (pack ? `: ${packTitle(pack, t)}` : "");
  // In safe mode the BMS is not asked.
  const reason = staleReason(state);
  const isSilent = isBank && (!reason || reason === "silent") ? silent.length > 0 : reason === "silent";
  const offline = isSilent ? !safeMode : !["", "silent", "waiting"].includes(reason);
  const isSome = isSilent && silent.length < Number(bank?.packs.length);
  const names = isSome && silent.length ? `${silent.map((one) => packTitle(one, t)).join(", ")}: ` : "";
  const mark = verdict.concerns.length > 0 && !alarms ? "⚠ " : "";
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    const change = (): void => {
      moved.current = true;
      setScreen(present());
    };
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  useEffect(() => {
    document.title = `${safeMode ? `${t.app.safeMode} – ` : ""}${mark}${offline ? `${names}${t.app.offline} – ` : ""}${alarms ? `${t.battery.alarmCount(alarms)} – ` : ""}${title} – ${t.app.title}`;
    // Signed out there is no screen, and the alarms are no longer known.
    return () => void (document.title = t.app.title);
  }, [title, alarms, offline, names, mark, safeMode, t]);
  useEffect(() => {
    if (!moved.current) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [screen, state.pack]);
  const View = screen.view;
  const guest = live.session?.guest ?? false;
  const isOnWall = screen === KIOSK;
  const isOwner = !guest && !isOnWall;
  const above = (
    <>
      {safeMode && (
        <p class="concerns bad" role="status">
          <strong>{t.app.safeMode}.</strong> {t.app.safeModeWhy}
        </p>
      )}
      {safeMode && isOwner && <Repair />}
      {isOwner && live.session && (state.isClockWrong || isOtherZone(live.session)) && <Clock />}
      {hasSeveral && <Swapped bank={bank} isOwner={isOwner} />}
      <Concerns whole={screen.name === "battery"} />
    </>
  );
  if (isOnWall)
    return (
      <main id="content" class="kiosk">
        <h1 class="hidden" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {above}
        <Boundary>
          <View />
        </Boundary>
        <Banner />
      </main>
    );
  return (
    <div class="frame">
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          heading.current?.focus();
        }}
      >
        {t.app.skip}
      </a>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Choices session />
      </header>
      <nav aria-label={t.app.sections}>
        <ul>
          {SCREENS.filter(isThere).map(({ name, tab }) => (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name === screen.name ? "page" : undefined}>
                <Icon name={name} />
                <span>{tab(t)}</span>
                {name === "battery" && alarms > 0 && (
                  <span class="badge" role="img" aria-label={t.battery.alarmCount(alarms)}>
                    {alarms}
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content">
        {guest && <p role="status">{t.app.guest}</p>}
        {above}
        {/* Nothing that was asked about one pack is answered for another. */}
        <Boundary key={`${screen.name}/${state.pack}`}>
          {/* Guests do not write to the BMS nor switch the relay: the device would refuse. */}
          <fieldset class="whole" disabled={guest && (screen.name === "control" || screen.name === "relay")}>
            <View />
          </fieldset>
        </Boundary>
        <Banner />
      </main>
    </div>
  );
}

/** Error boundary: a failing screen does not take the others down. */
class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ComponentChildren {
    return this.state.failed ? <Crash /> : this.props.children;
  }
}

function Crash(): JSX.Element {
  const { t } = useTexts();
  return (
    <div class="card" role="alert">
      <p>{t.app.crashed}</p>
      <Button onClick={() => location.reload()}>{t.app.reload}</Button>
    </div>
  );
}
